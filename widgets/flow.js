// One message under way at a time; while it is, only the newest of each kind waits.
function makeFlow(model) {
  let busy = 0
  let n = model.ack // a page that is shown again counts on
  const waiting = new Map()
  const next = () => {
    const first = waiting.entries().next()
    if (first.done) return
    const [key, data] = first.value
    waiting.delete(key)
    busy = ++n
    model.send_msg({...data, n})
    // A lost answer must not freeze the control.
    const mine = n
    setTimeout(() => { if (busy === mine) { busy = 0; next() } }, 4000)
  }
  model.on("ack", () => { if (model.ack === busy) { busy = 0; next() } })
  return (key, data) => {
    waiting.delete(key)
    waiting.set(key, data)
    if (!busy) next()
  }
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

// Range inputs tell `input` while moving and `change` when done; keys fire both at every step, so a
// pause decides when the keyboard is done.
function watchRange(input, live) {
  let timer
  let pointer = false
  input.addEventListener("pointerdown", () => { pointer = true })
  input.addEventListener("pointerup", () => { pointer = false })
  input.addEventListener("pointercancel", () => { pointer = false })
  input.addEventListener("input", () => { clearTimeout(timer); live(Number(input.value), false) })
  input.addEventListener("change", () => {
    clearTimeout(timer)
    const done = () => live(Number(input.value), true)
    if (pointer) { pointer = false; done() } else timer = setTimeout(done, 250)
  })
}

function fillRange(input) {
  const share = (input.value - input.min) / (input.max - input.min || 1)
  input.style.setProperty("--share", `${100 * share}%`)
}
