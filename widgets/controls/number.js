export function render({ model }) {
  const send = makeFlow(model)
  const id = `number-${Math.random().toString(36).slice(2)}`
  const name = element("label", {htmlFor: id, className: model.label_shown ? "name" : "unseen"})
  writeTerms(name, model.label, {still: true})
  const input = element("input", {type: "number", id, className: "number", step: 1})
  const show = () => { input.min = model.start; input.max = model.end; input.value = model.value }
  input.addEventListener("change", () => send("value", {value: input.value}))
  model.on("value", show)
  model.on("start", show)
  model.on("end", show)
  model.on("ack", show) // what was refused gives way to what holds
  show()
  return element("div", {className: "number-row"}, name, input)
}
