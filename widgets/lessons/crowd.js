const WIDE = 1000
const TALL = 520
const EDGE = {left: 136, right: 44, top: 64, bottom: 84}

const written = (value, p) => (p.share ? `${Math.round(100 * value)}\u202f%` : `${Number(value.toPrecision(3))}${p.unit ? `\u202f${p.unit}` : ""}`)
const many = (n, one, several) => `${n} ${n === 1 ? one : several}`

const percent = (n, of) => `${Math.round(100 * n / of)}\u202f%`

// One row for each answer; after a second round the first one's bar stands above the second one's.
function choices(p) {
  const most = Math.max(1, ...p.bars.map(([, , count]) => count), ...(p.before?.bars ?? []).map(([, , count]) => count))
  const bar = (count, of, className, name) => {
    const fill = element("i", {})
    fill.style.width = `${100 * count / most}%`
    return [element("span", {className: `bar-track ${className}`}, fill),
      element("b", {}, ...(name ? [element("small", {textContent: `${name} `})] : []), String(count), ...(of ? [element("small", {textContent: ` ${percent(count, of)}`})] : []))]
  }
  const list = element("ol", {className: "bars"}, ...p.bars.map(([value, text, count], i) => {
    const right = p.truth === value
    const first = p.before ? bar(p.before.bars[i][2], p.before.count, "before", "before") : []
    const row = element("li", {className: p.truth === undefined ? "" : right ? "right" : "wrong"},
      element("span", {className: "text", textContent: text}), ...first, ...bar(count, p.count, "", p.before ? "after" : ""))
    if (right) row.querySelector(".text").prepend(element("em", {textContent: "✓ "}))
    return row
  }))
  list.style.setProperty("--rows", p.bars.length * (p.before ? 2 : 1))
  return list
}

function frame(label) {
  const svg = drawn("svg", {viewBox: `0 0 ${WIDE} ${TALL}`, role: "img"})
  svg.setAttribute("aria-label", label)
  return svg
}
const inner = {wide: WIDE - EDGE.left - EDGE.right, tall: TALL - EDGE.top - EDGE.bottom}

function numbers(p) {
  const most = Math.max(4, 1.14 * Math.max(...p.bins, ...(p.before?.bins ?? []))) // air for the counts above the bars
  const x = (value) => EDGE.left + inner.wide * (value - p.start) / (p.end - p.start)
  const y = (count) => TALL - 56 - (TALL - 56 - EDGE.top) * count / most
  const told = p.bins.map((n, i) => (n ? `${n} near ${written(p.start + (i + 0.5) * p.wide, p)}` : "")).filter(Boolean).join(", ")
  const svg = frame(`Histogram: ${told || "no prediction yet"}${p.truth === undefined ? "" : `; it is ${written(p.truth, p)}`}`)
  p.before?.bins.forEach((n, i) => {
    const at = x(p.start + i * p.wide)
    if (n) svg.append(drawn("rect", {class: "bin-before", x: at + 1.5, y: y(n), width: Math.max(1, x(p.start + (i + 1) * p.wide) - at - 3), height: y(0) - y(n), rx: 3}))
  })
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
  svg.append(drawn("text", {class: "axis-name", x: EDGE.left + inner.wide / 2, y: TALL - 10, "text-anchor": "middle"}, p.x_label),
    drawn("text", {class: "axis-name", "text-anchor": "middle", transform: `translate(28 ${EDGE.top + inner.tall / 2 - 15}) rotate(-90)`}, p.y_label))
  for (const one of p.curves) svg.append(drawn("polyline", {class: "one", points: line(one)}))
  if (p.before?.middle) svg.append(drawn("polyline", {class: "middle before", points: line(p.before.middle)}))
  if (p.middle && (p.curves.length > 2 || p.before)) svg.append(drawn("polyline", {class: "middle", points: line(p.middle)}))
  if (p.truth !== undefined) {
    svg.append(drawn("polyline", {class: "truth-curve", points: line(p.truth), pathLength: 1}))
    p.truth.forEach((h, i) => svg.append(drawn("circle", {class: "truth-dot", cx: x(p.places[i]), cy: y(h), r: 8})))
  }
  return svg
}

// The mean place of an item, in the first round and now.
function moved(p, value) {
  const mean = (q) => {
    const counts = q.ranks.find(([one]) => one === value)[2]
    return q.count ? (counts.reduce((sum, n, k) => sum + n * (k + 1), 0) / q.count).toFixed(1) : "–"
  }
  return ` place ${mean(p.before)} before, ${mean(p)} after`
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
    element("th", {scope: "row"}, p.truth ? `${place + 1}. ${text}` : text, ...(p.before ? [element("small", {textContent: moved(p, value)})] : [])),
    ...counts.map((n, k) => {
      const cell = element("td", {textContent: n ? String(n) : "", className: p.truth?.[k] === value ? "right" : ""})
      cell.style.setProperty("--deep", `${Math.round(85 * n / most)}%`)
      if (n / most > 0.75) cell.classList.add("deep")
      return cell
    })))
  return element("table", {className: "places"}, element("thead", {}, head), element("tbody", {}, ...body))
}

const DRAW = {choice: choices, number: numbers, curve: curves, ranking}

const came = (p) => `${p.close} of ${p.count} (${percent(p.close, p.count)}) ${["number", "curve"].includes(p.kind) ? "came close" : p.count === 1 ? "was right" : "were right"}`

function resultOf(p) {
  if (p.truth === undefined) return p.count ? `${many(p.count, "prediction", "predictions")} so far` : "No prediction yet"
  const now = p.count ? came(p) : "Nobody predicted anything"
  return p.before?.count ? `Before the talk ${came(p.before)}, after it ${now}` : now
}

export function render({ model }) {
  const send = makeFlow(model)
  const ask = element("h2")
  const result = element("p", {className: "result", role: "status"})
  const place = element("div", {className: "picture"})
  const key = element("p", {className: "key"})
  const button = (act, className = "quiet") => {
    const made = element("button", {type: "button", className})
    made.addEventListener("click", () => { const kind = act(); send(kind, {kind}) })
    return made
  }
  const open = button(() => (model.opened ? "cover" : "open"), "quiet strong")
  const again = button(() => "again")
  again.textContent = "Ask again"
  again.title = "After a talk: everybody answers once more, and both rounds are shown side by side"
  const live = element("input", {type: "checkbox"})
  live.addEventListener("change", () => { const kind = live.checked ? "live" : "hold"; send("live", {kind}) })
  const switched = element("label", {className: "live"}, live, "Show live")
  const acts = element("div", {className: "acts"}, switched, again, open)
  const root = element("section", {className: "crowd-card"}, element("div", {className: "ask-row"}, ask, acts), result, place, key)
  root.setAttribute("aria-label", "What the class predicts")
  const show = () => {
    const p = model.picture
    if (!p.kind) return
    const revealed = p.truth !== undefined
    root.classList.toggle("compact", model.compact)
    ask.textContent = p.ask
    result.textContent = resultOf(p) + (model.round > 1 && !revealed ? ", asked again" : "")
    const note = model.round > 1 ? "Covered until you open the answers. The first answers are kept." : "Covered until you open the answers, so that nobody follows the others."
    place.replaceChildren(p.covered ? element("p", {className: "hidden-note", textContent: note}) : DRAW[p.kind](p))
    scale()
    open.textContent = model.opened ? "Cover the answers" : "Open the answers"
    open.hidden = revealed || model.live
    again.hidden = !model.again
    live.checked = model.live
    switched.hidden = revealed
    const keys = []
    if (p.kind === "curve" && !p.covered && p.before) keys.push(["key-before", "the class's middle before"])
    if (p.kind === "number" && !p.covered && p.before) keys.push(["key-outline", "before the talk"])
    if (p.kind === "curve" && !p.covered && (p.curves.length > 2 || p.before)) keys.push(["key-middle", p.before ? "its middle after" : "the class's middle"])
    if (p.kind === "curve" && revealed) keys.push(["key-truth", "what comes out"])
    key.replaceChildren(...keys.map(([className, textContent]) => element("span", {className, textContent})))
  }
  // The picture is scaled to its place; its type is not to become smaller than it says.
  const scale = () => {
    const {clientWidth: wide, clientHeight: tall} = place.firstElementChild ?? place
    place.style.setProperty("--unit", Math.max(1, 1 / (Math.min(wide / WIDE, tall / TALL) || 1)))
  }
  const watcher = new ResizeObserver(scale)
  watcher.observe(place)
  model.on("remove", () => watcher.disconnect())
  drawOn(model, ["picture", "compact", "opened", "live", "again", "round"], show)
  show()
  return root
}
