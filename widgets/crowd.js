const WIDE = 1000
const TALL = 520
const EDGE = {left: 136, right: 44, top: 64, bottom: 84}

const written = (value, p) => (p.share ? `${Math.round(100 * value)}\u202f%` : `${Number(value.toPrecision(3))}${p.unit ? `\u202f${p.unit}` : ""}`)
const many = (n, one, several) => `${n} ${n === 1 ? one : several}`

// One row for each answer.
function choices(p) {
  const most = Math.max(1, ...p.bars.map(([, , count]) => count))
  const list = element("ol", {className: "bars"}, ...p.bars.map(([value, text, count]) => {
    const right = p.truth === value
    const fill = element("i", {})
    fill.style.width = `${100 * count / most}%`
    const row = element("li", {className: p.truth === undefined ? "" : right ? "right" : "wrong"},
      element("span", {className: "text", textContent: text}),
      element("span", {className: "bar-track"}, fill), element("b", {textContent: String(count)}))
    if (right) row.querySelector(".text").prepend(element("em", {textContent: "✓ "}))
    return row
  }))
  list.style.setProperty("--rows", p.bars.length)
  return list
}

function frame(label) {
  const svg = drawn("svg", {viewBox: `0 0 ${WIDE} ${TALL}`, role: "img"})
  svg.setAttribute("aria-label", label)
  return svg
}
const inner = {wide: WIDE - EDGE.left - EDGE.right, tall: TALL - EDGE.top - EDGE.bottom}

function numbers(p) {
  const most = Math.max(4, 1.14 * Math.max(...p.bins)) // air for the counts above the bars
  const x = (value) => EDGE.left + inner.wide * (value - p.start) / (p.end - p.start)
  const y = (count) => TALL - 56 - (TALL - 56 - EDGE.top) * count / most
  const told = p.bins.map((n, i) => (n ? `${n} near ${written(p.start + (i + 0.5) * p.wide, p)}` : "")).filter(Boolean).join(", ")
  const svg = frame(`Histogram: ${told || "no prediction yet"}${p.truth === undefined ? "" : `; it is ${written(p.truth, p)}`}`)
  p.bins.forEach((n, i) => {
    const at = x(p.start + i * p.wide)
    const width = x(p.start + (i + 1) * p.wide) - at
    svg.append(drawn("rect", {class: "bin", x: at + 1.5, y: y(n), width: Math.max(1, width - 3), height: y(0) - y(n), rx: 3}))
    if (n) svg.append(drawn("text", {class: "number", x: at + width / 2, y: y(n) - 8, "text-anchor": "middle"}, String(n)))
  })
  svg.append(drawn("line", {class: "axis", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(0), y2: y(0)}))
  for (let k = 0; k <= 5; k++) {
    const value = p.start + (p.end - p.start) * k / 5
    svg.append(drawn("text", {x: x(value), y: y(0) + 36, "text-anchor": "middle"}, written(value, p)))
  }
  if (p.truth !== undefined) {
    const at = x(p.truth)
    const anchor = at < 220 ? "start" : at > WIDE - 220 ? "end" : "middle"
    svg.append(drawn("line", {class: "truth-line", x1: at, x2: at, y1: EDGE.top - 12, y2: y(0)}),
      drawn("text", {class: "truth-text", x: at, y: EDGE.top - 24, "text-anchor": anchor}, `it is ${written(p.truth, p)}`))
  }
  return svg
}

function curves(p) {
  const [low, high] = p.x_span
  const x = (place) => EDGE.left + 24 + (inner.wide - 48) * (place - low) / (high - low || 1)
  const y = (height) => TALL - EDGE.bottom - (inner.tall + 30) * (height - p.y_start) / (p.y_end - p.y_start || 1)
  const line = (heights) => heights.map((h, i) => `${x(p.places[i]).toFixed(1)},${y(h).toFixed(1)}`).join(" ")
  const svg = frame(`${many(p.curves.length, "curve", "curves")} of ${p.y_label} by ${p.x_label}${p.truth === undefined ? "" : "; the truth is drawn over them"}`)
  for (const h of p.y_ticks) {
    svg.append(drawn("line", {class: "grid-line", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(h), y2: y(h)}),
      drawn("text", {x: EDGE.left - 12, y: y(h) + 8, "text-anchor": "end"}, written(h, p)))
  }
  for (const place of p.x_ticks) svg.append(drawn("text", {x: x(place), y: TALL - EDGE.bottom + 34, "text-anchor": "middle"}, String(place).replace("-", "\u2212")))
  svg.append(drawn("text", {x: EDGE.left + inner.wide / 2, y: TALL - 10, "text-anchor": "middle"}, p.x_label),
    drawn("text", {"text-anchor": "middle", transform: `translate(28 ${EDGE.top + inner.tall / 2 - 15}) rotate(-90)`}, p.y_label))
  for (const one of p.curves) svg.append(drawn("polyline", {class: "one", points: line(one)}))
  if (p.middle && p.curves.length > 2) svg.append(drawn("polyline", {class: "middle", points: line(p.middle)}))
  if (p.truth !== undefined) {
    svg.append(drawn("polyline", {class: "truth-curve", points: line(p.truth), pathLength: 1}))
    p.truth.forEach((h, i) => svg.append(drawn("circle", {class: "truth-dot", cx: x(p.places[i]), cy: y(h), r: 8})))
  }
  return svg
}

// How often each item was put at each place: the darker, the more often.
function ranking(p) {
  const places = p.ranks.length
  const order = p.truth ?? p.ranks.map(([value]) => value)
  const rows = [...p.ranks].sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]))
  const head = element("tr", {}, element("th", {textContent: p.truth ? "as it is" : "as the class puts them"}),
    ...Array.from({length: places}, (_, k) => element("th", {scope: "col", textContent: k === 0 ? `1: ${p.first}` : k === places - 1 ? `${k + 1}: ${p.last}` : String(k + 1)})))
  const most = Math.max(1, ...p.ranks.flatMap(([, , counts]) => counts))
  const body = rows.map(([value, text, counts], place) => element("tr", {},
    element("th", {scope: "row", textContent: p.truth ? `${place + 1}. ${text}` : text}),
    ...counts.map((n, k) => {
      const cell = element("td", {textContent: n ? String(n) : "", className: p.truth?.[k] === value ? "right" : ""})
      cell.style.setProperty("--deep", `${Math.round(85 * n / most)}%`)
      if (n / most > 0.75) cell.classList.add("deep")
      return cell
    })))
  return element("table", {className: "places"}, element("thead", {}, head), element("tbody", {}, ...body))
}

const DRAW = {choice: choices, number: numbers, curve: curves, ranking}

export function render({ model }) {
  const ask = element("h2")
  const result = element("p", {className: "result", role: "status"})
  const place = element("div", {className: "picture"})
  const key = element("p", {className: "key"})
  const cover = element("button", {type: "button", className: "quiet"})
  const root = element("section", {className: "crowd-card"}, element("div", {className: "ask-row"}, ask, cover), result, place, key)
  root.setAttribute("aria-label", "What the class predicts")
  let covered = false
  cover.addEventListener("click", () => { covered = !covered; show() })
  const show = () => {
    const p = model.picture
    if (!p.kind) return
    const revealed = p.truth !== undefined
    const hidden = covered && !revealed
    ask.textContent = p.ask
    result.textContent = revealed
      ? p.count ? `${p.close} of ${many(p.count, "prediction", "predictions")} ${["number", "curve"].includes(p.kind) ? "came close" : "said so"}` : "Nobody predicted anything"
      : p.count ? `${many(p.count, "prediction", "predictions")} so far` : "No prediction yet"
    place.replaceChildren(hidden ? element("p", {className: "hidden-note", textContent: "Covered, so that nobody follows the others."}) : DRAW[p.kind](p))
    scale()
    cover.textContent = covered ? "Show what comes in" : "Cover what comes in"
    cover.hidden = revealed
    key.replaceChildren(...(p.kind === "curve" && p.curves.length > 2 && !hidden ? [element("span", {className: "key-middle", textContent: "the class's middle"})] : []),
      ...(p.kind === "curve" && revealed ? [element("span", {className: "key-truth", textContent: "what comes out"})] : []))
  }
  // The picture is scaled to its place; its type is not to become smaller than it says.
  const scale = () => {
    const {clientWidth: wide, clientHeight: tall} = place.firstElementChild ?? place
    place.style.setProperty("--unit", Math.max(1, 1 / (Math.min(wide / WIDE, tall / TALL) || 1)))
  }
  const watcher = new ResizeObserver(scale)
  watcher.observe(place)
  model.on("remove", () => watcher.disconnect())
  drawOn(model, ["picture"], show)
  show()
  return root
}
