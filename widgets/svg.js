const SVG = "http://www.w3.org/2000/svg"

// An element of a drawing.
function drawn(tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  if (text !== null) node.textContent = text
  return node
}

// How wide a text is, in a font such as "14px Arial".
function textWidth(text, font) {
  textWidth.pen ??= document.createElement("canvas").getContext("2d")
  textWidth.pen.font = font
  return textWidth.pen.measureText(text).width
}

// Round numbers from low to high, as many as have room; at least two, as one alone is no scale.
function roundSteps(low, high, most) {
  const raw = (high - low) / Math.max(most, 1)
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5, 10].find((s) => s * power >= raw * 0.999) ?? 10)
  const found = []
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) found.push(Number((n * step).toPrecision(12)))
  return found.length < 2 && most < 16 ? roundSteps(low, high, 2 * most) : found
}

// Dots of one colour, as a few lines without length that have round ends: an element for each dot would be slow. Dots
// that lie on one another are in different lines as a rule, so that many are darker than one, as single dots would be.
function dots(places, {colour, size, opacity}) {
  const lines = Array.from({length: Math.min(12, places.length)}, () => [])
  places.forEach(([x, y], i) => lines[i % lines.length].push(`M${x.toFixed(1)},${y.toFixed(1)}h0`))
  return lines.map((line) => drawn("path", {
    class: "dots", d: line.join(""), fill: "none", stroke: colour, "stroke-width": size, "stroke-linecap": "round", "stroke-opacity": opacity,
  }))
}

const MOVEMENT = 300 // milliseconds in which something arrives

// A drawing of what the server says in one text. `draw(scene, width, height, {svg, root})` gives its parts; it is asked
// anew when the scene or the room has changed. `between(before, after, share)` gives the scene on the way from one to
// the next where that is worth a movement, and null where it is not: then the next one is there at once.
function makeScene(model, draw, between = () => null) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)")
  let from = null
  let to = null
  let began = 0
  let frame = 0
  let room = [0, 0] // measured when it changes: to measure with each step would have the browser lay out the page at once
  const svg = drawn("svg", {role: "img"})
  const words = element("p", {className: "unseen", id: `scene-${model.plot_id}`})
  const root = element("div", {className: "scene"}, svg, words)
  svg.setAttribute("aria-describedby", words.id)
  root.style.setProperty("--tall", `${model.tall}px`)
  const paint = (now) => {
    const share = Math.min((now - began) / MOVEMENT, 1)
    const moving = from && share < 1 && !calm.matches ? between(from, to, share * (2 - share)) : null
    const [width, height] = room
    frame = moving && width ? requestAnimationFrame(paint) : 0
    root.toggleAttribute("data-moving", frame !== 0)
    if (!width) { svg.replaceChildren(); return }
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    svg.replaceChildren(...draw(moving ?? to, width, height, {svg, root}))
  }
  const show = () => {
    svg.setAttribute("aria-label", model.label)
    words.textContent = model.summary_text
    const moves = frame !== 0 // then what is new is where the movement ends
    cancelAnimationFrame(frame)
    if (!moves) { from = to; began = performance.now() }
    to = JSON.parse(model.drawn)
    paint(performance.now())
  }
  const watcher = new ResizeObserver(() => { room = [svg.clientWidth, svg.clientHeight]; show() })
  watcher.observe(root)
  drawOn(model, ["drawn", "summary_text", "label"], show)
  model.on("remove", () => { watcher.disconnect(); cancelAnimationFrame(frame) })
  show()
  return root
}
