function scroller(node) {
  for (let one = node; one; one = one.parentNode ?? one.host) {
    if (one instanceof Element && ["auto", "scroll"].includes(getComputedStyle(one).overflowY) && one.tagName === "MAIN") return one
  }
  return null
}

export function render({ model }) {
  const send = makeFlow(model)
  const root = element("div", {className: "gallery"})
  const tiles = new Map()
  const sections = []
  // A picture is put in when it comes near the screen: all of them are a thousand lines and more, and a page that has to
  // draw them first stands later.
  const drawings = new Map()
  const near = new IntersectionObserver((entries) => {
    for (const {target} of entries.filter((one) => one.isIntersecting)) {
      target.innerHTML = drawings.get(target)
      near.unobserve(target)
    }
  }, {rootMargin: "300px"})
  const build = () => {
    near.disconnect()
    drawings.clear()
    tiles.clear()
    sections.length = 0
    for (const [name, more] of model.groups) {
      const list = element("ul", {className: "tiles"})
      const own = model.tiles.filter((tile) => tile.group === name)
      for (const tile of own) {
        const picture = element("div", {className: "picture"})
        drawings.set(picture, tile.picture)
        near.observe(picture)
        picture.setAttribute("aria-hidden", "true")
        const title = element("strong", {textContent: tile.title})
        const chip = element("span", {className: `chip ${tile.tone}`, textContent: tile.verdict})
        const note = element("span", {className: "note", textContent: tile.note})
        const pause = (text) => element("span", {className: "unseen", textContent: text}) // heard, not seen
        const button = element("button", {type: "button", className: "tile"}, picture, title, pause(": "),
          element("span", {className: "line"}, chip, pause(". "), note))
        button.addEventListener("click", () => send("open", {id: tile.id}))
        const item = element("li", {}, button)
        tiles.set(tile.id, item)
        list.append(item)
      }
      const heading = element("h2", {textContent: name}, element("small"))
      writeTerms(heading.lastChild, more)
      const section = element("section", {}, heading, list)
      section.setAttribute("aria-label", name)
      sections.push([section, own])
    }
    root.replaceChildren(...sections.map(([section]) => section))
    show()
  }
  const show = () => {
    const shown = new Set(model.shown)
    for (const [id, item] of tiles) item.hidden = !shown.has(id)
    for (const [section, own] of sections) section.hidden = !own.some((tile) => shown.has(tile.id))
  }
  // Whoever opens a tile far down should see the top of what opens, and find the place again when coming back.
  let place = 0
  root.addEventListener("click", () => { place = scroller(root)?.scrollTop ?? 0 }, true)
  new ResizeObserver(() => {
    const outer = scroller(root)
    if (outer) outer.scrollTop = root.offsetHeight ? place : 0
  }).observe(root)
  model.on("tiles", build)
  model.on("groups", build)
  model.on("shown", show)
  model.on("remove", () => near.disconnect())
  build()
  return root
}
