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
  const text = (value) => model.options.find(([one]) => one === value)?.[1] ?? value
  const move = (value, by) => {
    const at = order.indexOf(value)
    const to = at + by
    if (to < 0 || to >= order.length) return
    order.splice(at, 1)
    order.splice(to, 0, value)
    draw(value, by)
    told.textContent = `${text(value)} is number ${to + 1} now`
    send("value", {value: [...order]})
  }
  const arrow = (value, by, sign, name) => {
    const made = element("button", {type: "button", className: "arrow", textContent: sign})
    made.setAttribute("aria-label", `${name}: ${text(value)}`)
    made.addEventListener("click", () => move(value, by))
    return made
  }
  const draw = (moved, by) => {
    const done = model.truth !== null
    list.replaceChildren(...order.map((value, place) => {
      const item = element("li", {}, element("span", {textContent: text(value)}))
      if (!done) {
        const up = arrow(value, -1, "↑", "Higher")
        const down = arrow(value, 1, "↓", "Lower")
        up.disabled = place === 0
        down.disabled = place === order.length - 1
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
    ask.textContent = model.label
    first.textContent = model.first
    last.textContent = model.last
    const done = model.truth !== null
    if (send.resting() || done) order = [...(done ? model.truth : model.value ?? model.options.map(([value]) => value))]
    list.classList.toggle("done", done)
    keep.hidden = done || model.value !== null
    draw()
  }
  keep.addEventListener("click", () => send("value", {value: [...order]}))
  for (const p of ["options", "label", "truth", "first", "last"]) model.on(p, build)
  model.on("value", () => { if (send.resting()) build(); keep.hidden = model.truth !== null || model.value !== null })
  build()
  return root
}
