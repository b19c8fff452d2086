const EDGE = {left: 74, right: 14, top: 8, bottom: 48}
const AIR = 1.02 // above the highest height, as in all plots

export function render({ model }) {
  const send = makeFlow(model, () => { heights = model.value ? [...model.value] : heights; draw() })
  const ask = element("p", {className: "ask"})
  const svg = drawn("svg", {role: "img"})
  const hands = element("div", {className: "hands"}) // a slider for each place, for the keyboard
  const plot = element("div", {className: "sketch-plot"}, svg, hands)
  const legend = element("p", {className: "sketch-legend"})
  const again = element("button", {type: "button", className: "quiet", textContent: "Draw it again"})
  const root = element("div", {className: "sketch-box"}, ask, plot, legend, again)
  let heights = model.value ? [...model.value] : model.places.map(() => null)
  let drawing = null // the last place and height under the pointer
  const written = (y) => (model.share ? `${Math.round(100 * y)}\u202f%` : String(Number(y.toPrecision(3))))
  const width = () => svg.clientWidth || 300
  const tall = () => svg.clientHeight || 250
  const x = (place) => EDGE.left + (width() - EDGE.left - EDGE.right) * (place - model.x_span[0]) / (model.x_span[1] - model.x_span[0] || 1)
  const y = (height) => tall() - EDGE.bottom - (tall() - EDGE.top - EDGE.bottom) * (height - model.y_start) / (AIR * (model.y_end - model.y_start) || 1)
  const line = (ys) => ys.map((h, i) => (h === null ? null : `${x(model.places[i]).toFixed(1)},${y(h).toFixed(1)}`)).filter(Boolean).join(" ")

  const draw = () => {
    writeTerms(ask, model.label)
    const done = model.truth !== null
    svg.setAttribute("viewBox", `0 0 ${width()} ${tall()}`)
    svg.setAttribute("aria-label", `${model.y_label}, by ${model.x_label}`)
    const parts = []
    for (const h of model.y_ticks) {
      parts.push(drawn("line", {class: "grid", x1: EDGE.left, x2: width() - EDGE.right, y1: y(h), y2: y(h)}),
        drawn("text", {x: EDGE.left - 7, y: y(h) + 5, "text-anchor": "end"}, written(h)))
    }
    for (const place of model.x_ticks) {
      parts.push(drawn("line", {class: "tick", x1: x(place), x2: x(place), y1: y(model.y_start), y2: y(model.y_start) + 5}),
        drawn("text", {x: x(place), y: tall() - EDGE.bottom + 20, "text-anchor": "middle"}, String(place).replace("-", "\u2212")))
    }
    const middle = EDGE.top + (tall() - EDGE.top - EDGE.bottom) / 2
    parts.push(drawn("text", {class: "x-name", x: (EDGE.left + width() - EDGE.right) / 2, y: tall() - 7, "text-anchor": "middle"}, model.x_label),
      drawn("text", {class: "y-name", x: 0, y: 0, "text-anchor": "middle", transform: `translate(17 ${middle}) rotate(-90)`}, model.y_label))
    if (!done) for (const place of model.places) parts.push(drawn("circle", {class: "place-dot", cx: x(place), cy: y(model.y_start), r: 3}))
    const filled = heights.some((h) => h !== null)
    if (filled) {
      parts.push(drawn("polyline", {class: "yours", points: line(heights)}))
      heights.forEach((h, i) => { if (h !== null) parts.push(drawn("circle", {class: "yours-dot", cx: x(model.places[i]), cy: y(h), r: 5, "data-place": i})) })
    } else if (!done) {
      parts.push(drawn("text", {class: "invite", x: (EDGE.left + width() - EDGE.right) / 2, y: middle, "text-anchor": "middle"}, "Draw your curve here"))
    }
    if (done) {
      parts.push(drawn("polyline", {class: "true-line", points: line(model.truth), pathLength: 1}))
      model.truth.forEach((h, i) => parts.push(drawn("circle", {class: "true-dot", cx: x(model.places[i]), cy: y(h), r: 5})))
    }
    svg.replaceChildren(...parts)
    legend.replaceChildren(...(done ? [element("span", {className: "key-true", textContent: "what comes out"}), ...(filled ? [element("span", {className: "key-yours", textContent: "what you drew"})] : [])] : []))
    plot.classList.toggle("done", done)
    again.hidden = done || !filled
    hands.hidden = done
    for (const [i, hand] of [...hands.children].entries()) {
      const h = heights[i] ?? (model.y_start + model.y_end) / 2
      if (hand !== hand.getRootNode().activeElement) hand.value = h
      hand.setAttribute("aria-valuetext", heights[i] === null ? "nothing yet" : written(heights[i]))
      hand.style.left = `${x(model.places[i]) - 12}px`
    }
  }
  const build = () => {
    heights = model.value ? [...model.value] : model.places.map(() => null)
    hands.replaceChildren(...model.places.map((place, i) => {
      const hand = element("input", {type: "range", min: model.y_start, max: model.y_end, step: (model.y_end - model.y_start) / 50})
      hand.setAttribute("aria-label", `${model.y_label} at ${place}`)
      hand.addEventListener("input", () => { heights[i] = Number(hand.value); draw(); lift(i); finish() })
      hand.addEventListener("focus", () => lift(i))
      hand.addEventListener("blur", () => lift(-1))
      return hand
    }))
    draw()
  }
  const lift = (i) => { for (const dot of svg.querySelectorAll(".yours-dot")) dot.classList.toggle("held", Number(dot.dataset.place) === i) }
  // What was not drawn continues what was, so that a short stroke is an answer too.
  const finish = () => {
    const known = heights.map((h, i) => [h, i]).filter(([h]) => h !== null)
    if (!known.length) return
    const whole = heights.map((h, i) => {
      if (h !== null) return h
      const left = known.filter(([, k]) => k < i).at(-1)
      const right = known.find(([, k]) => k > i)
      if (left && right) return left[0] + (right[0] - left[0]) * (i - left[1]) / (right[1] - left[1])
      return (left ?? right)[0]
    })
    heights = whole
    draw()
    send("value", {value: whole})
  }
  const spot = (e) => {
    const box = svg.getBoundingClientRect()
    const px = (e.clientX - box.left) * width() / box.width
    const py = (e.clientY - box.top) * tall() / box.height
    const h = model.y_start + AIR * (model.y_end - model.y_start) * (tall() - EDGE.bottom - py) / (tall() - EDGE.top - EDGE.bottom)
    return {px, h: Math.min(Math.max(h, model.y_start), model.y_end)}
  }
  const stroke = (e) => {
    const now = spot(e)
    const from = drawing ?? now
    const [low, high] = [Math.min(from.px, now.px), Math.max(from.px, now.px)]
    const nearest = model.places.reduce((best, p, i) => (Math.abs(x(p) - now.px) < Math.abs(x(model.places[best]) - now.px) ? i : best), 0)
    model.places.forEach((p, i) => {
      const at = x(p)
      if (at >= low && at <= high && high > low) heights[i] = from.h + (now.h - from.h) * (at - from.px) / (now.px - from.px)
    })
    if (Math.abs(x(model.places[nearest]) - now.px) < 14) heights[nearest] = now.h
    drawing = now
    draw()
  }
  svg.addEventListener("pointerdown", (e) => {
    if (model.truth !== null) return
    svg.setPointerCapture(e.pointerId)
    drawing = null
    stroke(e)
    e.preventDefault()
  })
  svg.addEventListener("pointermove", (e) => { if (drawing) stroke(e) })
  for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, () => { if (drawing) { drawing = null; finish() } })
  again.addEventListener("click", () => { heights = model.places.map(() => null); draw() })
  const watcher = new ResizeObserver(draw)
  watcher.observe(plot)
  for (const p of ["places", "label", "x_label", "y_label", "x_span", "x_ticks", "y_start", "y_end", "y_ticks"]) model.on(p, build)
  model.on("truth", draw)
  model.on("value", () => { if (send.resting() && model.value) { heights = [...model.value]; draw() } })
  model.on("remove", () => watcher.disconnect())
  build()
  return root
}
