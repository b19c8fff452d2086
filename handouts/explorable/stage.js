// What stands on a page that was recorded: parts are drawn by the scripts of the app, from values that were worked out
// beforehand. Used by explorables and by lessons in a file.

// A compressed JSON text that stands in an element of the page.
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Response(stream).json()
}

// What a script of a control takes for its model: properties, who is told of their changes, and who gets its messages.
class Model {
  #listeners = new Map()

  constructor(properties, {receive = () => {}, children = {}} = {}) {
    Object.assign(this, properties)
    this.ack = 0
    this.receive = receive
    this.children = children
  }
  on(names, act) {
    for (const name of [names].flat()) this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), act])
  }
  set(changes) {
    const changed = Object.entries(changes).filter(([name, value]) => this[name] !== value)
    for (const [name, value] of changed) this[name] = value
    for (const [name] of changed) for (const act of this.#listeners.get(name) ?? []) act()
  }
  send_msg(message) {
    this.receive(message)
    this.set({ack: message.n})
  }
  get_child(name) { return this.children[name] }
}

// An element with a world of its own, in which the style sheets of the app do not meet those of the page around it.
function place(styles, ...content) {
  const host = element("div")
  const shadow = host.attachShadow({mode: "open"})
  shadow.adoptedStyleSheets = styles.map(sheetOf)
  shadow.append(...content)
  return host
}
const sheets = new Map()
function sheetOf(text) {
  if (!sheets.has(text)) { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); sheets.set(text, sheet) }
  return sheets.get(text)
}

// A value as it was before it was packed.
function plainValue(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value
  if ("$line" in value) {
    const [first, last, many] = value.$line
    return Array.from({length: many}, (_, i) => first + (last - first) * i / (many - 1))
  }
  if (!("$curve" in value)) return value
  let sum = 0
  return value.by.map((by) => (sum += by) * value.$curve)
}

// The values of all parts at any position: which of the different values of each property stands there.
class Columns {
  constructor(columns) {
    this.parts = new Map()
    for (const column of columns) {
      const [part, name, inner] = column.path
      if (!this.parts.has(part)) this.parts.set(part, new Map())
      const properties = this.parts.get(part)
      if (!properties.has(name)) properties.set(name, [])
      properties.get(name).push({inner, values: column.values, places: column.places, plain: []})
    }
  }
  #value(column, at) {
    const place = column.places.length ? column.places[at] : 0
    if (place < 0) return undefined
    column.plain[place] ??= {value: plainValue(column.values[place])}
    return column.plain[place].value
  }
  // The properties of a part at a position; the very same objects where nothing differs from `before`.
  at(part, position, before = new Map()) {
    const found = {}
    for (const [name, columns] of this.parts.get(part) ?? []) {
      const values = columns.map((column) => this.#value(column, position))
      const known = before.get(name)
      if (known && values.every((value, i) => value === known.values[i])) { found[name] = known.whole; continue }
      const entries = columns.map(({inner}, i) => [inner, values[i]]).filter(([, value]) => value !== undefined)
      let whole = columns[0].inner === undefined ? values[0] : Object.fromEntries(entries)
      if (name === "drawn") whole = JSON.stringify(whole) // scenes read a text
      before.set(name, {values, whole})
      found[name] = whole
    }
    return found
  }
}

// Parts that are drawn together.
class Board {
  constructor({parts, columns}, styles, {home, wanted = () => true}) {
    this.columns = new Columns(columns)
    this.drawn = []
    const cards = new Map()
    for (const part of parts) {
      if (!wanted(part.card)) continue
      if (!cards.has(part.card)) cards.set(part.card, home(part.card))
      this.drawn.push({part, into: cards.get(part.card), styles: part.styles.map((i) => styles[i]), before: new Map(), host: null})
    }
  }
  show(position) {
    for (const one of this.drawn) {
      const properties = this.columns.at(one.part.name, position, one.before)
      const seen = properties.$seen === true
      delete properties.$seen
      if (seen && !one.host) this.#make(one, properties)
      else if (seen) one.change(properties)
      if (one.host) one.host.hidden = !seen
    }
  }
  #make(one, properties) {
    if (one.part.kind === "html") {
      const body = element("div")
      one.change = ({html}) => { if (one.html !== html) { one.html = html; body.innerHTML = html } } // written by the app, which escapes
      one.host = place(one.styles, body)
      one.change(properties)
    } else {
      const model = new Model(properties)
      one.change = (changes) => model.set(changes)
      one.model = model
      one.host = place(one.styles, controls[one.part.kind].render({model}))
    }
    one.host.className = `part ${one.part.role}`
    // Where it stands among the parts of its card.
    const later = this.drawn.slice(this.drawn.indexOf(one) + 1).find((other) => other.into === one.into && other.host)
    one.into.insertBefore(one.host, later?.host ?? null)
  }
  // The model of the first part of a kind, for whoever wants to tell it something.
  model(kind) { return this.drawn.find((one) => one.part.kind === kind)?.model ?? null }
}

// Levers: what the reader moves. `places` are where they stand, and `told` is called when one was moved.
class Levers {
  constructor(levers, styles, told) {
    this.levers = levers
    this.places = levers.map((lever) => lever.start)
    this.told = told
    this.made = levers.map((lever, i) => this.#make(lever, i))
    this.nodes = this.made.map(({kind, model}) => place(styles, controls[kind].render({model})))
  }
  // The number of the position, the last lever moving first.
  get position() { return this.levers.reduce((sum, lever, i) => sum * lever.positions.length + this.places[i], 0) }

  move(places) {
    this.places = places
    this.made.forEach(({model}, i) => model.set(this.#standing(this.levers[i], places[i])))
  }
  #moved(i, place, done) {
    if (place < 0 || place >= this.levers[i].positions.length) return
    this.places = this.places.map((old, j) => (j === i ? place : old))
    this.made[i].model.set(this.#standing(this.levers[i], place))
    this.told(done)
  }
  #standing(lever, place) {
    const here = lever.positions[place]
    if (lever.kind === "slider") return {value: here.value, readout: here.text}
    if (lever.kind === "pills") return {value: String(here.value)}
    return {value: lever.things.filter((_, i) => here.value >> i & 1).map(([name]) => name)}
  }
  #make(lever, i) {
    const common = {label: lever.label, label_shown: true, ...this.#standing(lever, lever.start)}
    if (lever.kind === "slider") {
      const stops = lever.positions.map((one) => one.value)
      const nearest = (value) => stops.reduce((best, stop, at) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? at : best), 0)
      const receive = ({value, done}) => this.#moved(i, nearest(value), done)
      return {kind: "Slider", model: new Model({...common, stops, scale: 1, typed: Boolean(lever.unit), disabled: false, tip: ""}, {receive})}
    }
    const many = lever.kind === "ticks"
    const options = many ? lever.things : lever.positions.map((one) => [String(one.value), one.text, one.tip])
    const receive = ({value}) => this.#moved(i, many
      ? lever.things.reduce((mask, [name], bit) => mask | (value.includes(name) ? 1 << bit : 0), 0)
      : lever.positions.findIndex((one) => String(one.value) === value[0]), true)
    return {kind: many ? "Choices" : "Choice", model: new Model({...common, options, many, joined: !many && options.length < 4, disabled: []}, {receive})}
  }
}

// The theme of whoever reads; paper is always light.
function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const wear = (name) => { document.documentElement.dataset.theme = name }
  const follow = () => wear(dark.matches ? "dark" : "light")
  dark.addEventListener("change", follow)
  addEventListener("beforeprint", () => wear("light"))
  addEventListener("afterprint", follow)
  follow()
}

// What the page was given, with its theme and its terms; null where the browser cannot read it.
async function opened() {
  followTheme()
  if (!("DecompressionStream" in window)) {
    document.getElementById("waiting").textContent = "This page needs a browser from 2023 or later."
    return null
  }
  const data = await unpacked("data")
  teachTerms(data.terms)
  explainTerms(document.body)
  return data
}

// All stands. A frame around the page may be as high as what it shows.
function ready() {
  document.body.classList.add("ready")
  if (window.parent === window) return
  const tell = () => window.parent.postMessage({trustscope: "height", height: document.documentElement.scrollHeight}, "*")
  new ResizeObserver(tell).observe(document.body)
  tell()
}
