// The glossary for scripts that write texts themselves (writeTerms in flow.js); what was written before is then looked at again.
function teachTerms(terms) {
  const escaped = Object.keys(terms).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  if (!escaped.length) return
  globalThis.trustscopeTerms = {
    pattern: new RegExp(`(?<![\\p{L}\\d_-])(?:${escaped.join("|")})(?![\\p{L}\\d_-])`, "giu"),
    sentences: Object.fromEntries(Object.entries(terms).map(([word, sentence]) => [word.toLowerCase(), sentence])),
  }
  document.dispatchEvent(new Event("trustscope-terms"))
}

// Words with an explanation: one sheet for all of them, beside the word that the pointer or the focus has reached.
function explainTerms(home) {
  const sheet = element("div", {className: "term-sheet", role: "tooltip", hidden: true})
  home.append(sheet)
  let shown = null
  const find = (e) => e.composedPath().find((n) => n.classList?.contains("term")) ?? null
  // The words in the label of a control, which has the focus in their place.
  const inLabel = (node) => [...(node?.labels ?? [])].flatMap((label) => [...label.querySelectorAll(".term")])
  const saidOf = (node) => [...new Set((node.dataset.term ? [node] : inLabel(node)).map((term) => term.dataset.term))].join(" ")
  const hide = () => { sheet.hidden = true; shown = null }
  const show = (term) => {
    shown = term
    sheet.textContent = saidOf(term)
    sheet.hidden = false
    const box = term.getBoundingClientRect()
    const wide = Math.min(320, innerWidth - 24)
    sheet.style.width = `${wide}px`
    sheet.style.left = `${Math.min(Math.max(box.left + box.width / 2 - wide / 2, 12), innerWidth - wide - 12)}px`
    const tall = sheet.offsetHeight
    sheet.style.top = `${box.bottom + 8 + tall > innerHeight ? box.top - tall - 8 : box.bottom + 8}px`
  }
  const named = (e) => {
    const node = e.type === "focusin" ? e.composedPath()[0] : null
    if (!node?.matches?.(":focus-visible") || !inLabel(node).length) return false
    node.setAttribute("aria-description", saidOf(node))
    if (tabbed) show(node)
    return tabbed
  }
  let tabbed = false // whether the focus comes by keyboard: a click on a control asks for nothing
  const reach = (e) => { const term = find(e); if (term) show(term); else if (named(e)) return; else if (e.type === "pointerover" && !e.composedPath().includes(sheet) && shown && shown !== deepFocus()) hide() }
  const deepFocus = () => { let node = document.activeElement; while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement; return node }
  const leave = (e) => { if (shown && (find(e) === shown || e.composedPath()[0] === shown)) hide() }
  const follow = () => { if (shown) show(shown) } // reaching a word by keyboard may scroll to it
  const key = (e) => { tabbed = e.key === "Tab"; if (e.key === "Escape" && shown) hide() }
  const pressed = () => { tabbed = false }
  // Focus that moves within one control is told to nobody outside of it; the key that moved it is.
  const typed = (e) => {
    const node = deepFocus()
    if (node?.classList?.contains("term")) { if (e.key !== "Escape") show(node) } else if (e.key === "Tab" && inLabel(node).length) show(node)
    else if (e.key !== "Shift") hide()
  }
  const events = [["pointerover", reach], ["focusin", reach], ["focusout", leave], ["click", reach], ["keydown", key], ["pointerdown", pressed], ["keyup", typed], ["scroll", follow]]
  for (const [name, act] of events) document.addEventListener(name, act, true)
  return () => { for (const [name, act] of events) document.removeEventListener(name, act, true) }
}
