// The address of the page. Panel's own way pushes an entry at every change and does not hear Back.
export function render({ model }) {
  const send = makeFlow(model)
  let pushed = model.pushes
  const show = () => {
    const wanted = model.query ? `?${model.query}` : location.pathname
    if (model.pushes !== pushed) {
      pushed = model.pushes
      if (wanted !== location.search) history.pushState(null, "", wanted)
    } else if (wanted !== location.search) history.replaceState(null, "", wanted)
  }
  const visit = () => send("visit", {query: location.search.slice(1)})
  addEventListener("popstate", visit)
  model.on("query", show)
  model.on("remove", () => removeEventListener("popstate", visit))
  if (model.query) show()
  return element("span", {hidden: true})
}
