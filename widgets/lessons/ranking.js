export function render({ model }) {
  const send = makeFlow(model, () => build())
  const ask = element("p", {className: "ask"})
  const first = element("p", {className: "rank-end"})
  const last = element("p", {className: "rank-end"})
  const list = element("ol", {className: "ranks"})
  const keep = element("button", {type: "button", className: "quiet", textContent: "Keep this order"})
  const told = element("p", {className: "unseen", role: "status"})
  const root = element("div", {className: "ranking-box"}, ask, first, list, last, keep, told)
  let order = []
  let drawn = ""
  const state = () => JSON.stringify([order, model.options, model.truth, model.truth === null ? null : model.value])
  const text = (value) => model.options.find(([one]) => one === value)?.[1] ?? value
  const put = (value, to) => {
    order.splice(order.indexOf(value), 1)
    order.splice(to, 0, value)
  }
  const move = (value, by) => {
    const to = order.indexOf(value) + by
    if (to < 0 || to >= order.length) return
    put(value, to)
    draw(value, by)
    told.textContent = `${text(value)} is number ${to + 1} now`
    send("value", {value: [...order]})
  }
  // A thing is dragged by its handle, so that a finger elsewhere still scrolls; the arrows do the same without dragging.
  const handle = (value, item) => {
    const made = element("i", {className: "grip", textContent: "⠿", title: "Drag up or down"})
    made.setAttribute("aria-hidden", "true")
    made.addEventListener("pointerdown", (e) => {
      e.preventDefault()
      made.setPointerCapture(e.pointerId)
      item.classList.add("dragged")
      let from = e.clientY
      const follow = (e) => {
        const [above, below] = [item.previousElementSibling, item.nextElementSibling]
        const middle = (node) => { const box = node.getBoundingClientRect(); return box.top + box.height / 2 }
        // The neighbours move: what leaves the page, even for a moment, loses the pointer. Where it stands among the others changes as soon as the pointer is past the middle of a neighbour.
        const before = item.offsetTop
        if (above && e.clientY < middle(above)) { item.after(above); put(value, order.indexOf(value) - 1) }
        else if (below && e.clientY > middle(below)) { item.before(below); put(value, order.indexOf(value) + 1) }
        from += item.offsetTop - before
        item.style.transform = `translateY(${e.clientY - from}px)`
      }
      const stop = () => {
        for (const [name, act] of events) made.removeEventListener(name, act)
        item.classList.remove("dragged")
        item.style.transform = ""
        draw()
        told.textContent = `${text(value)} is number ${order.indexOf(value) + 1} now`
        send("value", {value: [...order]})
      }
      const events = [["pointermove", follow], ["pointerup", stop], ["pointercancel", stop]]
      for (const [name, act] of events) made.addEventListener(name, act)
    })
    return made
  }
  const arrow = (value, by, sign, name) => {
    const made = element("button", {type: "button", className: "arrow", textContent: sign})
    made.setAttribute("aria-label", `${name}: ${text(value)}`)
    made.addEventListener("click", () => move(value, by))
    return made
  }
  const draw = (moved, by) => {
    const done = model.truth !== null
    drawn = state()
    list.replaceChildren(...order.map((value, place) => {
      const item = element("li", {}, element("span", {textContent: text(value)}))
      if (!done) {
        const up = arrow(value, -1, "↑", "Higher")
        const down = arrow(value, 1, "↓", "Lower")
        up.disabled = place === 0
        down.disabled = place === order.length - 1
        item.prepend(handle(value, item))
        item.append(up, down)
        if (value === moved) setTimeout(() => ((by < 0 ? up : down).disabled ? (by < 0 ? down : up) : by < 0 ? up : down).focus())
      } else if (model.value !== null) {
        const was = model.value.indexOf(value)
        item.append(element("em", {textContent: was === place ? "✓ as you said" : `you said number ${was + 1}`, className: was === place ? "same" : ""}))
      }
      return item
    }))
  }
  const build = () => {
    writeTerms(ask, model.label)
    first.textContent = model.first
    last.textContent = model.last
    const done = model.truth !== null
    if (send.resting() || done) order = [...(done ? model.truth : model.value ?? model.options.map(([value]) => value))]
    list.classList.toggle("done", done)
    keep.hidden = done || model.value !== null
    if (state() !== drawn) draw() // drawn anew, the buttons would lose the focus
  }
  keep.addEventListener("click", () => send("value", {value: [...order]}))
  for (const p of ["options", "label", "truth", "first", "last"]) model.on(p, build)
  model.on("value", () => { if (send.resting()) build(); keep.hidden = model.truth !== null || model.value !== null })
  build()
  return root
}
