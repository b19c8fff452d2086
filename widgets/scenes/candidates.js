export function render({ model }) {
  const legend = element("ul", {className: "legend"})
  const {table, head, body} = namedTable("unseen")
  const words = element("p", {className: "unseen", id: `candidates-${model.plot_id}`})
  const root = element("div", {}, legend, table, words)
  table.setAttribute("aria-describedby", words.id)
  root.style.setProperty("--tall", `${model.tall}px`)
  let drawn = []
  const KINDS = ["together", "alone", "before"]

  const make = () => {
    const name = element("span", {className: "label"})
    const truth = element("b", {className: "truth", textContent: "the truth"})
    const given = element("span", {className: "given"})
    const who = element("th", {scope: "row"}, element("span", {className: "what"}, name, truth), given)
    who.setAttribute("role", "rowheader")
    const bars = Object.fromEntries(KINDS.map((kind) => [kind, element("i", {className: kind})]))
    const kept = element("i", {className: "kept", hidden: true})
    const track = element("td", {className: "track"}, bars.alone, bars.together, bars.before, kept)
    const strong = element("strong"), soft = element("span")
    const value = element("td", {className: "value"}, strong, soft)
    for (const cell of [track, value]) cell.setAttribute("role", "cell")
    const node = element("tr", {}, who, track, value)
    node.setAttribute("role", "row")
    return {node, name, truth, given, bars, kept, track, strong, soft}
  }
  // Who has joined since the last drawing of the same person: its pin drops, and bars move to their new lengths.
  let held = null
  let resting = 0
  const arrived = (rows) => {
    const person = rows.map((row) => `${row.label} ${row.true}`).join()
    const members = new Set(rows.flatMap((row) => row.given).filter((pin) => pin.member).map((pin) => pin.name))
    const before = held
    held = {person, members}
    const same = before && before.members.size && before.person === person
    const joined = new Set(same ? [...members].filter((name) => !before.members.has(name)) : [])
    if (joined.size) {
      clearTimeout(resting)
      root.classList.add("joined")
      resting = setTimeout(() => root.classList.remove("joined"), 400)
    }
    return joined
  }
  const write = (node, text) => { if (node.textContent !== text) node.textContent = text }
  const length = (share) => `${100 * Math.min(Math.max(share, 0), 1)}%`

  const show = () => {
    const {rows, names} = model
    table.caption.textContent = model.label
    words.textContent = model.summary_text
    const joined = arrived(rows)
    root.className = `candidates ${model.tone}${root.classList.contains("joined") ? " joined" : ""}`
    root.style.setProperty("--rows", Math.max(rows.length, 1))
    while (drawn.length > rows.length) drawn.pop().node.remove()
    while (drawn.length < rows.length) { const row = make(); drawn.push(row); body.append(row.node) }
    head.replaceChildren(...["value, and who was given it", "how far it is believed", "in per cent"]
      .map((text) => element("th", {scope: "col", textContent: text})))
    legend.replaceChildren(...KINDS.filter((kind) => names[kind]).map((kind) =>
      element("li", {className: kind}, element("i"), element("span", {textContent: names[kind]}))))
    rows.forEach((row, place) => {
      const one = drawn[place]
      one.node.classList.toggle("true", row.true)
      one.truth.hidden = !row.true
      write(one.name, row.label)
      one.name.title = row.label
      const given = JSON.stringify(row.given)
      // Drawn anew only where it changed: a pin that drops would begin again.
      if (given !== one.shown) one.given.replaceChildren(...row.given.map((pin) => {
        const node = element("b", {className: `pin${pin.member ? "" : " out"}${joined.has(pin.name) ? " drops" : ""}`, textContent: pin.initial, title: `given to ${pin.name}`})
        node.style.background = pin.colour
        node.style.color = pin.ink
        return node
      }))
      one.shown = given
      for (const kind of KINDS) {
        const bar = one.bars[kind]
        bar.hidden = row[kind] === null || !names[kind]
        if (bar.hidden) continue
        if (kind === "before") bar.style.left = length(row[kind])
        else bar.style.width = length(row[kind])
      }
      const both = Boolean(names.together)
      one.node.classList.toggle("single", !both)
      write(one.strong, both ? row.texts[0] : row.texts[1])
      write(one.soft, both ? row.texts[1] : "")
      const told = KINDS.filter((kind) => names[kind] && row[kind] !== null).map((kind) => `${names[kind]} ${(100 * row[kind]).toFixed(0)} %`)
      one.track.setAttribute("aria-label", told.join(", "))
      one.kept.hidden = model.ghost.length !== rows.length || model.ghost[place] === null
      if (!one.kept.hidden) one.kept.style.left = length(model.ghost[place])
    })
  }
  drawOn(model, ["rows", "names", "ghost", "tone", "label", "summary_text"], show)
  show()
  return root
}
