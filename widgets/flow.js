// Calls `act` when the page has been put together: at once, unless it is being opened, and in the end in any case.
// Whatever the server changes before that does not arrive.
function whenItStands(model, act) {
  const page = model.document
  if (page?.is_idle ?? true) { act(); return }
  const stands = () => { clearTimeout(late); page.idle.disconnect(stands); act() }
  const late = setTimeout(stands, 4000)
  page.idle.connect(stands)
}

// How to send what waits, of all controls on the page.
function unsentOfAll() {
  return (globalThis.trustscopeUnsent ??= new Set())
}

// One message under way at a time; while it is, only the newest of each kind waits. `rest` is called when all has been
// taken in: what the server refused must then give way to what holds. A message that stays without an answer is sent
// once more, and the server takes in each number once: a click is neither lost nor counted twice. What waits in one
// control goes out before another one sends: a button means what was drawn before it was pressed.
function makeFlow(model, rest = () => {}) {
  const unsent = unsentOfAll()
  let busy = 0
  let n = model.ack // a page that is shown again counts on
  const waiting = new Map()
  const next = () => {
    const first = waiting.entries().next()
    if (first.done) return
    const [key, data] = first.value
    waiting.delete(key)
    if (!waiting.size) unsent.delete(sendAll)
    n = Math.max(n, model.ack) + 1 // the same control may be shown twice, and count from both places
    busy = n
    post({...data, n}, 1)
  }
  const sendAll = () => { while (waiting.size) next() }
  const post = (message, again) => {
    model.send_msg(message)
    setTimeout(() => {
      if (busy !== message.n) return
      if (again) { post(message, again - 1); return }
      busy = 0 // a lost answer must not freeze the control
      next()
    }, 4000)
  }
  model.on("ack", () => {
    if (model.ack !== busy) return
    busy = 0
    if (waiting.size) next()
    else rest()
  })
  const send = (key, data) => {
    for (let other; (other = [...unsent].find((one) => one !== sendAll)); ) other()
    waiting.delete(key)
    waiting.set(key, data)
    if (busy) unsent.add(sendAll)
    else whenItStands(model, () => { if (!busy) next() })
  }
  send.resting = () => !busy
  return send
}

// Draws once for all properties that one message changes, in the frame that is prepared next, together with the plots.
function drawOn(model, properties, draw) {
  let waiting = false
  const soon = () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => { waiting = false; draw() })
  }
  for (const property of properties) model.on(property, soon)
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name in node && name !== "list") node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

// A button that cannot be pressed for now. With `disabled` it would lose the focus if it had it, and a keyboard its place
// on the page, often because of the very press; so it stays where it is, is told and looks as what cannot be pressed, and
// `onPress` does nothing.
function setBarred(button, barred) {
  button.setAttribute("aria-disabled", String(Boolean(barred)))
}

function isBarred(button) {
  return button.getAttribute("aria-disabled") === "true"
}

function onPress(button, act) {
  button.addEventListener("click", () => { if (!isBarred(button)) act() })
}

// Draws anew what a person may be in the middle of: whatever had the focus has it again, under the same name and at the
// same place among those of that name. Where what is typed is sent only when the field is left, `typed` keeps it. Where
// what had the focus is gone, `otherwise` has it: nobody is sent back to the top of the page by removing something.
function keepFocus(root, draw, {typed = false, otherwise = null} = {}) {
  const named = (one) => `${one.localName} ${one.getAttribute("aria-label") ?? one.closest("label")?.firstElementChild?.textContent ?? one.textContent}`
  const all = (name) => [...root.querySelectorAll("button, input, select, textarea")].filter((one) => named(one) === name)
  const held = root.getRootNode().activeElement
  if (!held || !root.contains(held)) { draw(); return }
  const name = named(held)
  const place = all(name).indexOf(held)
  const {value, selectionStart, selectionEnd} = held
  draw()
  const again = all(name)[place]
  if (held.isConnected) return
  if (!again) { otherwise?.focus({preventScroll: true}); return }
  again.focus({preventScroll: true})
  if (typed) again.value = value
  if (selectionStart != null) again.setSelectionRange(selectionStart, selectionEnd)
}

// A table whose caption is not seen, nor perhaps its heading. Rows that are grids lose their meaning as a table in some
// browsers, so it is said.
function namedTable(className = "") {
  const head = element("tr")
  const body = element("tbody", {role: "rowgroup"})
  return {head, body, table: element("table", {role: "table"}, element("caption", {className: "unseen"}), element("thead", {className}, head), body)}
}

// A slider is done when the pointer lets go (`change` does not tell: it is silent where the value ends as it began),
// or when the keyboard rests, or when another control sends something.
function watchRange(input, live) {
  const unsent = unsentOfAll()
  let timer
  let pointer = false
  const forget = () => { clearTimeout(timer); timer = undefined; unsent.delete(done) }
  const done = () => { forget(); live(Number(input.value), true) }
  const doneIn = (milliseconds) => { timer = setTimeout(done, milliseconds); unsent.add(done) }
  input.addEventListener("pointerdown", () => { pointer = true })
  for (const kind of ["pointerup", "pointercancel"]) {
    // The last `input` may come after the pointer is up.
    input.addEventListener(kind, () => { pointer = false; if (timer === undefined) doneIn(30) })
  }
  input.addEventListener("input", () => {
    forget()
    live(Number(input.value), false)
    if (!pointer) doneIn(250)
  })
}

// What a person typed as a number, or nothing: "1 500", "0,5" and "35 %" are numbers, "a lot" is none.
function typedNumber(text) {
  const cleaned = text.replace(/[\s\u202f%]/g, "").replace(",", ".")
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cleaned) ? Number(cleaned) : null
}

function fillRange(input) {
  const share = (input.value - input.min) / (input.max - input.min || 1)
  input.style.setProperty("--share", `${100 * share}%`)
}

// No line ends between a number and its per cent sign.
function unbroken(text) {
  return text.replaceAll(" %", "\u202f%")
}

// Write a text in which the first occurrence of every word of the glossary is explained; the bar has told the page the
// glossary (terms.js). In a label a word is no button, as the label itself is one: it is explained when the pointer is on
// it, or when the keyboard reaches the control. `seen` holds sentences that stand nearby already. What does not change is
// not touched. Gives whether the text has changed.
function writeTerms(node, said, {still = false, seen = new Set()} = {}) {
  const text = unbroken(said)
  const known = globalThis.trustscopeTerms
  const changed = node.textContent !== text
  if (!known) {
    if (!changed) return false
    node.textContent = text
    document.addEventListener("trustscope-terms", () => { if (node.textContent === text) writeTerms(node, text, {still, seen}) }, {once: true})
    return true
  }
  const parts = []
  let from = 0
  for (const found of text.matchAll(known.pattern)) {
    const sentence = known.sentences[found[0].toLowerCase()]
    if (seen.has(sentence)) continue
    seen.add(sentence)
    const word = element(still ? "dfn" : "button", {className: "term", textContent: found[0]})
    if (!still) { word.type = "button"; word.setAttribute("aria-description", sentence) }
    word.dataset.term = sentence
    const end = found.index + found[0].length
    const [mark] = /^[.,:;!?)]*/.exec(text.slice(end)) // a line may end after a button, but not before a full stop
    const held = mark ? element("span", {}, word, mark) : word
    if (mark) held.style.whiteSpace = "nowrap"
    parts.push(text.slice(from, found.index), held)
    from = end + mark.length
  }
  const words = parts.map((part) => part.textContent ?? part).join("|")
  if (!changed && node.dataset.words === words) return false
  node.dataset.words = words
  node.replaceChildren(...parts, text.slice(from))
  return changed
}
