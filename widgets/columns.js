export function render({ model }) {
  const send = makeFlow(model)
  const body = element("tbody")
  const head = element("thead", {}, element("tr", {}, ...["use", "column", "kind", "missing", "example", ""].map(
    (text) => element("th", {textContent: text, scope: "col"}))))
  const table = element("table", {}, head, body)
  const root = element("div", {className: "columns", tabIndex: 0}, table)
  root.setAttribute("role", "region")
  const show = () => {
    root.setAttribute("aria-label", model.label)
    // Names and examples come from somebody's file: text, never markup.
    body.replaceChildren(...model.rows.map((row, place) => {
      const tick = element("input", {type: "checkbox", checked: row.chosen, disabled: !row.usable})
      tick.setAttribute("aria-label", `Use ${row.name}`)
      tick.addEventListener("change", () => send(`tick${place}`, {place, value: tick.checked}))
      const cells = [row.name, row.kind, row.missing, row.example, row.note]
      return element("tr", {className: row.usable ? "" : "unusable"}, element("td", {}, tick),
        ...cells.map((text) => element("td", {textContent: text})))
    }))
  }
  model.on("rows", show)
  show()
  return root
}
