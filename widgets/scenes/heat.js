export function render({ model }) {
  const {table, head, body} = namedTable()
  const root = element("div", {className: "heat", tabIndex: 0}, table)
  root.setAttribute("role", "region")
  const LEAST = 20 // pixels of a row; few rows share what there is
  const MOST = 250
  let rows = []
  let wide = -1

  const build = () => {
    const names = model.frame.rows ?? []
    wide = model.columns.length
    table.caption.textContent = model.label
    root.setAttribute("aria-label", model.label)
    root.style.setProperty("--row", `${Math.min(Math.max(MOST / names.length, LEAST), 34)}px`)
    root.style.maxHeight = `${model.tallest}px`
    rows = names.map((text, n) => {
      const cells = model.columns.map(() => element("td", {className: "shade"}))
      const bar = element("i")
      const mark = element("b")
      const track = element("td", {className: "track"}, bar, mark)
      const node = element("tr", {}, element("th", {scope: "row", title: text}, element("small", {textContent: n + 1}), ` ${text}`), ...cells, track)
      return {node, cells, bar, mark, track}
    })
    body.replaceChildren(...rows.map((r) => r.node))
  }
  const show = () => {
    if (!model.frame.rows) return
    if (rows.length !== model.frame.rows.length || wide !== model.columns.length) build()
    if (model.values.length !== rows.length || model.bars.length !== rows.length) return // the rest is on its way
    if (rows.length && model.values[0].length !== wide) return
    head.replaceChildren(element("th", {scope: "col"}, element("span", {className: "unseen", textContent: "question"})), ...model.columns.map(([name, dots]) => {
      const marks = dots.map((colour) => { const dot = element("i"); dot.style.background = colour; return dot })
      return element("th", {scope: "col"}, element("span", {textContent: name}), element("span", {className: "dots"}, ...marks))
    }), element("th", {scope: "col", className: "track", textContent: model.frame.bar}))
    rows.forEach((row, r) => {
      row.cells.forEach((cell, c) => {
        const value = model.values[r][c]
        cell.style.setProperty("--v", `${Math.round(100 * Math.min(value / 0.8, 1))}%`)
        const was = model.ghost[r]?.[c] ?? null
        cell.classList.toggle("was", was !== null)
        if (was !== null) cell.style.setProperty("--w", `${Math.round(100 * Math.min(was / 0.8, 1))}%`)
        cell.title = `${model.frame.rows[r]}: ${value.toFixed(2)}${was === null ? "" : `; kept: ${was.toFixed(2)}`}`
      })
      const [length, over] = model.bars[r]
      row.bar.style.width = `${100 * Math.min(length, 1)}%`
      row.bar.className = over ? "over" : ""
      row.mark.style.left = `${100 * Math.min(model.limit, 1)}%`
      row.track.title = `${length.toFixed(2)}; at most ${model.limit.toFixed(2)}`
    })
  }
  model.on("frame", () => { build(); show() })
  drawOn(model, ["columns", "values", "bars", "ghost", "limit"], show)
  show()
  return root
}
