export function render({ model }) {
  const send = makeFlow(model, () => tick())
  const body = element("tbody")
  const heads = ["question", "your answer", "sent", "belief in your answer"]
  const table = element("table", {}, element("caption", {className: "unseen"}),
    element("thead", {}, element("tr", {}, ...heads.map((textContent) => element("th", {scope: "col", textContent})))), body)
  const root = element("div", {className: "questionnaire"}, table)
  const FEW = 3
  const SHORT = 20 // letters of all answers, so that their pills fit beside each other
  let rows = []

  // What is not quite certain does not read as certain.
  const told = (belief) => (belief > 0.99 && belief < 1 ? "> 99" : belief > 0 && belief < 0.01 ? "< 1" : Math.round(100 * belief))
  const build = () => {
    table.caption.textContent = model.label
    rows = model.questions.map(([question, answers], place) => {
      const name = `q${place}-${Math.random().toString(36).slice(2)}`
      const choose = (value) => send(`row${place}`, {row: place, value})
      let control, set
      if (answers.length <= FEW && answers.join("").length <= SHORT) {
        const inputs = answers.map((answer, code) => {
          const input = element("input", {type: "radio", name, value: code})
          input.setAttribute("aria-label", `${question}: ${answer}`)
          input.addEventListener("change", () => choose(code))
          return [input, element("label", {className: "pill"}, input, element("span", {textContent: answer}))]
        })
        control = element("span", {className: "pills"}, ...inputs.map(([, label]) => label))
        set = (code) => inputs.forEach(([input], n) => { input.checked = n === code })
      } else {
        control = element("select", {}, ...answers.map((textContent, value) => element("option", {value, textContent})))
        control.setAttribute("aria-label", question)
        control.addEventListener("change", () => choose(Number(control.value)))
        set = (code) => { control.value = code }
      }
      const sent = element("span", {className: "chip"})
      const before = element("i", {className: "before"})
      const after = element("i", {className: "after"})
      const kept = element("i", {className: "kept", hidden: true})
      const text = element("small")
      const node = element("tr", {}, element("th", {scope: "row", title: question, textContent: question}), element("td", {}, control),
        element("td", {}, sent), element("td", {}, element("span", {className: "belief"}, after, before, kept), text))
      return {node, set, sent, before, after, kept, text}
    })
    body.replaceChildren(...rows.map((r) => r.node))
  }
  const tick = () => rows.forEach((row, place) => row.set(model.value[place]))
  const show = () => {
    const n = rows.length
    if (model.sent.length !== n || model.before.length !== n || model.after.length !== n) return // the rest is on its way
    rows.forEach((row, place) => {
      const [state, text] = model.sent[place]
      row.sent.className = `chip ${state}`
      row.sent.textContent = row.sent.title = text
      const [before, after] = [model.before[place], model.after[place]]
      row.before.style.left = `${100 * before}%`
      row.after.style.width = `${100 * after}%`
      const was = model.ghost.length === n ? model.ghost[place] : null
      row.kept.hidden = was === null
      if (was !== null) row.kept.style.left = `${100 * was}%`
      row.after.classList.toggle("sure", after >= 0.9)
      row.text.textContent = `${told(before)} → ${told(after)} %`
    })
  }
  model.on("questions", () => { build(); tick(); show() })
  model.on("value", () => { if (send.resting()) tick() })
  for (const p of ["sent", "before", "after", "ghost"]) model.on(p, show)
  build()
  tick()
  show()
  return root
}
