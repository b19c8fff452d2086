// The address of the page. Panel's own way pushes an entry at every change and does not hear Back.
export function render({ model }) {
  const send = makeFlow(model)
  let pushed = model.entry[1]
  const show = () => {
    const [query, pushes] = model.entry
    const wanted = query ? `?${query}` : location.pathname
    const anew = pushes !== pushed
    pushed = pushes
    if (wanted === location.search) return
    if (anew) history.pushState(null, "", wanted)
    else history.replaceState(null, "", wanted)
  }
  const visit = () => send("visit", {query: location.search.slice(1)})
  addEventListener("popstate", visit)
  model.on("entry", show)
  model.on("remove", () => removeEventListener("popstate", visit))
  if (model.entry[0]) show()
  return element("span", {hidden: true})
}
