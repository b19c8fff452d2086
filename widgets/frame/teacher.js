// What students may see and touch: ticked in Share, named in the link.
function makeTeacher(model) {
  const KINDS = [["card", "Cards"], ["controls", "Controls"], ["tool", "Tools"]]
  const on = element("input", {type: "checkbox"})
  const lists = element("div", {className: "teacher-parts", hidden: true})
  const root = element("fieldset", {className: "teacher"},
    element("legend", {className: "unseen", textContent: "What the link shows"}),
    element("label", {}, on, element("span", {textContent: "Show only a part of this page, for a class"})), lists)
  let ticks = []
  let shown = ""
  const show = () => {
    const now = JSON.stringify(model.parts)
    if (now === shown) return
    shown = now
    on.checked = false
    lists.hidden = true
    ticks = model.parts.map(([kind, key, title]) => {
      const input = element("input", {type: "checkbox", checked: kind !== "tool"})
      return {kind, key, input, node: element("label", {}, input, element("span", {textContent: title}))}
    })
    lists.replaceChildren(...KINDS.map(([kind, name]) => {
      const group = element("fieldset", {}, element("legend", {textContent: name}), ...ticks.filter((one) => one.kind === kind).map((one) => one.node))
      return group
    }), element("p", {textContent: "Whoever opens the link sees what is ticked and nothing else, whatever they press. Other pages are left out."}))
  }
  on.addEventListener("change", () => { lists.hidden = !on.checked })
  show()
  const named = () => {
    if (!on.checked) return ""
    const keys = ticks.filter((one) => one.input.checked).map((one) => one.key).sort()
    return `&show=${keys.join(".") || "none"}`
  }
  return {root, show, named}
}
