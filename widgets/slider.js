export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `slider-${Math.random().toString(36).slice(2)}`
  const name = element("label", {htmlFor: id, className: "name"})
  const input = element("input", {type: "range", id})
  const text = element("output", {htmlFor: id})
  const root = element("div", {className: "slider"}, name, element("div", {className: "row"}, input, text))
  let held = false
  const show = () => {
    name.textContent = model.label
    name.hidden = !model.label_shown
    if (!model.label_shown) input.setAttribute("aria-label", model.label)
    input.min = model.start
    input.max = model.end
    input.step = model.step
    if (!held) input.value = model.value
    input.disabled = model.disabled
    text.textContent = model.readout
    input.setAttribute("aria-valuetext", model.readout)
    root.title = model.tip
    fillRange(input)
  }
  watchRange(input, (value, done) => {
    held = !done
    fillRange(input)
    send("value", {value, done})
  })
  for (const p of ["label", "label_shown", "start", "end", "step", "value", "readout", "disabled", "tip"]) model.on(p, show)
  show()
  return root
}
