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

// A drawing of what the server says in one text. `draw(scene, width, height, {svg, root})` gives its parts; it is asked
// anew when the scene or the room has changed.
function makeScene(model, draw) {
  const svg = drawn("svg", {role: "img"})
  const words = element("p", {className: "unseen", id: `scene-${model.plot_id}`})
  const root = element("div", {className: "scene"}, svg, words)
  svg.setAttribute("aria-describedby", words.id)
  root.style.setProperty("--tall", `${model.tall}px`)
  const show = () => {
    const [width, height] = [svg.clientWidth, svg.clientHeight]
    svg.setAttribute("aria-label", model.label)
    words.textContent = model.summary_text
    if (!width) { svg.replaceChildren(); return }
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    svg.replaceChildren(...draw(JSON.parse(model.drawn), width, height, {svg, root}))
  }
  const watcher = new ResizeObserver(show)
  watcher.observe(root)
  drawOn(model, ["drawn", "summary_text", "label"], show)
  model.on("remove", () => watcher.disconnect())
  show()
  return root
}
