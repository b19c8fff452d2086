export function render({ model }) {
  const send = makeFlow(model)
  const id = `secret-${Math.random().toString(36).slice(2)}`
  const name = element("label", {htmlFor: id, className: "name"})
  const input = element("input", {type: "password", id, className: "number", autocomplete: "off", spellcheck: false})
  input.style.width = "100%"
  const show = () => { name.textContent = model.label }
  input.addEventListener("change", () => send("secret", {secret: input.value}))
  model.on("msg:custom", (data) => { if (data.clear) input.value = "" })
  model.on("label", show)
  show()
  return element("div", {}, name, input)
}
