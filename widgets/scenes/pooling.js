export function render({ model }) {
  const legend = element("ul", {className: "legend"})
  const {table, head, body} = namedTable("unseen")
  const base = element("div", {className: "base"})
  const foot = element("div", {className: "foot"})
  const box = element("div", {className: "pooling-box"}, table)
  const root = element("div", {}, legend, box, foot)
  for (const node of [base, foot]) node.setAttribute("aria-hidden", "true")
  table.append(base)
  let rows = []
  const firstTrack = () => rows[0].cells[0].cell.firstChild

  const dots = (seats, mask) => {
    const dot = (seat, here) => {
      const node = element("i", {className: here ? "in" : "in empty"})
      node.setAttribute("aria-hidden", "true")
      if (here) node.style.background = seat.colour
      return node
    }
    return seats.map((seat, i) => dot(seat, mask >> i & 1))
  }
  const build = () => {
    const {seats, masks, names, series, present, baseline} = model.frame
    table.caption.textContent = model.label
    box.classList.toggle("many", masks.length > 12)
    if (masks.length > 12) { box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", model.label) }
    else { box.removeAttribute("tabindex"); box.removeAttribute("role"); box.removeAttribute("aria-label") }
    head.replaceChildren(...["who pools", ...series.map((s) => s[0])].map((t) => element("th", {scope: "col", textContent: t})))
    const key = series.map(([name, colour]) => {
      const item = element("li", {}, element("i"), element("span", {textContent: name}))
      item.style.setProperty("--c", colour)
      return item
    })
    if (baseline) key.push(element("li", {className: "dashed"}, element("i"), element("span", {textContent: baseline})))
    legend.replaceChildren(...key)
    rows = masks.map((mask, place) => {
      const who = element("th", {scope: "row"}, element("span", {className: "unseen", textContent: names[place]}), ...dots(seats, mask))
      who.setAttribute("role", "rowheader")
      who.title = names[place]
      const cells = series.map(([name, colour]) => {
        const fill = element("i", {className: "fill"})
        const kept = element("i", {className: "kept", hidden: true})
        const expected = element("i", {className: "expected", hidden: true, title: "what you drew"})
        const value = element("span", {className: "value"})
        const cell = element("td", {}, element("span", {className: "track"}, fill, kept, expected), value)
        cell.style.setProperty("--c", colour)
        cell.setAttribute("role", "cell")
        cell.classList.toggle("present", name === present)
        return {cell, fill, kept, expected, value}
      })
      const node = element("tr", {}, who, ...cells.map((c) => c.cell))
      node.setAttribute("role", "row")
      return {node, cells, mask}
    })
    body.replaceChildren(...rows.map((r) => r.node))
    watcher.disconnect()
    watcher.observe(box)
    if (rows.length) watcher.observe(firstTrack())
  }
  const size = () => {
    const {series, masks} = model.frame
    const looks = {"--rows": masks.length, "--series": series.length, "--tall": `${model.tall}px`, "--dot": masks.length > 12 ? "12px" : "16px"}
    for (const [name, value] of Object.entries(looks)) box.style.setProperty(name, value)
  }
  const show = () => {
    const {series} = model.frame
    if (!series || model.values.length !== rows.length * series.length || model.texts.length !== model.values.length) return // the rest is on its way
    const share = (value) => Math.min(Math.max(value / model.top, 0), 1)
    rows.forEach((row, place) => {
      row.node.className = row.mask === model.chosen ? "chosen" : ""
      row.cells.forEach((cell, s) => {
        const at = s * rows.length + place
        cell.fill.style.width = `${100 * share(model.values[at])}%`
        cell.value.textContent = model.texts[at]
        cell.kept.hidden = model.ghost.length !== model.values.length || model.ghost[at] === null
        cell.expected.hidden = s > 0 || model.expected.length !== rows.length
        if (!cell.expected.hidden) cell.expected.style.left = `${100 * share(model.expected[place])}%`
        if (!cell.kept.hidden) cell.kept.style.left = `${100 * share(model.ghost[at])}%`
      })
    })
  }
  // The scale below and the line of what is known without any copy stand where the tracks are.
  const place = () => {
    if (!rows.length) return
    const track = firstTrack()
    const here = track.getBoundingClientRect()
    const length = track.offsetWidth
    const zoom = here.width / (length || 1) // places on the screen are zoomed, lengths of a style are not
    const left = (here.left - table.getBoundingClientRect().left) / zoom
    base.hidden = model.baseline < 0
    // What stands beside the tracks is as wide at any width, also on paper, which nothing can be measured on.
    const at = (share, whole) => `calc(${left}px + (100% - ${whole.offsetWidth - length}px) * ${share})`
    base.style.left = at(Math.min(model.baseline / model.top, 1), table)
    foot.replaceChildren(...model.scale.map(([value, text], i, all) => {
      const node = element("span", {textContent: text, className: i === 0 ? "first" : i === all.length - 1 ? "last" : ""})
      node.style.left = at(value / model.top, foot)
      return node
    }))
  }
  // Not with each step: to measure has the browser lay out the page at once. Tracks are as long as values leave room.
  const watcher = new ResizeObserver(place)
  model.on("remove", () => watcher.disconnect())
  model.on("frame", () => { build(); size(); show() })
  drawOn(model, ["values", "texts", "ghost", "expected", "top", "chosen"], show)
  drawOn(model, ["top", "baseline", "scale"], place)
  if (model.frame.series) { build(); size(); show() }
  return root
}
