const KEPT = {kept: "trustscope-lessons", kept_lessons: "trustscope-own-lessons", kept_draft: "trustscope-draft"}
const MOST = {kept: 100_000, kept_lessons: 1_000_000, kept_draft: 1_000_000} // characters that are sent

export function render({ model }) {
  const send = makeFlow(model)
  const read = (name, nothing) => {
    try {
      const text = localStorage.getItem(KEPT[name]) ?? ""
      return !text || text.length > MOST[name] ? nothing : JSON.parse(text)
    } catch { return nothing } // a private window keeps nothing
  }
  const keep = (name) => {
    if (model[name] === null) return
    try { localStorage.setItem(KEPT[name], JSON.stringify(model[name])) } catch { /* kept nowhere */ }
  }
  for (const name of Object.keys(KEPT)) model.on(name, () => keep(name))
  if (model.kept === null) send("found", {found: read("kept", {}), lessons: read("kept_lessons", {}), draft: read("kept_draft", "")})
  model.on("msg:custom", ({go}) => { if (go) location.assign(new URL(go, location.origin).pathname + new URL(go, location.origin).search) })
  return element("span", {hidden: true})
}
