export function render({ model }) {
  const {table, head, body} = namedTable("unseen")
  const root = element("div", {className: "bar-table", tabIndex: -1}, table)
  let rows = []

  const build = () => {
    const {labels, marks} = model.frame
    table.caption.textContent = model.label
    if (model.tallest) { root.style.maxHeight = `${model.tallest}px`; root.tabIndex = 0; root.setAttribute("role", "region"); root.setAttribute("aria-label", model.label) }
    head.replaceChildren(...["row", ...marks.map((m) => m[0]), "in words"].map((t) => element("th", {scope: "col", textContent: t})))
    rows = labels.map((label) => {
      const cells = marks.map(([, kind, colour]) => {
        const parts = kind === "range" ? [element("i", {className: "line"}), element("i", {className: "dot"})] : [element("i", {className: kind})]
        const cell = element("td", {}, ...parts)
        const kept = element("i", {className: "kept", hidden: true})
        cell.append(kept)
        for (const part of [...parts, kept]) part.style.background = colour
        return {cell, parts, kept, kind}
      })
      // A table inside a row would be many cells over one another: they are, and share one track.
      const text = element("td", {className: "text"})
      const name = element("th", {scope: "row", textContent: label, title: label})
      return {node: element("tr", {}, name, ...cells.map((c) => c.cell), text), cells, text}
    })
    body.replaceChildren(...rows.map((r) => r.node))
  }

  const at = (value) => `${100 * Math.min(Math.max(value / model.top, 0), 1)}%`
  const show = () => {
    const {marks} = model.frame
    const right = marks && model.values.length === marks.length && model.texts.length === rows.length &&
      model.values.every((v, m) => v.length === rows.length * (marks[m][1] === "range" ? 3 : 1))
    if (!right) return // the rest is on its way
    root.style.setProperty("--row", `${model.row}px`)
    root.classList.toggle("roomy", model.row >= 30) // a row in which a name has two lines
    rows.forEach((row, place) => {
      row.node.classList.toggle("flagged", model.flagged.includes(place))
      row.text.textContent = model.texts[place]
      row.cells.forEach(({cell, parts, kept, kind}, m) => {
        const values = model.values[m]
        const was = model.ghost[m]?.length === rows.length ? model.ghost[m][place] : null
        kept.hidden = was === null
        if (was !== null) kept.style.left = at(was)
        cell.hidden = (kind === "range" ? values[2 * rows.length + place] : values[place]) < 0
        if (kind === "range") {
          const [low, middle, high] = [0, 1, 2].map((k) => values[k * rows.length + place])
          parts[0].style.left = at(low)
          parts[0].style.right = `calc(100% - ${at(high)})`
          parts[1].style.left = at(middle)
          cell.setAttribute("aria-label", `${middle.toPrecision(3)}, from ${low.toPrecision(3)} to ${high.toPrecision(3)}`)
        } else {
          if (kind === "tick") parts[0].style.left = at(values[place])
          else parts[0].style.width = at(values[place])
          cell.setAttribute("aria-label", values[place].toPrecision(3))
        }
      })
    })
  }
  model.on("frame", () => { build(); show() })
  drawOn(model, ["values", "texts", "flagged", "ghost", "top", "row"], show)
  if (model.frame.labels) { build(); show() }
  return root
}
