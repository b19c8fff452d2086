export function render({ model }) {
  const send = makeFlow(model, () => show())
  const id = `guess-${Math.random().toString(36).slice(2)}`
  const ask = element("label", {htmlFor: id, className: "ask"})
  const reading = element("output", {className: "reading-large", htmlFor: id})
  const input = element("input", {type: "range", id})
  const ends = element("div", {className: "ends"}, element("span"), element("span"))
  const marks = element("div", {className: "marks"})
  const root = element("div", {className: "guess-box"}, ask, reading, input, ends, marks)
  const written = (x) => `${model.share ? `${Math.round(100 * x)}\u202f%` : Number(x.toPrecision(4))}${model.unit ? ` ${model.unit}` : ""}`
  const at = (x) => `${100 * (x - model.start) / (model.end - model.start || 1)}%`
  const mark = (kind, x, text) => {
    const made = element("div", {className: `mark ${kind}`}, element("i"), element("span", {textContent: `${text} ${written(x)}`}))
    made.style.setProperty("--at", at(x))
    const share = (x - model.start) / (model.end - model.start || 1)
    made.classList.add(share < 0.25 ? "near-start" : share > 0.75 ? "near-end" : "middle")
    return made
  }
  const show = () => {
    writeTerms(ask, model.label, {still: true})
    Object.assign(input, {min: model.start, max: model.end, step: model.step})
    const done = model.truth !== null
    if (send.resting()) input.value = model.value ?? (model.start + model.end) / 2
    input.hidden = done
    input.classList.toggle("untouched", model.value === null && send.resting())
    ask.hidden = false
    reading.hidden = done
    const value = send.resting() ? model.value : Number(input.value)
    reading.textContent = value === null ? "Drag, or use the arrow keys" : written(value)
    reading.classList.toggle("empty", value === null)
    input.setAttribute("aria-valuetext", value === null ? "nothing yet" : written(value))
    ends.children[0].textContent = written(model.start)
    ends.children[1].textContent = written(model.end)
    marks.hidden = !done
    marks.replaceChildren(...(done ? [...(model.value === null ? [] : [mark("yours", model.value, "you said")]), mark("truth", model.truth, "it is")] : []))
    fillRange(input)
  }
  watchRange(input, (value) => {
    input.classList.remove("untouched")
    reading.textContent = written(value)
    reading.classList.remove("empty")
    fillRange(input)
    send("value", {value})
  })
  // A click where the handle stands already is an answer too.
  input.addEventListener("pointerup", () => send("value", {value: Number(input.value)}))
  input.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") send("value", {value: Number(input.value)}) })
  for (const p of ["value", "truth", "label", "start", "end", "step"]) model.on(p, show)
  show()
  return root
}
