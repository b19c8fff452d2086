export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `fold-${Math.random().toString(36).slice(2)}`
  const heading = element("h2")
  const line = element("p")
  const word = element("span")
  const of = element("span", {className: "unseen"})
  const button = element("button", {type: "button"}, word, of)
  button.setAttribute("aria-controls", id)
  const body = element("div", {className: "body", id}, model.get_child("body"))
  const box = element("div", {className: "fold-box"}, element("div", {className: "line"}, line, button), body)
  const root = element("div", {}, heading, box)
  const show = () => {
    const seen = new Set()
    writeTerms(line, model.line, {seen})
    writeTerms(heading, model.label, {seen})
    heading.hidden = !model.label_shown
    word.textContent = model.opened ? "done" : "change"
    of.textContent = ` ${model.label}`
    button.setAttribute("aria-expanded", String(model.opened))
    body.hidden = !model.opened
    box.classList.toggle("open", model.opened)
  }
  const turn = (opened) => send("opened", {opened})
  button.addEventListener("click", () => turn(!model.opened))
  box.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !model.opened || e.defaultPrevented) return
    turn(false)
    button.focus()
  })
  for (const p of ["label", "label_shown", "line", "opened"]) model.on(p, show)
  show()
  return root
}
