const LEFT = 62
const BELOW = 46
const NEAR = 26 // pixels within which a point is pointed at

export function render({ model }) {
  const send = makeFlow(model)
  const id = `tradeoff-${model.plot_id}`
  const svg = drawn("svg", {role: "listbox", tabindex: 0, "aria-orientation": "horizontal"})
  const tip = element("div", {className: "tip", hidden: true})
  tip.setAttribute("aria-hidden", "true")
  const root = element("div", {className: "tradeoff-box"}, svg, tip)
  root.style.setProperty("--tall", `${model.tall}px`)
  let dots = [] // {x, y, line, point, place, node, text}
  let active = null // [line, point]

  const find = (at) => at && dots.find((d) => d.line === at[0] && d.point === at[1])
  const mark = (dot, told = true) => {
    for (const d of dots) d.node.classList.toggle("active", d === dot)
    for (const d of dots) d.node.setAttribute("aria-selected", String(d === dot))
    if (!dot) { tip.hidden = true; svg.removeAttribute("aria-activedescendant"); return }
    active = [dot.line, dot.point]
    svg.setAttribute("aria-activedescendant", dot.node.id)
    tip.hidden = !told
    tip.textContent = dot.text
    const wide = svg.clientWidth
    tip.style.left = `${Math.min(Math.max(dot.x, 90), wide - 90)}px`
    tip.style.top = `${dot.y}px`
    tip.classList.toggle("under", dot.y < 70)
  }
  const go = (dot) => { if (dot) send("pick", {line: dot.line, point: dot.point}) }

  const draw = () => {
    const s = model.scene
    const W = svg.clientWidth
    const H = svg.clientHeight
    svg.setAttribute("aria-label", model.label)
    if (!s.lines || !W) { svg.replaceChildren(); dots = []; return }
    svg.setAttribute("viewBox", `0 0 ${W} ${H}`)
    const right = W - 16
    const top = 14
    const base = H - BELOW
    const at = (x) => LEFT + (right - LEFT) * x
    const up = (y) => base - (base - top) * y
    const parts = []
    for (const [y, text] of s.y_ticks) {
      parts.push(drawn("line", {class: "grid", x1: LEFT, x2: right, y1: up(y), y2: up(y)}), drawn("text", {x: LEFT - 8, y: up(y) + 5, "text-anchor": "end"}, text))
    }
    const room = Math.ceil(s.x_ticks.length / Math.max(2, Math.floor((right - LEFT) / 64)))
    s.x_ticks.forEach(([x, text], n) => { if (n % room === 0) parts.push(drawn("text", {x: at(x), y: base + 18, "text-anchor": "middle"}, text)) })
    parts.push(drawn("line", {class: "axis", x1: LEFT, x2: right, y1: base, y2: base}))
    parts.push(drawn("text", {class: "name", x: (LEFT + right) / 2, y: H - 6, "text-anchor": "middle"}, `${s.x_label} →`))
    const name = drawn("text", {class: "name", x: 14, y: (top + base) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + base) / 2})`}, `${s.y_label} →`)
    parts.push(name)
    if (s.limit >= 0) parts.push(drawn("line", {class: "limit", x1: LEFT, x2: right, y1: up(s.limit), y2: up(s.limit)}))
    dots = []
    s.lines.forEach((line, l) => {
      const path = line.points.map(([x, y], n) => `${n ? "L" : "M"}${at(x).toFixed(1)},${up(y).toFixed(1)}`).join("")
      parts.push(drawn("path", {class: "way", d: path, stroke: line.colour, "stroke-dasharray": line.dash === "solid" ? "none" : "6 4"}))
      for (const [place, [x, y, point, text]] of line.points.entries()) {
        const node = drawn("circle", {class: "dot", id: `${id}-${l}-${point}`, role: "option", cx: at(x), cy: up(y), r: line.points.length > 40 ? 3 : 5, fill: line.colour, "aria-label": text})
        dots.push({x: at(x), y: up(y), line: l, point, place, node, text})
        parts.push(node)
      }
    })
    for (const [x, y, title, text, kept] of s.spots) {
      const group = drawn("g", {class: kept ? "spot kept" : "spot", "aria-hidden": "true"})
      const left = at(x) > (LEFT + right) / 2
      group.append(drawn("title", {}, text), drawn("circle", {cx: at(x), cy: up(y), r: 9}),
        drawn("text", {class: "halo", x: at(x) + (left ? -14 : 14), y: up(y) + (up(y) < top + 20 ? 16 : -6), "text-anchor": left ? "end" : "start"}, title))
      parts.push(group)
    }
    svg.replaceChildren(...parts)
    const dot = find(active)
    if (dot && root.matches(":focus-within, :hover")) mark(dot, !tip.hidden)
    else mark(null)
  }
  const nearest = (event) => {
    const box = svg.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    let best = null
    let least = NEAR ** 2
    for (const d of dots) {
      const far = (d.x - x) ** 2 + (d.y - y) ** 2
      if (far < least) { best = d; least = far }
    }
    return best
  }
  svg.addEventListener("pointermove", (event) => { const dot = nearest(event); mark(dot); svg.style.cursor = dot ? "pointer" : "" })
  svg.addEventListener("pointerleave", () => mark(null))
  svg.addEventListener("click", (event) => go(nearest(event)))
  svg.addEventListener("focus", () => { if (dots.length && svg.matches(":focus-visible")) mark(find(active) ?? dots[0]) })
  svg.addEventListener("blur", () => mark(null))
  svg.addEventListener("keydown", (event) => {
    const dot = find(active) ?? dots[0]
    if (!dot) return
    const line = dots.filter((d) => d.line === dot.line)
    const here = line.indexOf(dot)
    const others = [...new Set(dots.map((d) => d.line))]
    const other = (step) => {
      const which = others[(others.indexOf(dot.line) + step + others.length) % others.length]
      const there = dots.filter((d) => d.line === which)
      return there.find((d) => d.point === dot.point) ?? there[Math.min(here, there.length - 1)]
    }
    const steps = {
      ArrowRight: () => line[Math.min(here + 1, line.length - 1)], ArrowLeft: () => line[Math.max(here - 1, 0)],
      PageUp: () => line[Math.min(here + 10, line.length - 1)], PageDown: () => line[Math.max(here - 10, 0)],
      Home: () => line[0], End: () => line.at(-1), ArrowUp: () => other(1), ArrowDown: () => other(-1),
    }
    if (event.key === "Enter" || event.key === " ") go(dot)
    else if (event.key === "Escape") mark(null)
    else if (steps[event.key]) mark(steps[event.key]())
    else return
    event.preventDefault()
  })
  const watcher = new ResizeObserver(draw)
  watcher.observe(root)
  for (const p of ["scene", "label"]) model.on(p, draw)
  model.on("remove", () => watcher.disconnect())
  draw()
  return root
}
