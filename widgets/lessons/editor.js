const STEP_KINDS = {look: "Look at it", explain: "Explain it", try: "Let them try", predict: "Ask what they expect", reveal: "Show the answer"}
const ANSWERED = ["question", "example", "fill"] // asked for, these come back as a draft that goes on from what stands
const QUESTIONS = {choice: "Choose an answer", number: "Set a number", curve: "Draw a curve", ranking: "Put in order"}

export function render({ model }) {
  const send = makeFlow(model)
  let draft = structuredClone(model.given[0])
  let lists = 0
  let change = model.given[1]
  let asked = null // for which draft the server has not answered yet
  const past = Object.keys(model.before).length ? [structuredClone(model.before)] : [] // drafts that can be brought back
  const changed = () => send("draft", {kind: "draft", draft, change: ++change})
  const ask = (kind, place = 0, other = 0) => { asked = ANSWERED.includes(kind) ? [kind, place, other] : null; changed(); send(kind, {kind, place, other}) }
  const remember = () => {
    if (!(draft.steps?.length || draft.title || draft.about || draft.learnt)) return
    past.push(structuredClone(draft))
    if (past.length > 50) past.shift()
    setBarred(back, false)
  }
  const reshape = (act) => { remember(); act(); changed(); show() } // what takes something away can be taken back
  const button = (textContent, act, className = "small-act") => {
    const made = element("button", {type: "button", className, textContent})
    onPress(made, act)
    return made
  }
  // A field writes into the draft as one types; what is typed is never overwritten by an answer of the server.
  const field = (label, target, name, {long = false, number = false, list = "", placeholder = "", after = null} = {}) => {
    const input = element(long ? "textarea" : "input", {value: target[name] ?? "", placeholder})
    if (!long) input.type = "text"
    if (list) input.setAttribute("list", list)
    if (number) input.inputMode = "decimal"
    input.addEventListener("input", () => {
      const value = number ? typedNumber(input.value) : input.value
      target[name] = value === null ? input.value : value
      changed()
    })
    if (after) input.addEventListener("change", after)
    return element("label", {className: long ? "wide" : ""}, element("span", {textContent: label}), input)
  }
  const choose = (label, options, value, act) => {
    const select = element("select", {}, ...Object.entries(options).map(([key, text]) => element("option", {value: key, textContent: text})))
    select.value = value
    select.addEventListener("change", () => act(select.value))
    return element("label", {}, element("span", {textContent: label}), select)
  }
  const ticks = (title, offered, step, name) => element("fieldset", {className: "ticks"}, element("legend", {textContent: title}), ...offered.map(([key, text]) => {
    const box = element("input", {type: "checkbox", checked: (step[name] ?? []).includes(key)})
    box.addEventListener("change", () => {
      const keys = new Set(step[name] ?? [])
      if (box.checked) keys.add(key)
      else keys.delete(key)
      step[name] = offered.map(([one]) => one).filter((one) => keys.has(one))
      changed()
    })
    return element("label", {className: "tick"}, box, text)
  }))

  const figuresOf = (place) => {
    const id = `figures-${++lists}`
    const list = element("datalist", {id}, ...(model.figures[place] ?? []).map(([name, label, value, unit]) =>
      element("option", {value: /^[\w.]+$/.test(name) ? name : `figure("${name}")`, textContent: `${label}: ${unit === "share" ? `${Math.round(100 * value)} %` : Number(Number(value).toPrecision(3))}`})))
    return [id, list]
  }
  const rows = (question, name, least, fields) => {
    question[name] ??= Array.from({length: least}, () => ({}))
    const box = element("div", {className: "rows"}, ...question[name].map((row, i) => element("div", {className: "one-row"}, ...fields(row, i),
      button("Remove", () => reshape(() => question[name].splice(i, 1))))))
    box.append(button("One more", () => { question[name].push({}); changed(); show() }))
    return box
  }
  const questionForm = (step, place) => {
    const q = (step.question ??= {kind: "choice", said: {close: "", far: ""}})
    q.said ??= {close: "", far: ""}
    const [list, datalist] = figuresOf(place)
    const parts = [choose("Kind of question", QUESTIONS, q.kind, (kind) => reshape(() => { q.kind = kind })), field("Question", q, "ask", {long: true}), datalist]
    const shown = () => choose("Written", {share: "in per cent", plain: "as a plain number"}, q.shown ?? "share", (value) => { q.shown = value; changed() })
    if (q.kind === "choice") parts.push(rows(q, "options", 2, (row, i) => [field(`Answer ${String.fromCharCode(65 + i)}`, row, "text"), field("is right when", row, "when", {list, placeholder: "hits.together > hits.alone"})]))
    if (q.kind === "number") { q.shown ??= "share"; parts.push(field("Figure", q, "figure", {list}), shown(), field("Still close within", q, "close", {number: true})) }
    if (q.kind === "curve") {
      q.shown ??= "share"
      parts.push(field("Figure", q, "figure", {list}), shown(), field("Setting that varies", q, "vary", {placeholder: "settings.recipients[0].trust"}), placesField(q),
        field("Name of the axis below", q, "x_label"), field("Name of the axis at the left", q, "y_label"), field("Still close within", q, "close", {number: true}))
    }
    if (q.kind === "ranking") parts.push(rows(q, "items", 3, (row) => [field("Thing", row, "text"), field("Figure", row, "figure", {list})]))
    parts.push(field("Said to whoever is close", q.said, "close", {long: true}), field("Said to whoever is not", q.said, "far", {long: true}),
      button("Compute what is true", () => ask("fill"), "small-act strong"))
    return element("div", {className: "question"}, ...parts)
  }
  const placesField = (q) => {
    const input = element("input", {type: "text", value: (q.places ?? []).join(", "), placeholder: "10, 30, 50, 70"})
    input.addEventListener("input", () => { q.places = input.value.split(/[,;\s]+/).map(Number).filter((n) => input.value && Number.isFinite(n)); changed() })
    return element("label", {}, element("span", {textContent: "Its values"}), input)
  }
  const tryForm = (step, place) => {
    const [list, datalist] = figuresOf(place)
    const text = element("textarea", {value: JSON.stringify(step.example ?? {})})
    text.addEventListener("input", () => { try { step.example = JSON.parse(text.value) } catch { step.example = text.value } changed() })
    const others = Object.fromEntries([["", "take it from a step …"], ...draft.steps.map((_, i) => [String(i), `as in step ${i + 1}`]).filter(([i]) => Number(i) !== place)])
    return element("div", {className: "question"}, datalist, field("Goal, an expression that becomes true", step, "goal", {list, placeholder: "hits.together < 0.3"}),
      element("label", {className: "wide"}, element("span", {textContent: "Example: changes that reach it (JSON)"}), text),
      choose("Example", others, "", (i) => { if (i !== "") ask("example", place, Number(i)) }),
      field("Hint", step, "hint", {long: true}), field("Said when it is done", step, "done", {long: true}))
  }
  const revealForm = (step, place) => {
    const asked = draft.steps.slice(0, place).filter((one) => one.kind === "predict" && one.name)
    return choose("Answer of", Object.fromEntries([["", "choose a question"], ...asked.map((one) => [one.name, one.title || one.name])]), step.of ?? "", (name) => { step.of = name; changed() })
  }
  const stepForm = (step, place) => {
    const page = step.scenario?.page ?? draft.page
    const offered = model.parts[page] ?? {cards: [], controls: []}
    const move = (by) => {
      const [one] = draft.steps.splice(place, 1)
      draft.steps.splice(place + by, 0, one)
      changed()
      show()
      const [higher, lower] = steps.children[place + by].querySelectorAll(".step-head button") // the focus goes with the step
      for (const again of by < 0 ? [lower, higher] : [higher, lower]) again.focus()
    }
    const kind = (value) => reshape(() => { step.kind = value; if (value === "predict") step.name ||= `q${Date.now() % 100000}` })
    const up = button("Up", () => move(-1))
    const down = button("Down", () => move(1))
    up.disabled = place === 0
    down.disabled = place === draft.steps.length - 1
    const form = element("section", {className: "step"}, element("div", {className: "step-head"}, element("h3", {textContent: `Step ${place + 1} · page ${page}`}), up, down,
      ...(step.kind === "look" || step.kind === "explain" ? [button("Ask a question before it", () => ask("question", place))] : []),
      button("Remove", () => reshape(() => draft.steps.splice(place, 1)))),
      element("div", {className: "fields"}, choose("Kind", STEP_KINDS, step.kind, kind), field("Title", step, "title"), field("Text, at most 60 words with its question", step, "text", {long: true})))
    if (step.kind === "predict") form.append(questionForm(step, place))
    if (step.kind === "try") form.append(tryForm(step, place))
    if (step.kind === "reveal") form.append(element("div", {className: "fields"}, revealForm(step, place)))
    if (step.kind !== "predict") form.append(ticks("Cards", offered.cards, step, "cards"), ticks("Controls", offered.controls, step, "controls"))
    form.setAttribute("aria-label", `Step ${place + 1}`)
    return form
  }

  const head = element("div", {className: "fields"})
  const steps = element("div", {})
  const verdict = element("p", {className: "verdict", role: "status"})
  const problems = element("ul", {className: "problems"})
  const save = button("Save as a file", () => ask("save"), "small-act strong")
  const play = button("Take it", () => ask("play"))
  const back = button("Bring back", () => {
    draft = past.pop()
    setBarred(back, !past.length)
    changed()
    show()
  })
  back.title = "What stood here before the last step was removed, computed or begun anew"
  setBarred(back, !past.length)
  const aside = element("aside", {}, verdict, problems, element("div", {className: "acts"}, save, play, back, button("Begin anew", () => ask("clear")), button("All lessons", () => ask("leave"))))
  aside.setAttribute("aria-label", "Check")
  const hint = element("p", {className: "hint", textContent: "To add a step, go to a page, set it as the step is to show it, and choose Share, then “Make this page a step”. Numbers in texts stand in braces with what they are: {51 % = hits.together | share}."})
  const root = element("div", {className: "writing"}, element("div", {className: "form"}, element("h1", {textContent: "Write a lesson"}), hint, head, steps), aside)

  const show = () => {
    const top = root.closest("main")?.scrollTop ?? 0
    draft.steps ??= []
    keepFocus(root, () => {
      head.replaceChildren(field("Title", draft, "title"), field("Name in links", draft, "id", {placeholder: "follows from the title"}), field("About, one sentence", draft, "about"), field("Minutes", draft, "minutes", {number: true}),
        field("What is learnt, in one sentence", draft, "learnt", {long: true}))
      steps.replaceChildren(...draft.steps.map(stepForm))
    })
    if (root.closest("main")) root.closest("main").scrollTop = top
  }
  const judge = () => {
    const good = !model.problems.length && !model.checking
    verdict.textContent = model.checking ? "Checking …" : good ? "All checks passed." : model.problems.length === 1 ? "One thing is missing or not so:" : `${model.problems.length} things are missing or not so:`
    verdict.classList.toggle("good", good)
    problems.replaceChildren(...model.problems.map((text) => element("li", {textContent: text})))
    setBarred(play, model.problems.length > 0 || model.checking)
  }
  model.on("given", () => {
    const [given, taken] = model.given
    const again = asked
    asked = null
    if (taken < change) { // what was typed meanwhile is never replaced: what was asked for is asked of that
      if (again) ask(...again)
      return
    }
    remember()
    draft = structuredClone(given)
    show()
  })
  const suggest = () => { // figures that have come do not disturb who is typing
    if (!root.getRootNode().activeElement?.matches("input, textarea, select")) show()
  }
  model.on("figures", suggest)
  drawOn(model, ["problems", "checking"], judge)
  model.on("msg:custom", ({name, text}) => handOver(name, text, "application/json"))
  show()
  judge()
  return root
}
