export function render({ model }) {
  const send = makeFlow(model, () => show())
  const list = element("ul", {className: "recipients"})
  const add = element("button", {type: "button", className: "quiet", textContent: "+ add a recipient"})
  const root = element("div", {}, list, add)
  const rows = new Map()
  let held = null

  const make = ({id}) => {
    const tick = element("input", {type: "checkbox"})
    const name = element("input", {type: "text", className: "who", maxLength: 24, spellcheck: false})
    const range = element("input", {type: "range", min: model.start, max: model.end, step: 1})
    const trust = element("input", {type: "text", inputMode: "numeric", className: "typed", maxLength: 6, autocomplete: "off"})
    const detail = element("span", {className: "detail"})
    const remove = element("button", {type: "button", className: "remove", textContent: "×"})
    const node = element("li", {}, tick, name, range,
      element("span", {className: "reading"}, element("span", {className: "percent"}, trust, " %"), detail), remove)
    tick.addEventListener("change", () => send(`member${id}`, {kind: "member", id, value: tick.checked}))
    name.addEventListener("change", () => send(`name${id}`, {kind: "name", id, value: name.value}))
    name.addEventListener("keydown", (e) => { if (e.key === "Enter") name.blur() })
    remove.addEventListener("click", () => send(`remove${id}`, {kind: "remove", id}))
    trust.addEventListener("change", () => {
      const value = typedNumber(trust.value)
      if (value === null) trust.value = range.value
      else send(`trust${id}`, {kind: "trust", id, value, done: true})
    })
    trust.addEventListener("keydown", (e) => { if (e.key === "Enter") trust.blur() })
    watchRange(range, (value, done) => {
      held = done ? null : id
      fillRange(range)
      trust.value = value
      send(`trust${id}`, {kind: "trust", id, value, done})
    })
    return {node, tick, name, range, trust, detail, remove}
  }

  const focused = (input) => input === input.getRootNode().activeElement

  const show = () => {
    const ids = model.rows.map((r) => r.id)
    for (const id of [...rows.keys()]) if (!ids.includes(id)) { rows.get(id).node.remove(); rows.delete(id) }
    model.rows.forEach((row, place) => {
      if (!rows.has(row.id)) rows.set(row.id, make(row))
      const r = rows.get(row.id)
      if (list.children[place] !== r.node) list.insertBefore(r.node, list.children[place] ?? null)
      r.node.style.setProperty("--colour", row.colour)
      r.tick.checked = row.member
      r.tick.setAttribute("aria-label", `${row.name} is in the coalition`)
      r.tick.title = `${row.name} is in the coalition`
      if (!focused(r.name)) r.name.value = row.name
      r.name.setAttribute("aria-label", `Name of recipient ${place + 1}`)
      // An answer that was overtaken must not pull the handle back.
      if (held !== row.id && send.resting()) { r.range.value = row.trust; if (!focused(r.trust)) r.trust.value = row.trust }
      r.range.setAttribute("aria-label", `${model.noun} in ${row.name}`)
      r.trust.setAttribute("aria-label", `${model.noun} in ${row.name}, typed`)
      r.range.setAttribute("aria-valuetext", `${row.trust} %, ${row.detail}`)
      r.detail.textContent = row.detail
      fillRange(r.range)
      r.remove.setAttribute("aria-label", `Remove ${row.name}`)
      r.remove.title = `Remove ${row.name}`
      r.remove.hidden = model.rows.length <= model.least
    })
    add.disabled = model.rows.length >= model.most
    add.textContent = add.disabled ? `${model.most} recipients are the most` : "+ add a recipient"
  }
  add.addEventListener("click", () => send("add", {kind: "add"}))
  model.on("rows", show)
  show()
  return root
}
