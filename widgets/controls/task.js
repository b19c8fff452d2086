export function render({ model }) {
  const send = makeFlow(model)
  const bar = element("progress", {max: 1})
  const text = element("p", {className: "task-text"})
  text.setAttribute("role", "status")
  const button = element("button", {type: "button", className: "quiet"})
  const root = element("div", {className: "task"}, button, bar, text)
  let underWay = false
  const show = () => {
    bar.value = model.fraction
    bar.setAttribute("aria-label", model.label)
    bar.className = model.running ? "running" : ""
    bar.hidden = !model.running && !model.fraction // nothing was begun
    // Screen readers say how it begins and how it ends; on the way there is something new several times a second.
    text.setAttribute("aria-live", underWay && model.running ? "off" : "polite")
    underWay = model.running
    if (text.textContent !== model.text) text.textContent = model.text
    button.textContent = model.running ? model.stop_text : model.start_text
    setBarred(button, (model.disabled || model.away) && !model.running)
    button.classList.toggle("primary", model.primary && !model.running)
    root.classList.toggle("bare", model.bare)
    // What has the focus is not taken away: whoever waits there would be sent back to the top of the page.
    root.hidden = model.away && !root.contains(root.getRootNode().activeElement)
  }
  onPress(button, () => send("press", {what: model.running ? "stop" : "start"}))
  root.addEventListener("focusout", () => { if (model.away) requestAnimationFrame(show) })
  drawOn(model, ["fraction", "text", "running", "start_text", "stop_text", "label", "disabled", "primary", "bare", "away"], show)
  show()
  return root
}
