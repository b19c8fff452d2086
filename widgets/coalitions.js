export function render({ model }) {
  const body = element("tbody")
  const head = element("tr")
  const scale = element("div", {className: "scale"}, ...["0", "0.25", "0.5", "0.75", "1"].map((t) => element("span", {textContent: t})))
  const table = element("table", {}, element("caption", {className: "unseen"}), element("thead", {className: "unseen"}, head), body)
  const root = element("div", {className: "coalitions"}, table, scale)
  root.dataset.plot = model.plot_id
  let rows = []

  const build = () => {
    const {seats, masks, schemes} = model.frame
    table.caption.textContent = model.label
    head.replaceChildren(...["coalition", ...schemes.map((s) => s[0])].map((t) => element("th", {scope: "col", textContent: t})))
    rows = masks.map((mask) => {
      const inside = seats.filter((_, i) => mask >> i & 1)
      const who = element("th", {scope: "row"}, element("span", {className: "unseen", textContent: inside.map((s) => s.name).join(", ")}),
        ...seats.map((seat, i) => {
          const here = mask >> i & 1
          const node = element("i", {className: here ? "seat" : "seat empty", textContent: here ? seat.initial : ""})
          node.setAttribute("aria-hidden", "true")
          if (here) node.style.background = seat.colour
          return node
        }))
      const cells = schemes.map(([, colour]) => {
        const bar = element("i", {className: "bar"})
        bar.style.background = colour
        const kept = element("i", {className: "kept", hidden: true})
        kept.style.background = colour
        return {bar, kept, text: element("span")}
      })
      const node = element("tr", {}, who, ...cells.map((c) => element("td", {}, c.bar, c.kept, c.text)))
      return {node, cells, mask}
    })
    body.replaceChildren(...rows.map((r) => r.node))
  }

  const show = () => {
    if (model.errors.length !== rows.length * model.frame.schemes?.length) return // the frame is on its way
    rows.forEach((row, place) => {
      row.node.className = row.mask === model.chosen ? "chosen" : ""
      row.cells.forEach((cell, s) => {
        const error = model.errors[s * rows.length + place]
        cell.bar.style.transform = `scaleX(${Math.max(error, 0.004)})`
        cell.text.textContent = error.toFixed(3)
        cell.kept.hidden = model.ghost.length !== model.errors.length
        if (!cell.kept.hidden) cell.kept.style.marginLeft = `${100 * model.ghost[s * rows.length + place]}%`
      })
    })
  }
  model.on("frame", () => { build(); show() })
  model.on("errors", show)
  model.on("ghost", show)
  model.on("chosen", show)
  if (model.frame.masks) { build(); show() }
  return root
}
