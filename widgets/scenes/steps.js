export function render({ model }) {
  const names = element("div", {className: "step-names"})
  const field = element("div", {className: "step-field"})
  const axis = element("div", {className: "step-axis"})
  const words = element("p", {className: "unseen", id: `steps-${model.plot_id}`})
  const root = element("div", {className: "way"}, names, field, axis)
  root.setAttribute("aria-describedby", words.id)
  root.setAttribute("role", "img")
  const ROW = 40

  const place = (node, styles) => { Object.assign(node.style, styles); return node }
  const show = () => {
    const {labels, steps, stands, lowest, rows, ghost} = model.scene
    root.setAttribute("aria-label", model.label)
    words.textContent = model.summary_text
    if (!labels) return
    const x = (trust) => 100 * (100 - trust) / (100 - lowest)
    const y = (row) => ROW * (row + 0.5)
    const height = `${ROW * rows}px`
    names.style.height = field.style.height = height
    names.replaceChildren(...labels.map((text, row) =>
      place(element("span", {textContent: text, title: text, className: row ? "" : "true"}), {top: `${ROW * row}px`})))
    const parts = labels.map((_, row) => place(element("i", {className: row ? "rule" : "rule true"}), {top: `${y(row)}px`}))
    for (const [start, end, row] of ghost ?? []) {
      parts.push(place(element("i", {className: "level kept"}), {left: `${x(start)}%`, width: `${Math.max(x(Math.max(end, lowest)) - x(start), 0)}%`, top: `${y(row) + 5}px`}))
    }
    steps.forEach(([start, end, row], n) => {
      parts.push(place(element("i", {className: "level"}), {left: `${x(start)}%`, width: `${Math.max(x(Math.max(end, lowest)) - x(start), 0)}%`, top: `${y(row)}px`}))
      if (n === 0) return
      const from = steps[n - 1][2]
      parts.push(place(element("i", {className: "jump"}), {left: `${x(start)}%`, top: `${y(Math.min(from, row))}px`, height: `${Math.abs(y(row) - y(from))}px`}))
      parts.push(place(element("i", {className: "redraw", title: "redrawn"}), {left: `${x(start)}%`, top: `${y(row)}px`}))
    })
    stands.forEach((s, n) => {
      // Who stands where another does already moves down a little: both can be seen.
      const before = stands.slice(0, n).filter((o) => o.row === s.row && Math.abs(x(o.trust) - x(s.trust)) < 1.5).length
      const node = element("b", {className: s.member ? "stand" : "stand apart", textContent: s.initial})
      parts.push(place(node, {left: `${x(s.trust)}%`, top: `${y(s.row) + 10 * before}px`, background: s.colour}))
    })
    field.replaceChildren(...parts)
    const ticks = [100, 80, 60, 40, 20].filter((t) => t > lowest)
    axis.replaceChildren(...ticks.map((t) => place(element("span", {textContent: `${t} %`}), {left: `${x(t)}%`})),
      element("em", {textContent: "trust"}))
  }
  drawOn(model, ["scene", "summary_text", "label"], show)
  show()
  return element("div", {}, root, words)
}
