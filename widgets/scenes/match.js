const BELOW = 46 // pixels for the numbers and the name of the lower axis
const TOP = 8
const DOT = 5

export function render({ model }) {
  return makeScene(model, (s, W, H, {svg}) => {
    if (!s.dots?.x.length) return []
    const font = `14px ${getComputedStyle(svg).fontFamily}`
    const base = H - BELOW
    const upwards = roundSteps(...s.y_range, Math.max(2, Math.floor((base - TOP) / 45)))
    const left = 34 + Math.max(...upwards.map((tick) => textWidth(writeNumber(tick, upwards), font)))
    const right = W - 12
    const across = roundSteps(...s.x_range, Math.max(2, Math.floor((right - left) / 50)))
    const share = (value, [low, high]) => (value - low) / (high - low)
    const at = (x) => left + (right - left) * share(x, s.x_range)
    const up = (y) => base - (base - TOP) * share(y, s.y_range)
    const cloud = ({x, y, counts}, opacity) => s.colours.flatMap((colour, kind) => {
      const places = x.flatMap((one, i) => (counts[i] === kind ? [[at(one), up(y[i])]] : []))
      return dots(places, {colour, size: DOT, opacity})
    })
    const [first, last] = s.x_range
    return [
      ...upwards.map((tick) => drawn("line", {class: "grid", x1: left, x2: right, y1: up(tick), y2: up(tick)})),
      ...upwards.map((tick) => drawn("text", {x: left - 7, y: up(tick) + 5, "text-anchor": "end"}, writeNumber(tick, upwards))),
      drawn("line", {class: "axis", x1: left, x2: right, y1: base, y2: base}),
      ...across.map((tick) => drawn("text", {x: at(tick), y: base + 19, "text-anchor": "middle"}, writeNumber(tick, across))),
      drawn("text", {x: (left + right) / 2, y: H - 6, "text-anchor": "middle"}, s.x_label),
      drawn("text", {transform: `translate(14,${(TOP + base) / 2}) rotate(-90)`, "text-anchor": "middle"}, s.y_label),
      drawn("line", {x1: at(first), y1: up(first), x2: at(last), y2: up(last), stroke: s.diagonal, "stroke-width": 1.5, "stroke-dasharray": "2 4"}),
      ...(s.ghost ? cloud(s.ghost, 0.2) : []),
      ...cloud(s.dots, 0.6),
    ]
  })
}
