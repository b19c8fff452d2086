// The dialog in which scenarios are kept and compared: one list for each page, and a table of the present page's.
function makeCompare(model, send, makeDialog, button, openShare) {
  const STORED = "trustscope-kept"
  const keep = button("Keep as A", "Keep as A", "act primary")
  const swap = button("Swap", "Swap with what is kept (X)", "act")
  const lists = element("div", {className: "kept-lists"})
  const table = element("div", {className: "kept-table", tabIndex: 0})
  const csv = button("Save the table as CSV", "Save the table as CSV", "act")
  const report = button("Report of all of these", "Report of all of these", "act")
  const slides = button("Download as slides", "Download as slides", "act")
  const down = element("div", {className: "row"}, csv, report, slides)
  const note = element("p", {})
  note.setAttribute("role", "status")
  const title = element("h2", {textContent: "Compare"})
  const dialog = makeDialog("Compare",
    element("div", {className: "share compare"}, title,
      element("p", {textContent: "Keep what stands on the page, then change something: what was kept is drawn faintly behind, tables say what differs, and the verdict says by how much. X swaps the two. Present walks through them in this order, under the names that you give."}),
      element("div", {className: "row"}, keep, swap), note, lists, table, down))
  dialog.classList.add("wide")

  const act = (text, name, message) => {
    const made = button(text, name, "act small")
    onPress(made, () => send(`kept-${name}`, message))
    return made
  }
  const line = (one, here) => {
    const {page, letter} = one
    const draw = element("input", {type: "radio", name: "behind", checked: one.behind})
    draw.setAttribute("aria-label", `Draw ${letter} behind`)
    draw.addEventListener("change", () => send("draw", {kind: "draw", page, letter}))
    const what = element("span", {className: "what"}, element("b", {textContent: letter}), ` ${one.title}${one.note ? ` · ${one.note}` : ""}`)
    const called = element("input", {type: "text", value: one.called, placeholder: "name it", maxLength: 60, className: "called"})
    called.setAttribute("aria-label", `Name of ${letter} of ${one.name} while presenting`)
    called.addEventListener("change", () => send(`call-${page}-${letter}`, {kind: "call", page, letter, name: called.value}))
    const head = here ? element("label", {}, draw, what) : what
    const mine = model.kept.filter((other) => other.page === page)
    const up = act("↑", `Move ${letter} of ${one.name} up`, {kind: "move", page, letter, by: -1})
    const down = act("↓", `Move ${letter} of ${one.name} down`, {kind: "move", page, letter, by: 1})
    setBarred(up, mine[0].letter === letter)
    setBarred(down, mine.at(-1).letter === letter)
    return element("li", {}, head, called, ...(mine.length > 1 ? [up, down] : []),
      act("Open", `Open ${letter} of ${one.name}`, {kind: "open-kept", page, letter}),
      act("Remove", `Remove ${letter} of ${one.name}`, {kind: "remove", page, letter}))
  }
  const showLists = () => {
    const here = model.kept.filter((one) => one.name === model.page)
    const letter = ["A", "B", "C", "D"].find((l) => !here.some((one) => one.letter === l))
    setBarred(keep, !letter)
    keep.textContent = keep.title = letter ? `Keep as ${letter}` : "Four are kept"
    setBarred(swap, !here.some((one) => one.behind))
    const pages = [...new Set(model.kept.map((one) => one.name))]
    pages.sort((a, b) => (b === model.page) - (a === model.page))
    keepFocus(lists, () => lists.replaceChildren(...pages.map((name) => {
      const isHere = name === model.page
      const items = model.kept.filter((one) => one.name === name).map((one) => line(one, isHere))
      if (isHere) {
        const none = element("input", {type: "radio", name: "behind", checked: !model.kept.some((one) => one.name === name && one.behind)})
        none.addEventListener("change", () => send("draw", {kind: "draw", page: model.kept.find((one) => one.name === name).page, letter: ""}))
        items.push(element("li", {}, element("label", {}, none, element("span", {className: "what", textContent: "draw none behind"}))))
      }
      return element("section", {}, element("h3", {textContent: name}), element("ul", {}, ...items))
    })), {typed: true, otherwise: keep})
  }
  const showTable = () => {
    const {columns, rows, note: said} = model.compared
    note.textContent = said ?? ""
    table.hidden = down.hidden = !rows?.length
    report.hidden = !model.offered.includes("report")
    slides.hidden = !model.offered.includes("slides")
    if (!rows?.length) { table.replaceChildren(); return }
    const head = element("tr", {}, ...columns.map((text) => element("th", {scope: "col", textContent: text})))
    const body = rows.map(([kind, name, ...texts]) => element("tr", {className: kind},
      element("th", {scope: "row", textContent: name}), ...texts.map((text) => element("td", {textContent: text}))))
    const shown = element("table", {}, element("caption", {className: "unseen", textContent: "Kept scenarios side by side"}), element("thead", {}, head), element("tbody", {}, ...body))
    table.replaceChildren(shown)
  }
  const store = () => { try { localStorage.setItem(STORED, JSON.stringify(model.kept)) } catch { /* kept nowhere */ } }
  const stored = () => { try { return JSON.parse(localStorage.getItem(STORED) ?? "[]") } catch { return [] } }

  onPress(keep, () => send("keep", {kind: "keep"}))
  onPress(swap, () => send("swap", {kind: "swap"}))
  csv.addEventListener("click", () => send("compared", {kind: "compared-csv"}))
  report.addEventListener("click", () => { dialog.close(); openShare(); send("take", {kind: "take", what: "report", kept: true}) })
  slides.addEventListener("click", () => { dialog.close(); openShare(); send("take", {kind: "take", what: "slides", kept: true}) })
  model.on("kept", () => { store(); showLists() })
  model.on("page", showLists)
  model.on("compared", showTable)
  showLists()
  showTable()
  if (!model.kept.length) {
    const found = stored()
    if (Array.isArray(found) && found.length) send("restore", {kind: "restore", kept: found})
  }
  // Another window of this browser has stored its list: without it the next one stored here would take its place.
  const follow = (e) => { if (e.key === STORED) send("kept-elsewhere", {kind: "kept-elsewhere", kept: stored()}) }
  addEventListener("storage", follow)
  model.on("remove", () => removeEventListener("storage", follow))
  dialog.addEventListener("close", () => send("comparing", {kind: "comparing", open: false}))
  return {
    open: () => { send("comparing", {kind: "comparing", open: true}); dialog.showModal() },
    swap: () => { if (!isBarred(swap)) send("swap", {kind: "swap"}) },
  }
}
