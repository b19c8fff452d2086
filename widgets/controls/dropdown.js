export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `dropdown-${Math.random().toString(36).slice(2)}`
  const name = element("label", {htmlFor: id, className: "name"})
  const select = element("select", {id, className: "number"})
  const root = element("div", {className: "dropdown"}, name, select)
  const show = () => {
    writeTerms(name, model.label, {still: true})
    name.hidden = !model.label
    const texts = [...select.options].map((o) => o.textContent)
    if (texts.join("\n") !== model.entries.join("\n")) {
      select.replaceChildren(...model.entries.map((text) => element("option", {textContent: text})))
    }
    select.selectedIndex = model.place
    select.disabled = model.disabled
  }
  select.addEventListener("change", () => send("place", {place: select.selectedIndex}))
  for (const p of ["label", "entries", "disabled"]) model.on(p, show)
  model.on("place", () => { if (send.resting()) show() })
  show()
  return root
}
