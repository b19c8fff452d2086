const BELOW = 84

export function render({ model }) {
  const send = makeFlow(model)
  const svg = drawn("svg", {"aria-hidden": "true"})
  const field = element("div", {className: "field", tabIndex: 0}, svg)
  field.setAttribute("role", "application")
  field.setAttribute("aria-roledescription", "map")
  const reading = element("p", {className: "reading-line"})
  reading.setAttribute("role", "status")
  const hint = element("p", {className: "unseen", id: `map-${model.plot_id}`, textContent: "Arrow keys move over the map, Enter goes there."})
  field.setAttribute("aria-describedby", hint.id)
  const root = element("div", {className: "heatmap-box"}, field, reading, hint)
  root.style.setProperty("--tall", `${model.tall}px`)
  let cells = []
  let place = null // how to get from columns and rows to pixels
  let active = null
  const cursor = drawn("rect", {class: "cursor"})

  const wide = () => model.frame.x?.length ?? 0
  const high = () => model.frame.y?.length ?? 0
  const whole = () => wide() && high() && model.shades.length === wide() * high()
  const paint = () => {
    model.shades.forEach((shade, n) => {
      const fill = shade < 0 ? "var(--ts-line, #dfe5ec)" : model.palette[shade]
      if (cells[n].fill !== fill) { cells[n].fill = fill; cells[n].node.style.fill = fill }
    })
  }
  const rest = () => {
    const said = model.frame.limit ? ` · line: ${model.frame.limit}` : ""
    reading.textContent = `${model.frame.figure ?? ""}${said}`
  }
  const point = (at) => {
    active = at
    cursor.style.display = at && place ? "" : "none"
    if (!at || !place) { rest(); return }
    const [c, r] = at
    for (const [name, value] of Object.entries({x: place.x(c), y: place.y(r), width: place.w, height: place.h})) cursor.setAttribute(name, value)
    reading.textContent = `${model.frame.x_label} ${model.frame.x[c]}, ${model.frame.y_label} ${model.frame.y[r]}: ${model.told[r * wide() + c]}`
  }
  const draw = () => {
    field.setAttribute("aria-label", model.label)
    const W = svg.clientWidth
    const H = svg.clientHeight
    if (!whole() || !W) return
    svg.setAttribute("viewBox", `0 0 ${W} ${H}`)
    const {x, y, x_label, y_label, ends} = model.frame
    const left = 30 + 7.4 * Math.max(...y.map((t) => t.length))
    const [right, top, base] = [W - 12, 8, H - BELOW]
    const w = (right - left) / wide()
    const h = (base - top) / high()
    place = {x: (c) => left + w * c, y: (r) => base - h * (r + 1), w, h}
    const parts = []
    cells = model.shades.map((_, n) => {
      const [c, r] = [n % wide(), Math.floor(n / wide())]
      // A hair wider than its place: no seams between neighbours.
      const node = drawn("rect", {x: place.x(c), y: place.y(r) - .4, width: w + .4, height: h + .4, class: "cell"})
      return {node, fill: ""}
    })
    parts.push(...cells.map((cell) => cell.node))
    const every = (names, room, size) => Math.ceil(names.length / Math.max(1, Math.floor(room / size)))
    const across = every(x, right - left, 16 + 7.4 * Math.max(...x.map((t) => t.length)))
    x.forEach((text, c) => { if (c % across === 0) parts.push(drawn("text", {x: place.x(c) + w / 2, y: base + 17, "text-anchor": "middle"}, text)) })
    const up = every(y, base - top, 20)
    y.forEach((text, r) => { if (r % up === 0) parts.push(drawn("text", {x: left - 6, y: place.y(r) + h / 2 + 5, "text-anchor": "end"}, text)) })
    parts.push(drawn("text", {class: "name", x: (left + right) / 2, y: base + 37, "text-anchor": "middle"}, `${x_label} →`))
    parts.push(drawn("text", {class: "name", x: 14, y: (top + base) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + base) / 2})`}, `${y_label} →`))
    const bar = Math.min(220, (right - left) * .6)
    const start = (left + right - bar) / 2
    model.palette.forEach((colour, n) => {
      const step = bar / model.palette.length
      parts.push(drawn("rect", {x: start + step * n, y: H - 24, width: step + .4, height: 12, style: `fill: ${colour}`}))
    })
    parts.push(drawn("text", {x: start - 6, y: H - 13, "text-anchor": "end"}, ends[0]), drawn("text", {x: start + bar + 6, y: H - 13}, ends[1]))
    const line = model.lines.map(([a, b, c, d]) => `M${left + w * (a + .5)},${base - h * (b + .5)}L${left + w * (c + .5)},${base - h * (d + .5)}`).join("")
    // Two strokes, so that it is seen on dark and on light shades.
    parts.push(drawn("path", {class: "line under", d: line}), drawn("path", {class: "line", d: line}))
    if (model.here.length) {
      const [c, r] = model.here
      const at = {cx: left + w * (c + .5), cy: base - h * (r + .5)}
      parts.push(drawn("circle", {class: "here under", r: 8, ...at}), drawn("circle", {class: "here", r: 8, ...at}))
    }
    parts.push(cursor)
    svg.replaceChildren(...parts)
    paint()
    if (active && (active[0] >= wide() || active[1] >= high())) active = null
    point(active)
  }
  const update = () => { if (whole() && cells.length === model.shades.length) draw() }
  const cell = (event) => {
    if (!place || !whole()) return null
    const box = svg.getBoundingClientRect()
    const c = Math.floor((event.clientX - box.left - place.x(0)) / place.w)
    const r = high() - 1 - Math.floor((event.clientY - box.top - place.y(high() - 1)) / place.h)
    return c >= 0 && r >= 0 && c < wide() && r < high() ? [c, r] : null
  }
  const go = (at) => { if (at) send("pick", {column: at[0], row: at[1]}) }
  svg.addEventListener("pointermove", (event) => point(cell(event)))
  svg.addEventListener("pointerleave", () => point(null))
  svg.addEventListener("click", (event) => go(cell(event)))
  // The keyboard begins where the scenario stands.
  const start = () => active ?? [0, 1].map((axis) => Math.min(Math.max(Math.round(model.here[axis] ?? 0), 0), [wide(), high()][axis] - 1))
  field.addEventListener("focus", () => { if (field.matches(":focus-visible") && whole()) point(start()) })
  field.addEventListener("blur", () => point(null))
  field.addEventListener("keydown", (event) => {
    if (!whole()) return
    const [c, r] = start()
    const moves = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}
    if (event.key === "Enter" || event.key === " ") go([c, r])
    else if (event.key === "Escape") point(null)
    else if (moves[event.key]) {
      const [a, b] = moves[event.key]
      point([Math.min(Math.max(c + a, 0), wide() - 1), Math.min(Math.max(r + b, 0), high() - 1)])
    } else return
    event.preventDefault()
  })
  const watcher = new ResizeObserver(draw)
  watcher.observe(root)
  for (const p of ["frame", "label"]) model.on(p, draw)
  for (const p of ["shades", "lines", "here"]) model.on(p, () => { cells.length === model.shades.length ? update() : draw() })
  model.on("remove", () => watcher.disconnect())
  draw()
  return root
}
