export function render({ model }) {
  const send = makeFlow(model, () => show())
  const list = element("ol", {className: "requirements"})
  const add = element("select", {className: "number adding"})
  const texts = model.texts
  add.setAttribute("aria-label", `Add a ${texts.item}`)
  const answers = element("ul", {className: "answers"})
  answers.setAttribute("aria-label", texts.answers)
  answers.setAttribute("aria-live", "polite")
  const note = element("p", {className: "rule"})
  const root = element("div", {}, list, add, answers, note)
  let shape = ""
  let inputs = []

  const fieldOf = (field, place) => {
    const input = field.options
      ? element("select", {className: "number"}, ...field.options.map(([value, text]) => element("option", {value, textContent: text})))
      : element("input", {type: "text", inputMode: "decimal", className: "number", autocomplete: "off", maxLength: 16})
    input.addEventListener("change", () => {
      const value = field.options ? input.value : typedNumber(input.value) ?? input.value
      send(`edit${place}${field.name}`, {kind: "edit", place, name: field.name, value})
    })
    input.addEventListener("keydown", (e) => { if (e.key === "Enter") input.blur() })
    const unit = element("span", {className: "unit", textContent: field.unit ?? ""})
    return {input, node: element("label", {}, element("span", {textContent: field.label}), element("span", {className: "entry"}, input, unit))}
  }

  const make = (row, place) => {
    const line = element("p", {className: "line-text"})
    const remove = element("button", {type: "button", className: "remove", textContent: "×", title: `Remove this ${texts.item}`})
    remove.setAttribute("aria-label", `Remove ${texts.item} ${place + 1}`)
    remove.addEventListener("click", () => send(`remove${place}`, {kind: "remove", place}))
    const fields = row.fields.map((field) => fieldOf(field, place))
    const problem = element("p", {className: "problem"})
    problem.setAttribute("role", "alert")
    const node = element("li", {}, element("div", {className: "top"}, line, remove), element("div", {className: "fields"}, ...fields.map((f) => f.node)), problem)
    return {node, line, problem, fields}
  }

  const shapeOf = (rows) => JSON.stringify(rows.map((row) => row.fields.map((f) => [f.name, f.label, f.unit, f.options])))
  const focused = (input) => input === input.getRootNode().activeElement

  const show = () => {
    if (shapeOf(model.rows) !== shape) {
      shape = shapeOf(model.rows)
      inputs = model.rows.map(make)
      keepFocus(list, () => list.replaceChildren(...inputs.map((r) => r.node)), {typed: true, otherwise: add})
    }
    model.rows.forEach((row, place) => {
      const r = inputs[place]
      r.line.textContent = unbroken(row.line)
      r.problem.textContent = row.problem
      r.problem.hidden = !row.problem
      row.fields.forEach((field, i) => { if (!focused(r.fields[i].input) || field.options) r.fields[i].input.value = field.value })
    })
    list.hidden = !model.rows.length
    // A list that is full offers nothing; disabled, it would lose the focus to whoever has just chosen the last one.
    const full = model.rows.length >= model.most
    add.replaceChildren(element("option", {value: "", textContent: full ? `no more than ${model.most}` : model.rows.length ? texts.more : texts.first}),
      ...(full ? [] : model.kinds).map(([value, text]) => element("option", {value, textContent: text})))
    add.value = ""
    showAnswers()
  }
  const showAnswers = () => {
    keepFocus(answers, () => answers.replaceChildren(...model.answers.map((one) => {
      const node = element("li", {}, element("b", {textContent: one.title}), element("span", {textContent: unbroken(one.text)}))
      node.className = one.hint || one.working ? "" : one.can || one.stands ? "kept" : "broken"
      if (one.apply) node.classList.add("below") // a button with a text of its own needs the whole width
      if (one.stands) node.append(element("span", {className: "stands", textContent: "stands now"}))
      else if (one.can) {
        const apply = element("button", {type: "button", className: "quiet", textContent: one.apply ?? texts.apply})
        apply.setAttribute("aria-label", `${one.apply ?? texts.apply}: ${one.title}`)
        apply.addEventListener("click", () => send("apply", {kind: "apply", key: one.key}))
        node.append(apply)
      }
      return node
    })), {otherwise: add})
    answers.hidden = !model.answers.length
    note.textContent = model.note
    note.hidden = !model.note || !model.answers.length
  }
  add.addEventListener("change", () => { if (add.value) send("add", {kind: "add", what: add.value}) })
  for (const p of ["rows", "kinds", "most"]) model.on(p, show)
  for (const p of ["answers", "note"]) model.on(p, showAnswers)
  show()
  return root
}
