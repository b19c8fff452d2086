export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `slider-${Math.random().toString(36).slice(2)}`
  const name = element("label", {htmlFor: id, className: "name"})
  const input = element("input", {type: "range", id})
  const box = element("input", {type: "text", inputMode: "decimal", className: "typed", autocomplete: "off"})
  const text = element("output", {htmlFor: id})
  const root = element("div", {className: "slider"}, name, element("div", {className: "row"}, input, box, text))
  let held = false
  // Where there are stops the range counts them, and the model keeps the stop itself.
  const stops = () => (model.stops.length ? model.stops : null)
  const nearest = (value) => stops().reduce((best, stop, i, all) => (Math.abs(stop - value) < Math.abs(all[best] - value) ? i : best), 0)
  const place = (value) => (stops() ? nearest(value) : value)
  const value = (place) => (stops() ? stops()[place] : place)
  const written = (number) => String(Number((number * model.scale).toPrecision(6)))
  const typing = () => box === box.getRootNode().activeElement
  const show = () => {
    writeTerms(name, model.label, {still: true})
    name.hidden = !model.label_shown
    if (!model.label_shown) input.setAttribute("aria-label", model.label)
    input.min = stops() ? 0 : model.start
    input.max = stops() ? stops().length - 1 : model.end
    input.step = stops() ? 1 : model.step
    // An answer that was overtaken must not pull the handle back.
    if (!held && send.resting()) input.value = place(model.value)
    if (!typing() && send.resting()) box.value = written(held ? value(Number(input.value)) : model.value)
    box.hidden = !model.typed
    box.setAttribute("aria-label", `${model.label}, typed`)
    input.disabled = box.disabled = model.disabled
    text.textContent = model.readout
    text.hidden = !model.readout
    input.setAttribute("aria-valuetext", model.typed ? `${written(model.value)} ${model.readout}`.trim() : model.readout || written(model.value))
    root.title = model.tip
    fillRange(input)
  }
  watchRange(input, (at, done) => {
    held = !done
    fillRange(input)
    if (!typing()) box.value = written(value(at))
    send("value", {value: value(at), done})
  })
  box.addEventListener("change", () => {
    const number = typedNumber(box.value)
    if (number === null) box.value = written(model.value)
    else send("value", {value: number / model.scale, done: true})
  })
  box.addEventListener("keydown", (e) => { if (e.key === "Enter") box.blur() })
  const watched = ["label", "label_shown", "start", "end", "step", "stops", "scale", "typed", "value", "readout", "disabled", "tip"]
  for (const p of watched) model.on(p, show)
  show()
  return root
}
