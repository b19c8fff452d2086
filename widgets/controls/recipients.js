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
    const band = element("span", {className: "risk-band"})
    const track = element("span", {className: "track"}, range, band)
    const trust = element("input", {type: "text", inputMode: "numeric", className: "typed", maxLength: 6, autocomplete: "off"})
    const detail = element("span", {className: "detail"})
    const remove = element("button", {type: "button", className: "remove", textContent: "×"})
    const node = element("li", {}, tick, name, track,
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
    watchRange(range, (at, done) => {
      const value = Math.round(at) // tenths are typed, or solved for: by hand a slider moves from whole to whole
      held = done ? null : id
      fillRange(range)
      trust.value = value
      send(`trust${id}`, {kind: "trust", id, value, done})
    })
    return {node, tick, name, range, band, trust, detail, remove}
  }

  // A thin band under the track: where the target is kept, and where it is broken. A handle is 16 pixels wide, so that
  // its middle stands 8 pixels from the end of the track at the least value.
  const showRisk = (r, row) => {
    r.band.hidden = !row.risk
    r.detail.classList.toggle("kept", false)
    r.detail.classList.toggle("broken", false)
    if (!row.risk) return
    const place = (value) => {
      const share = Math.min(Math.max((value - model.start) / (model.end - model.start), 0), 1)
      return `calc(8px + ${share} * (100% - 16px))`
    }
    const stops = row.risk.runs.flatMap(([first, last, kept], i, all) => {
      const from = i ? place((first + all[i - 1][1]) / 2) : "0"
      const to = i < all.length - 1 ? place((last + all[i + 1][0]) / 2) : "100%"
      return [`var(--${kept ? "kept" : "broken"}) ${from}`, `var(--${kept ? "kept" : "broken"}) ${to}`]
    })
    r.band.style.background = `linear-gradient(to right, ${stops.join(", ")})`
    const now = row.risk.runs.find(([first, last]) => row.trust >= first && row.trust <= last)
    r.detail.classList.add(now && now[2] ? "kept" : "broken")
  }

  const focused = (input) => input === input.getRootNode().activeElement

  const show = () => {
    const ids = model.rows.map((r) => r.id)
    setBarred(add, model.rows.length >= model.most)
    keepFocus(list, () => {
      for (const id of [...rows.keys()]) if (!ids.includes(id)) { rows.get(id).node.remove(); rows.delete(id) }
    }, {otherwise: add})
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
      if (held !== row.id && send.resting()) { r.range.step = Number.isInteger(row.trust) ? 1 : 0.1; r.range.value = row.trust; if (!focused(r.trust)) r.trust.value = row.trust }
      r.range.setAttribute("aria-label", `${model.noun} in ${row.name}`)
      r.trust.setAttribute("aria-label", `${model.noun} in ${row.name}, typed`)
      const told = row.risk ? `${row.detail}, ${row.risk.told}` : row.detail
      r.range.setAttribute("aria-valuetext", `${row.trust} %, ${told}`)
      r.range.title = row.risk ? row.risk.told : model.quiet ? row.detail : ""
      r.detail.textContent = row.risk?.said || (model.quiet ? "" : row.detail)
      r.detail.title = row.risk ? told : ""
      showRisk(r, row)
      fillRange(r.range)
      r.remove.setAttribute("aria-label", `Remove ${row.name}`)
      r.remove.title = `Remove ${row.name}`
      r.remove.hidden = model.rows.length <= model.least
    })
    add.textContent = isBarred(add) ? `${model.most} recipients are the most` : "+ add a recipient"
  }
  onPress(add, () => send("add", {kind: "add"}))
  model.on("rows", show)
  show()
  return root
}
