export function render({ model }) {
  const send = makeFlow(model, () => tick())
  const group = `choice-${Math.random().toString(36).slice(2)}`
  const legend = element("legend", {className: "name"})
  const pills = element("div", {className: "pills"})
  const root = element("fieldset", {className: "choice"}, legend, pills)
  const chosen = () => (model.many ? model.value : model.value == null ? [] : [model.value])
  const tick = () => {
    for (const input of pills.querySelectorAll("input")) {
      input.checked = chosen().includes(input.value)
      input.disabled = model.disabled.includes(input.value)
    }
  }
  const build = () => {
    writeTerms(legend, model.label)
    legend.className = model.label_shown ? "name" : "name unseen"
    root.className = model.joined ? "choice joined" : "choice"
    keepFocus(pills, () => pills.replaceChildren(...model.options.map(([value, text, tip]) => {
      const input = element("input", {type: model.many ? "checkbox" : "radio", name: group, value})
      input.addEventListener("change", () => {
        const value = [...pills.querySelectorAll("input:checked")].map((i) => i.value)
        send("value", {value})
      })
      const pill = element("label", {className: "pill", title: tip}, input, element("span"))
      writeTerms(pill.lastChild, text, {still: true})
      return pill
    })))
    tick()
  }
  model.on("options", build)
  model.on("label", build)
  model.on("value", () => { if (send.resting()) tick() })
  model.on("disabled", tick)
  build()
  return root
}
