export function render({ model }) {
  const send = makeFlow(model)
  const button = element("button", {type: "button", className: "quiet"})
  const show = () => { button.textContent = model.text; button.hidden = !model.text; button.title = model.tip; setBarred(button, model.disabled); button.classList.toggle("primary", model.primary) }
  onPress(button, () => send("click", {}))
  for (const p of ["text", "tip", "disabled", "primary"]) model.on(p, show)
  show()
  return button
}
