export function render({ model }) {
  const send = makeFlow(model)
  const bar = element("progress", {max: 1})
  const text = element("p", {className: "task-text"})
  text.setAttribute("role", "status")
  const button = element("button", {type: "button", className: "quiet"})
  const root = element("div", {className: "task"}, button, bar, text)
  const show = () => {
    bar.value = model.fraction
    bar.setAttribute("aria-label", model.label)
    bar.className = model.running ? "running" : ""
    bar.hidden = !model.running && !model.fraction // nothing was begun
    text.hidden = !model.running && !model.text
    text.textContent = model.text
    button.textContent = model.running ? model.stop_text : model.start_text
    button.disabled = model.disabled && !model.running
    button.classList.toggle("primary", model.primary && !model.running)
    root.classList.toggle("bare", model.bare)
  }
  button.addEventListener("click", () => send("press", {what: model.running ? "stop" : "start"}))
  drawOn(model, ["fraction", "text", "running", "start_text", "stop_text", "label", "disabled", "primary", "bare"], show)
  show()
  return root
}
