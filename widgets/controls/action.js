export function render({ model }) {
  const send = makeFlow(model)
  const button = element("button", {type: "button", className: "quiet"})
  const show = () => { button.textContent = model.text; button.hidden = !model.text; button.title = model.tip; button.disabled = model.disabled; button.classList.toggle("primary", model.primary) }
  button.addEventListener("click", () => send("click", {}))
  for (const p of ["text", "tip", "disabled", "primary"]) model.on(p, show)
  show()
  return button
}
