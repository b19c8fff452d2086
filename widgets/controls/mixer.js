export function render({ model }) {
  const send = makeFlow(model, () => show())
  const list = element("ul", {className: "mixer"})
  let rows = []
  let held = null

  const build = () => {
    rows = model.rows.map((row, place) => {
      const name = element("span", {className: "kind", textContent: row.name})
      const range = element("input", {type: "range", min: 0, max: 100, step: 1})
      const share = element("input", {type: "text", inputMode: "numeric", className: "typed", maxLength: 6, autocomplete: "off"})
      const level = element("select", {}, ...model.levels.map(([value, text]) => element("option", {value, textContent: text})))
      range.setAttribute("aria-label", `How many are ${row.name}`)
      share.setAttribute("aria-label", `How many are ${row.name}, typed`)
      level.setAttribute("aria-label", `${model.noun}: ${row.name}`)
      watchRange(range, (value, done) => {
        held = done ? null : place
        fillRange(range)
        send(`weight${place}`, {kind: "weight", row: place, value, done})
      })
      share.addEventListener("change", () => {
        const value = typedNumber(share.value)
        if (value === null) share.value = model.rows[place].share
        else send(`weight${place}`, {kind: "share", row: place, value})
      })
      share.addEventListener("keydown", (e) => { if (e.key === "Enter") share.blur() })
      level.addEventListener("change", () => send(`level${place}`, {kind: "level", row: place, value: Number(level.value)}))
      const node = element("li", {}, name, element("span", {className: "share"}, range, element("span", {className: "percent"}, share, " %")),
        element("label", {className: "accepts"}, element("span", {textContent: model.noun.toLowerCase()}), level))
      node.style.setProperty("--colour", row.colour)
      return {node, range, share, level, name: row.name}
    })
    list.replaceChildren(...rows.map((r) => r.node))
  }
  const show = () => {
    if (rows.length !== model.rows.length || rows.some((r, i) => r.name !== model.rows[i].name)) build()
    model.rows.forEach((row, place) => {
      const r = rows[place]
      if (held !== place && send.resting()) r.range.value = row.weight // an answer that was overtaken pulls nothing back
      r.range.setAttribute("aria-valuetext", `${row.share} %`)
      if (r.share !== r.share.getRootNode().activeElement) r.share.value = row.share
      if (send.resting()) r.level.value = row.level
      fillRange(r.range)
    })
  }
  model.on("rows", show)
  model.on("levels", () => { build(); show() })
  build()
  show()
  return list
}
