export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `closer-${Math.random().toString(36).slice(2)}`
  const name = element("h2", {id: `${id}-name`})
  const first = element("div", {className: "tabs"})
  const second = element("div", {className: "tabs second", id: `${id}-second`})
  const more = element("button", {type: "button", className: "tab more", textContent: "For experts ▾"})
  more.setAttribute("aria-controls", second.id)
  const bar = element("div", {className: "bar"}, name, first, more, second)
  const area = element("div", {className: "area", id: `${id}-area`}, model.get_child("area"))
  area.setAttribute("role", "tabpanel")
  const root = element("div", {}, bar, area)
  let wide = false // whether the experts' row is shown
  let tabs = []

  const open = (key) => send("opened", {opened: key})
  const make = (row, options, label) => {
    row.setAttribute("role", "tablist")
    row.setAttribute("aria-label", label)
    const made = options.map(([key, title]) => {
      const tab = element("button", {type: "button", className: "tab", textContent: title, id: `${id}-${key}`})
      tab.setAttribute("role", "tab")
      tab.setAttribute("aria-controls", area.id)
      tab.addEventListener("click", () => open(key))
      return {tab, key}
    })
    row.replaceChildren(...made.map((one) => one.tab))
    // Arrows, Home and End walk through a row and open what they reach; Tab leaves it.
    row.onkeydown = (e) => {
      const at = made.findIndex((one) => one.tab === e.target)
      const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: made.length - 1}[e.key]
      if (at < 0 || to === undefined) return
      e.preventDefault()
      const next = made[(to + made.length) % made.length]
      next.tab.focus()
      open(next.key)
    }
    return made
  }
  const build = () => {
    name.textContent = model.label
    const rows = [make(first, model.titles, model.label), make(second, model.expert_titles, "For experts")]
    tabs = rows.flat()
    more.hidden = !model.expert_titles.length
    bar.hidden = !model.tabs_shown
    show()
  }
  const show = () => {
    const expert = model.expert_titles.some(([key]) => key === model.opened)
    second.hidden = !(wide || expert) || !model.expert_titles.length
    more.setAttribute("aria-expanded", String(!second.hidden))
    for (const row of [model.titles, model.expert_titles]) {
      const here = row.some(([key]) => key === model.opened)
      row.forEach(([key], place) => {
        const {tab} = tabs.find((one) => one.key === key)
        const chosen = key === model.opened
        tab.setAttribute("aria-selected", String(chosen))
        tab.tabIndex = chosen || (!here && place === 0) ? 0 : -1
      })
    }
    area.hidden = !model.opened
    if (model.opened) area.setAttribute("aria-labelledby", `${id}-${model.opened}`)
    else area.removeAttribute("aria-labelledby")
  }
  more.addEventListener("click", () => {
    wide = second.hidden
    if (!wide && model.expert_titles.some(([key]) => key === model.opened) && model.titles.length) open(model.titles[0][0])
    show()
  })
  // Whether there is more to see of the view than its title and caption: only then it follows a slider that is dragged.
  let told = model.in_view
  const watcher = new IntersectionObserver((entries) => {
    const seen = entries.at(-1).isIntersecting
    if (seen === told) return
    told = seen
    send("in_view", {in_view: seen})
  }, {rootMargin: "-40px 0px -110px"})
  watcher.observe(area)
  model.on("remove", () => watcher.disconnect())
  for (const p of ["titles", "expert_titles", "label", "tabs_shown"]) model.on(p, build)
  model.on("opened", () => { if (send.resting()) show() })
  build()
  return root
}
