// One page that is moved by levers.
function scenarioAt({scenario, levers}, places) {
  const content = structuredClone(scenario)
  levers.forEach((lever, i) => {
    for (const [path, value] of lever.positions[places[i]].changes) {
      const end = path.at(-1)
      path.slice(0, -1).reduce((inner, part) => inner[part], content)[end] = value
    }
  })
  return content
}

// Where the levers stand, in the address, so that a link can name it.
function placesOf(levers, text) {
  const named = new URLSearchParams(text.replace(/^#/, ""))
  return levers.map((lever) => {
    const found = lever.positions.findIndex((one) => String(one.value) === named.get(lever.key))
    return found < 0 ? lever.start : found
  })
}
function addressOf(levers, places) {
  return `#${new URLSearchParams(levers.map((lever, i) => [lever.key, String(lever.positions[places[i]].value)]))}`
}

async function begin() {
  const data = await opened()
  if (!data) return
  const pictures = document.getElementById("pictures")
  const board = new Board(data, data.styles, {home: (card) => {
    if (card === "headline") return document.getElementById("headline")
    const made = element("section", {className: data.side_by_side.includes(card) ? "card" : "card wide"})
    made.dataset.card = card
    pictures.append(made)
    return made
  }})
  const levers = new Levers(data.levers, data.input_styles, (done) => {
    board.show(levers.position)
    if (done) remember()
  })
  const remember = () => { try { history.replaceState(null, "", addressOf(data.levers, levers.places)) } catch { /* a frame may forbid it */ } }
  document.getElementById("levers").append(...levers.nodes)
  const go = (places) => { levers.move(places); board.show(levers.position) }
  go(placesOf(data.levers, location.hash))
  addEventListener("hashchange", () => go(placesOf(data.levers, location.hash)))
  document.getElementById("again").addEventListener("click", () => { go(data.levers.map((lever) => lever.start)); remember() })
  document.getElementById("take").addEventListener("click", () => {
    handOver(`trustscope-${data.scenario.page}.json`, `${JSON.stringify(scenarioAt(data, levers.places), null, 2)}\n`, "application/json")
  })
  document.getElementById("waiting").remove()
  ready()
  // For whoever tests what this page shows, or leads it from a page around it.
  window.trustscope = {levers: data.levers, go, places: () => levers.places, at: (places) => {
    const position = data.levers.reduce((sum, lever, i) => sum * lever.positions.length + places[i], 0)
    return Object.fromEntries(data.parts.map((part) => [part.name, board.columns.at(part.name, position)]))
  }, scenario: (places) => scenarioAt(data, places)}
}
begin()
