const KEPT = {kept: "trustscope-lessons", kept_lessons: "trustscope-own-lessons", kept_draft: "trustscope-draft", kept_before: "trustscope-draft-before"}
const MOST = {kept: 100_000, kept_lessons: 1_000_000, kept_draft: 1_000_000, kept_before: 1_000_000} // characters that are sent

export function render({ model }) {
  const send = makeFlow(model)
  const seen = {} // what this page has read or written last
  const read = (name, nothing, most = MOST[name]) => {
    try {
      const text = localStorage.getItem(KEPT[name]) ?? ""
      return !text || text.length > most ? nothing : JSON.parse(text)
    } catch { return nothing } // a private window keeps nothing
  }
  const found = (name, nothing) => (seen[name] = read(name, nothing))
  // Another tab may have written meanwhile: of what has names only that is written, or removed, which this page changed.
  const joined = (mine, before, there) => {
    const gone = Object.keys(before).filter((one) => !(one in mine))
    const news = Object.entries(mine).filter(([one, value]) => JSON.stringify(value) !== JSON.stringify(before[one]))
    return {...Object.fromEntries(Object.entries(there).filter(([one]) => !gone.includes(one))), ...Object.fromEntries(news)}
  }
  const write = (name, value) => { try { localStorage.setItem(KEPT[name], JSON.stringify(value)) } catch { /* kept nowhere */ } }
  const keep = (name) => {
    const mine = model[name]
    if (mine === null) return
    if (typeof mine === "string") {
      const there = read(name, "")
      if (name === "kept_draft" && there && there !== mine && there !== seen[name]) write("kept_before", there)
      write(name, mine)
    } else {
      write(name, joined(mine, seen[name] ?? {}, read(name, {}, Infinity)))
    }
    seen[name] = structuredClone(mine)
  }
  for (const name of Object.keys(KEPT)) model.on(name, () => keep(name))
  if (model.kept === null) send("found", {found: found("kept", {}), lessons: found("kept_lessons", {}), draft: found("kept_draft", ""), before: read("kept_before", "")})
  model.on("msg:custom", ({go}) => { if (go) location.assign(new URL(go, location.origin).pathname + new URL(go, location.origin).search) })
  return element("span", {hidden: true})
}
