// Words with an explanation: one sheet for all of them, beside the word that the pointer or the focus has reached.
function explainTerms(home) {
  const sheet = element("div", {className: "term-sheet", role: "tooltip", hidden: true})
  home.append(sheet)
  let shown = null
  const find = (e) => e.composedPath().find((n) => n.classList?.contains("term")) ?? null
  const hide = () => { sheet.hidden = true; shown = null }
  const show = (term) => {
    shown = term
    sheet.textContent = term.dataset.term
    sheet.hidden = false
    const box = term.getBoundingClientRect()
    const wide = Math.min(320, innerWidth - 24)
    sheet.style.width = `${wide}px`
    sheet.style.left = `${Math.min(Math.max(box.left + box.width / 2 - wide / 2, 12), innerWidth - wide - 12)}px`
    const tall = sheet.offsetHeight
    sheet.style.top = `${box.bottom + 8 + tall > innerHeight ? box.top - tall - 8 : box.bottom + 8}px`
  }
  const reach = (e) => { const term = find(e); if (term) show(term); else if (e.type === "pointerover" && !e.composedPath().includes(sheet) && shown && shown !== deepFocus()) hide() }
  const deepFocus = () => { let node = document.activeElement; while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement; return node }
  const leave = (e) => { if (find(e) === shown) hide() }
  const follow = () => { if (shown) show(shown) } // reaching a word by keyboard may scroll to it
  const key = (e) => { if (e.key === "Escape" && shown) hide() }
  // Focus that moves within one control is told to nobody outside of it; the key that moved it is.
  const typed = (e) => {
    const node = deepFocus()
    if (node?.classList?.contains("term")) { if (e.key !== "Escape") show(node) } else hide()
  }
  const events = [["pointerover", reach], ["focusin", reach], ["focusout", leave], ["click", reach], ["keydown", key], ["keyup", typed], ["scroll", follow]]
  for (const [name, act] of events) document.addEventListener(name, act, true)
  return () => { for (const [name, act] of events) document.removeEventListener(name, act, true) }
}
