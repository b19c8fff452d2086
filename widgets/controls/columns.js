export function render({ model }) {
  const send = makeFlow(model)
  const search = element("input", {type: "search", className: "number wide", placeholder: "find a column"})
  search.setAttribute("aria-label", "Find a column")
  const all = element("button", {type: "button", className: "quiet", textContent: "all"})
  const none = element("button", {type: "button", className: "quiet", textContent: "none"})
  const tools = element("div", {className: "tools"}, search, all, none)
  const body = element("tbody")
  const titles = ["use", "column", "kind", "also missing", "unit", "missing", "example", "what was found"]
  const head = element("thead", {}, element("tr", {}, ...titles.map((text) => element("th", {textContent: text, scope: "col"}))))
  const region = element("div", {className: "columns", tabIndex: 0}, element("table", {}, head, body))
  region.setAttribute("role", "region")
  const root = element("div", {}, tools, region)

  const box = (row, place, kind, name, hint) => {
    const input = element("input", {type: "text", className: "number", value: row[kind], placeholder: hint, maxLength: 200})
    input.setAttribute("aria-label", `${name} ${row.name}`)
    input.addEventListener("change", () => send(`${kind}${place}`, {kind, place, value: input.value}))
    return element("td", {}, input)
  }
  const line = (row, place) => {
    const tick = element("input", {type: "checkbox", checked: row.chosen, disabled: !row.usable})
    tick.setAttribute("aria-label", `Use ${row.name}`)
    tick.addEventListener("change", () => send(`tick${place}`, {kind: "chosen", place, value: tick.checked}))
    const kind = element("select", {className: "number", disabled: row.choices.length < 2},
      ...row.choices.map((one) => element("option", {value: one, textContent: one, selected: one === row.kind})))
    kind.setAttribute("aria-label", `Kind of ${row.name}`)
    kind.addEventListener("change", () => send(`kind${place}`, {kind: "type", place, value: kind.value}))
    // Names and examples come from somebody's file: text, never markup.
    return element("tr", {className: row.usable ? "" : "unusable"}, element("td", {}, tick),
      element("td", {textContent: row.name}), element("td", {}, kind),
      box(row, place, "codes", "Values that mean missing in", "-9, none"),
      row.kind === "number" ? box(row, place, "unit", "Unit of", "") : element("td"),
      ...[row.missing, row.example, row.note].map((text) => element("td", {textContent: text})))
  }
  const found = () => model.rows.map((row, place) => [row, place])
    .filter(([row]) => row.name.toLowerCase().includes(search.value.trim().toLowerCase()))
  const show = () => {
    region.setAttribute("aria-label", model.label)
    tools.hidden = model.rows.length < 9
    keepFocus(body, () => body.replaceChildren(...found().map(([row, place]) => line(row, place))), {typed: true})
  }
  search.addEventListener("input", show)
  for (const [button, value] of [[all, true], [none, false]]) {
    button.addEventListener("click", () => send("all", {kind: "all", value, names: found().map(([row]) => row.name)}))
  }
  model.on("rows", show)
  show()
  return root
}
