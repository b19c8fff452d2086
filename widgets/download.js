const AIR = 20 // pixels around a picture
const HEAD = 34 // pixels for its title

// What holds the plot: a Bokeh figure's view, or an element that carries the plot's id, in whatever shadow it stands.
function findFigure(id) {
  return plotViews().find((view) => view.model.id === id) ?? null
}
function findElement(id, within = document) {
  const direct = within.querySelector(`[data-plot="${CSS.escape(id)}"]`)
  if (direct) return direct
  for (const node of within.querySelectorAll("*")) {
    const found = node.shadowRoot && findElement(id, node.shadowRoot)
    if (found) return found
  }
  return null
}

// A drawing that looks the same without our style sheets: what they say is written into each element.
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "paint-order"]
function fromSvg(svg) {
  const box = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true)
  const nodes = [...copy.querySelectorAll("*")]
  ;[...svg.querySelectorAll("*")].forEach((original, i) => {
    const style = getComputedStyle(original)
    for (const name of KEPT) nodes[i].style.setProperty(name, style.getPropertyValue(name))
    nodes[i].removeAttribute("class")
  })
  return {nodes: [...copy.children], width: box.width, height: box.height}
}

// HTML as a drawing: surfaces, edges and texts where they stand, and all of what scrolls.
function fromHtml(root) {
  const scrolled = [root, ...root.querySelectorAll("*")].filter((node) => node.scrollHeight > node.clientHeight + 1 && getComputedStyle(node).overflowY === "auto")
  for (const node of scrolled) node.style.maxHeight = "none"
  try { return drawnHtml(root) } finally { for (const node of scrolled) node.style.maxHeight = "" }
}
function drawnHtml(root) {
  const frame = root.getBoundingClientRect()
  const nodes = []
  const seen = (style) => style.visibility !== "hidden" && style.display !== "none" && style.clipPath === "none"
  const visit = (element) => {
    const style = getComputedStyle(element)
    if (!seen(style)) return
    const box = element.getBoundingClientRect()
    const place = {x: box.x - frame.x, y: box.y - frame.y, width: box.width, height: box.height}
    const round = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.width / 2, box.height / 2)
    if (style.borderTopLeftRadius.endsWith("%")) place.rx = Math.min(box.width, box.height) / 2
    else if (round) place.rx = round
    const clear = (colour) => colour === "transparent" || /^rgba\(.*, 0\)$/.test(colour) || colour.endsWith("/ 0)")
    if (box.width && box.height && !clear(style.backgroundColor)) nodes.push(drawn("rect", {...place, fill: style.backgroundColor, opacity: style.opacity}))
    const ring = style.boxShadow.match(/^(.*\)) 0px 0px 0px ([\d.]+)px inset$/)
    if (ring) {
      const w = parseFloat(ring[2])
      nodes.push(drawn("rect", {...place, x: place.x + w / 2, y: place.y + w / 2, width: place.width - w, height: place.height - w, fill: "none", stroke: ring[1], "stroke-width": w}))
    }
    if (parseFloat(style.borderLeftWidth) && style.borderLeftStyle === "dashed") {
      nodes.push(drawn("line", {x1: place.x + 1, x2: place.x + 1, y1: place.y, y2: place.y + box.height, stroke: style.borderLeftColor, "stroke-width": style.borderLeftWidth, "stroke-dasharray": "5 4"}))
    }
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) visit(child)
      else if (child.nodeType === Node.TEXT_NODE && child.textContent.trim()) {
        const range = document.createRange()
        range.selectNodeContents(child)
        const spot = range.getBoundingClientRect()
        const size = parseFloat(style.fontSize)
        nodes.push(drawn("text", {x: spot.x - frame.x, y: spot.y - frame.y + spot.height / 2 + 0.35 * size,
          "font-family": style.fontFamily, "font-size": size, "font-weight": style.fontWeight, fill: style.color}, child.textContent.trim()))
      }
    }
  }
  visit(root)
  return {nodes, width: frame.width, height: frame.height}
}

// Figures as they stand beside or below one another on the page.
function fromFigures(views) {
  const places = views.map((view) => view.el.getBoundingClientRect())
  const [left, top] = [Math.min(...places.map((p) => p.left)), Math.min(...places.map((p) => p.top))]
  const nodes = views.map((view, i) => {
    const layer = view.export("svg", false)
    const drawing = new DOMParser().parseFromString(layer.ctx.get_serialized_svg(true), "image/svg+xml").documentElement
    const moved = drawn("svg", {x: places[i].left - left, y: places[i].top - top, width: view.bbox.width, height: view.bbox.height, overflow: "visible"})
    moved.append(...[...drawing.children].map((node) => document.importNode(node, true)))
    return moved
  })
  const ends = (side, start) => Math.max(...places.map((p) => p[side])) - start
  return {nodes, width: ends("right", left), height: ends("bottom", top), legend: views.flatMap((view) => legendOf(view.model))}
}

// Which line is which: on the page the card says so beside the plot; a picture must say it by itself.
function legendOf(figure) {
  const found = new Map()
  for (const {glyph, data_source: source} of figure.renderers) {
    const [names, colours] = ["name", "colour"].map((column) => source?.get_column?.(column) ?? [])
    const dashes = source?.get_column?.("dash") ?? []
    const faint = (glyph.line_alpha?.value ?? 1) < 1
    for (let i = 0; i < names.length; i++) {
      const text = `${names[i]}${faint ? " (kept)" : ""}`
      if (names[i] && !found.has(text)) found.set(text, {text, colour: colours[i], dash: dashes[i] ?? null, faint})
    }
  }
  return [...found.values()]
}
// What the card says beside the plot, and what of a kept scenario lies behind.
const SOLID = ["solid", "line"]
function joined(said, found) {
  if (!said.length) return found
  const told = said.map(([text, colour, mark]) => ({text, colour, dash: ["dot", "area", "block", "hollow", "striped"].includes(mark) ? null : mark, block: ["area", "block", "striped"].includes(mark), faint: false}))
  return [...told, ...found.filter((one) => one.faint)]
}
function drawLegend(entries, family, ink, width) {
  const pen = document.createElement("canvas").getContext("2d")
  pen.font = `14px ${family}`
  const nodes = []
  let [x, y] = [AIR, AIR + HEAD + 8]
  for (const {text, colour, dash, block, faint} of entries) {
    const wide = 30 + pen.measureText(text).width + 18
    if (x > AIR && x + wide > width - AIR) { x = AIR; y += 22 }
    const line = block
      ? drawn("rect", {x: x + 3, y: y - 11, width: 16, height: 12, fill: colour})
      : dash === null
      ? drawn("circle", {cx: x + 11, cy: y - 5, r: 5, fill: colour})
      : drawn("line", {x1: x, x2: x + 22, y1: y - 5, y2: y - 5, stroke: colour, "stroke-width": 3, "stroke-opacity": faint ? 0.4 : 1,
          ...(SOLID.includes(dash) ? {} : {"stroke-dasharray": dash === "dotted" ? "2 3" : "6 4"})})
    nodes.push(line, drawn("text", {x: x + 30, y, "font-family": family, "font-size": 14, fill: ink}, text))
    x += wide
  }
  return {nodes, height: entries.length ? y - AIR - HEAD + 8 : 0}
}

// The plot under its title on the surface of its card: a drawing that stands for itself.
function picture(model, root) {
  const views = model.figure_id.split(" ").map(findFigure).filter(Boolean)
  const found = views.length ? null : findElement(model.plot_id)
  if (!views.length && !found) return null
  const part = views.length ? fromFigures(views) : found instanceof SVGElement ? fromSvg(found) : fromHtml(found)
  const style = getComputedStyle(document.documentElement)
  const colour = (name, other) => style.getPropertyValue(name).trim() || other
  const family = getComputedStyle(root).fontFamily
  const ink = colour("--ts-text", "#172033")
  const width = Math.ceil(part.width + 2 * AIR)
  const legend = drawLegend(joined(model.legend, part.legend ?? []), family, ink, width)
  const top = AIR + HEAD + legend.height
  const height = Math.ceil(top + part.height + AIR)
  const svg = drawn("svg", {xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`})
  const inner = drawn("svg", {x: AIR, y: top, width: part.width, height: part.height, overflow: "visible"})
  inner.append(...part.nodes.map((node) => document.importNode(node, true)))
  svg.append(
    drawn("title", {}, model.title),
    drawn("rect", {width, height, fill: colour("--ts-card", "#ffffff")}),
    drawn("text", {x: AIR, y: AIR + 18, "font-family": family, "font-size": 20, "font-weight": 700, fill: ink}, model.title),
    ...legend.nodes,
    inner,
  )
  return {text: new XMLSerializer().serializeToString(svg), width, height}
}

async function asPng({text, width, height}, scale = 2) {
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}))
  await image.decode()
  const canvas = element("canvas", {width: scale * width, height: scale * height})
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(image.src)
  return await new Promise((done) => canvas.toBlob(done, "image/png"))
}

function save(blob, name) {
  const link = element("a", {href: URL.createObjectURL(blob), download: name})
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export function render({ model }) {
  const send = makeFlow(model)
  const root = element("div", {className: "download-row", role: "group"})
  const name = (ending) => `${model.file}.${ending}`
  const ways = {
    SVG: () => { const made = picture(model, root); if (made) save(new Blob([made.text], {type: "image/svg+xml"}), name("svg")) },
    PNG: async () => { const made = picture(model, root); if (made) save(await asPng(made), name("png")) },
    CSV: () => send("table", {what: "table"}),
  }
  const build = () => {
    root.setAttribute("aria-label", `Download ${model.title}`)
    root.replaceChildren(...Object.entries(ways).filter(([kind]) => kind === "CSV" || model.figure_id || model.plot_id).map(([kind, act]) => {
      const button = element("button", {type: "button", title: `Download ${model.title} as ${kind}`},
        element("span", {textContent: kind}), element("span", {className: "unseen", textContent: ` of ${model.title}`}))
      button.addEventListener("click", act)
      return button
    }))
  }
  model.on("msg:custom", (data) => save(new Blob([data.csv], {type: "text/csv;charset=utf-8"}), name("csv")))
  for (const p of ["title", "file", "figure_id", "plot_id"]) model.on(p, build)
  build()
  return root
}
