export function render({ model }) {
  const send = makeFlow(model, () => tick())
  const group = `answers-${Math.random().toString(36).slice(2)}`
  const legend = element("legend", {className: "ask"})
  const list = element("div", {className: "answer-list"})
  const root = element("fieldset", {className: "answers-box"}, legend, list)
  const written = (text) => { const made = element("span"); writeTerms(made, text, {still: true}); return made }
  const tick = () => {
    for (const label of list.children) {
      const input = label.querySelector("input")
      const chosen = input.value === model.value
      const right = model.truth !== null && input.value === model.truth
      input.checked = chosen
      input.disabled = model.truth !== null
      label.className = ["answer", chosen ? "chosen" : "", right ? "right" : "", model.truth !== null && chosen && !right ? "other" : ""].join(" ")
      label.querySelector("em").textContent = right ? (chosen ? "✓ correct, as you said" : "✓ correct") : model.truth !== null && chosen ? "you said" : ""
    }
  }
  const build = () => {
    writeTerms(legend, model.label)
    list.replaceChildren(...model.options.map(([value, text]) => {
      const input = element("input", {type: "radio", name: group, value})
      input.addEventListener("change", () => send("value", {value}))
      return element("label", {className: "answer"}, input, written(text), element("em"))
    }))
    tick()
  }
  model.on("options", build)
  model.on("label", build)
  model.on("value", () => { if (send.resting()) tick() })
  model.on("truth", tick)
  build()
  return root
}
