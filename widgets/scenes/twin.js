const TOP = 26 // pixels for the title of a cloud
const BELOW = 42 // and for two lines of text
const EDGE = 22 // and for one that stands upright
const DOT = 4.5
const LARGE = 11
const NEAR = 12 // pixels within which a point is clicked
const TOGETHER = 2.5 // pixels between points that cannot be told apart

export function render({ model }) {
  const send = makeFlow(model)
  let left = [] // the places of the left points on the screen

  const draw = (s, W, H, {root}) => {
    root.classList.toggle("taps", model.taps)
    if (!s.sides) return []
    const gap = Math.max(26, 0.11 * W)
    const [wide, tall] = [(W - gap) / 2 - EDGE, H - TOP - BELOW]
    const starts = [EDGE, W - EDGE - wide]
    const spot = (side, x, y) => [starts[side] + wide * x, TOP + tall * (1 - y)]
    const line = ([[x1, y1], [x2, y2]], colour, width, dash) => drawn("line", {
      x1, y1, x2, y2, stroke: colour, "stroke-width": width, "stroke-opacity": 0.85, ...(dash === "solid" ? {} : {"stroke-dasharray": "6 4"}),
    })
    const texts = ({title, across, upwards}, side) => {
      const middle = starts[side] + wide / 2
      const [outer, turn] = side ? [W - 12, 90] : [14, -90] // on the outer side, where no line runs
      return [
        drawn("text", {class: "strong", x: middle, y: TOP - 9, "text-anchor": "middle"}, title),
        ...across.map((text, n) => drawn("text", {x: middle, y: TOP + tall + 18 + 18 * n, "text-anchor": "middle"}, text)),
        drawn("text", {transform: `translate(${outer},${TOP + tall / 2}) rotate(${turn})`, "text-anchor": "middle"}, upwards),
      ]
    }
    const arrow = ([x1, y1, x2, y2, colour, dashed], side) => {
      const [[a, b], [c, d]] = [spot(side, x1, y1), spot(side, x2, y2)]
      const turn = Math.atan2(d - b, c - a) * 180 / Math.PI
      return [
        line([[a, b], [c, d]], colour, 2.6, dashed ? "dashed" : "solid"),
        drawn("path", {d: "M2,0L-9,-5L-6,0L-9,5Z", fill: colour, transform: `translate(${c},${d}) rotate(${turn})`}),
      ]
    }
    const places = s.sides.map(({x, y}, side) => x.map((one, i) => spot(side, one, y[i])))
    left = places[0]
    const cloud = ({palette, colour, marked, arrows}, side) => {
      const large = new Set(marked.map(([i]) => i))
      return [
        ...palette.flatMap((one, number) => dots(places[side].filter((_, i) => colour[i] === number && !large.has(i)), {colour: one, size: DOT, opacity: 0.55})),
        ...marked.map(([i, one]) => drawn("circle", {class: "marked", "data-point": i, cx: places[side][i][0], cy: places[side][i][1], r: LARGE / 2, fill: one})),
        ...arrows.flatMap((one) => arrow(one, side)),
      ]
    }
    const ring = ([x, y]) => `M${x - 3},${y}a3,3 0 1 0 6,0a3,3 0 1 0 -6,0`
    return [
      ...starts.map((x) => drawn("rect", {x, y: TOP, width: wide, height: tall, fill: "none", stroke: s.frame, "stroke-opacity": 0.45})),
      ...s.lines.map(({ends, colour, dash, width}) => line(ends.map((e) => spot(e.side, e.x, e.y)), colour, width, dash)),
      ...(s.ghost ? [drawn("path", {class: "ghost", d: s.ghost.x.map((x, i) => ring(spot(1, x, s.ghost.y[i]))).join(""), fill: "none", stroke: s.frame, "stroke-opacity": 0.4})] : []),
      ...s.sides.flatMap(cloud),
      ...s.sides.flatMap(texts),
    ]
  }
  const root = makeScene(model, draw)
  // The nearest point, and all that cannot be told from it.
  if (model.taps) root.firstChild.addEventListener("click", (event) => {
    const box = root.firstChild.getBoundingClientRect()
    const zoom = box.width / root.firstChild.clientWidth // places on the screen are zoomed while presenting
    const [x, y] = [(event.clientX - box.x) / zoom, (event.clientY - box.y) / zoom]
    const away = left.map(([a, b]) => Math.hypot(a - x, b - y))
    const nearest = Math.min(...away)
    if (nearest <= NEAR) send("hit", {hit: away.flatMap((d, i) => (d <= nearest + TOGETHER ? [i] : []))})
  })
  return root
}
