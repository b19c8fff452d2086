export function render({ model }) {
  const send = makeFlow(model, () => show())
  const input = element("input", {type: "checkbox", role: "switch"})
  const text = element("span", {})
  const root = element("label", {className: "switch"}, input, text)
  const show = () => {
    input.checked = model.value
    input.disabled = model.disabled
    writeTerms(text, model.text, {still: true})
    root.title = model.tip
  }
  input.addEventListener("change", () => send("value", {value: input.checked}))
  for (const p of ["text", "tip", "disabled"]) model.on(p, show)
  model.on("value", () => { if (send.resting()) show() })
  show()
  return root
}
