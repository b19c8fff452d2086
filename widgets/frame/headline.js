export function render({ model }) {
  const title = element("h1")
  const note = element("span")
  const ask = element("button", {type: "button", className: "ask", textContent: "Why?"})
  const why = element("p", {className: "why", id: `why-${Math.random().toString(36).slice(2)}`, hidden: true})
  // It is read when it is asked for; what changes in it meanwhile is not announced.
  why.setAttribute("aria-live", "off")
  ask.setAttribute("aria-controls", why.id)
  const below = element("p", {className: "note"}, note, " ", ask)
  let asked = false
  const before = element("span", {className: "before"})
  const arrow = element("span", {className: "arrow", textContent: "→"})
  arrow.setAttribute("aria-hidden", "true")
  const becomes = element("span", {className: "unseen", textContent: " becomes "})
  const after = element("strong", {className: "after"})
  const figures = element("p", {className: "figures"}, before, arrow, becomes, after)
  const caption = element("p", {className: "caption"})
  const lead = element("span", {className: "lead"}) // what differs: left out while presenting
  const told = element("span")
  const versus = element("p", {className: "versus"}, lead, told)
  const computing = element("p", {className: "computing", textContent: "Computing …"})
  const root = element("section", {}, element("div", {}, title, below, versus), element("div", {className: "right"}, figures, caption), why, computing)
  root.setAttribute("aria-live", "polite")
  root.setAttribute("aria-label", "Verdict")
  // What did not change is not touched, or a screen reader would say it again; while a slider is dragged it waits.
  const write = (node, text) => { if (node.textContent !== text) { node.textContent = text; return true } return false }
  let timer
  const unfold = () => {
    // A sentence without a number says what is wrong or under way: its second line always stands.
    const brief = model.brief && Boolean(model.said.after)
    const there = Boolean(model.said.why) && !brief
    below.hidden = brief || (!there && !model.said.note)
    ask.hidden = !there
    why.hidden = !there || !asked
    ask.setAttribute("aria-expanded", String(there && asked))
  }
  ask.addEventListener("click", () => { asked = !asked; unfold() })
  root.addEventListener("keydown", (e) => { if (e.key === "Escape" && asked) { asked = false; unfold(); ask.focus() } })
  const show = () => {
    const said = model.said
    // "quiet" is the name of a button style.
    const tone = `verdict-line ${said.tone === "quiet" || !said.tone ? "calm" : said.tone}${model.stale ? " stale" : ""}${model.brief && said.after ? " brief" : ""}`
    if (root.className !== tone) root.className = tone
    // A word is explained where it is read in small type, rather than in the sentence above.
    const seen = new Set()
    const changed = [
      ...[[note, said.note], [caption, said.label], [title, said.title]].map(([node, text]) => writeTerms(node, text ?? "", {seen})),
      ...[[before, said.before], [after, said.after]].map(([node, text]) => write(node, text ?? "")),
    ].some(Boolean)
    arrow.hidden = becomes.hidden = !said.before
    writeTerms(why, said.why ?? "")
    unfold()
    if (!changed) return
    root.setAttribute("aria-busy", "true")
    clearTimeout(timer)
    timer = setTimeout(() => root.removeAttribute("aria-busy"), 400)
  }
  // Tests and assistive programs can tell when what is shown is final.
  const wait = () => { root.dataset.working = String(model.working) }
  model.on("working", wait)
  wait()
  model.on("said", show)
  model.on("stale", show)
  model.on("brief", show)
  const compare = () => {
    const [, start, rest] = (model.versus ?? "").match(/^([^:]*: )?(.*)$/s)
    write(lead, start ?? "")
    write(told, rest)
    versus.hidden = !model.versus
  }
  model.on("versus", compare)
  compare()
  model.on("remove", () => clearTimeout(timer))
  show()
  return root
}
