// A lesson in a file: the app's room, led by what was recorded.

// Whether a prediction comes close to the truth, as `lessons/prediction.py` has it.
function comesClose({truth, within}, value) {
  if (within === null) return JSON.stringify(value) === JSON.stringify(truth)
  if (!Array.isArray(truth)) return Math.abs(value - truth) <= within
  return value.reduce((sum, one, i) => sum + Math.abs(one - truth[i]), 0) / truth.length <= within
}

// A prediction as it is read.
function inWords({kind, properties}, value) {
  const texts = Object.fromEntries((properties.options ?? []).map(([name, text]) => [name, text]))
  if (kind === "Answers") return texts[value]
  if (kind === "Ranking") return value.map((one, i) => `${i + 1}. ${texts[one]}`).join("; ")
  const written = (x) => properties.share ? `${Math.round(100 * x)}\u202f%` : `${Number(x.toPrecision(4))}${properties.unit ? ` ${properties.unit}` : ""}`
  return [value].flat().map(written).join(", ")
}

class Lesson {
  constructor(data) {
    this.data = data
    this.place = Math.min(Math.max((Number(location.hash.slice(1)) || 1) - 1, 0), data.steps.length)
    this.predictions = {}
    this.done = new Set()
    this.boards = new Map()
    this.question = element("div")
    this.side = element("div", {className: "levers"})
    this.page = element("div", {className: "pictures"})
    const start = {said: {}, ending: {}, next_text: "", next_primary: true, can_go_back: false, steps_shown: true, ways_out: false, teachable: false,
      large: false, free: false, working: false, side_shown: false, page_shown: false, asked: false}
    const outside = sheetOf(".pictures, .levers { display: grid; gap: 12px; } .card { background: var(--ts-card); border: 1px solid var(--ts-line); border-radius: 10px; padding: 12px 14px 8px; min-width: 0; display: flex; flex-direction: column; gap: 4px; } [hidden] { display: none !important; } @media (max-width: 820px) { .sheet, .controls-card, .page { align-self: stretch; } }")
    this.model = new Model({...start, step: this.words(), top: this.top()}, {
      receive: ({kind}) => { if (kind === "next") this.go(1); if (kind === "back") this.go(-1) },
      children: {question: this.question, side: this.side, page: this.page},
    })
    this.room = place(data.room_styles, controls.LessonRoom.render({model: this.model}))
    this.room.shadowRoot.adoptedStyleSheets = [...this.room.shadowRoot.adoptedStyleSheets, outside]
    this.turn()
  }
  get step() { return this.data.steps[this.place] ?? null }
  words() {
    const {lesson, learnt, steps, words} = this.data
    return this.step?.words ?? {lesson: lesson.title, title: words.end, kind: "end", html: learnt, number: steps.length + 1, of: steps.length}
  }
  top() { return this.step?.top ?? true }

  go(by) {
    const {following, home, steps} = this.data
    if (this.place + by > steps.length) { location.href = following?.address ?? home; return }
    this.place = Math.max(this.place + by, 0)
    try { history.replaceState(null, "", `#${this.place + 1}`) } catch { /* a frame may forbid it */ }
    this.turn()
    scrollTo({top: 0})
  }

  turn() {
    const {step} = this
    this.show()
    this.ask()
    this.model.set({
      step: this.words(), top: this.top(), can_go_back: this.place > 0, asked: Boolean(step?.asks || step?.of),
      page_shown: Boolean(step && step.board !== null), side_shown: Boolean(step?.levers.length),
      ending: step ? {} : {rows: this.rows()},
    })
    this.say()
    this.steer()
  }

  // What stands beside the words. Boards stay: a step that shows the same again needs no new drawings.
  show() {
    const {step} = this
    this.side.replaceChildren()
    for (const {node} of this.boards.values()) node.hidden = true
    if (!step || step.board === null) return
    if (!this.boards.has(step.board)) {
      const node = element("div", {className: "pictures"})
      const made = this.data.boards[step.board]
      const board = new Board(made, this.data.styles, {home: (card) => {
        const home = card === "headline" ? element("div") : element("section", {className: "card"})
        node.append(home)
        return home
      }})
      this.boards.set(step.board, {node, board})
      this.page.append(node)
    }
    const {node, board} = this.boards.get(step.board)
    node.hidden = false
    const levers = new Levers(step.levers, this.data.input_styles, (done) => {
      board.show(step.first + levers.position)
      if (done) this.judge(levers.position)
    })
    this.side.append(...levers.nodes)
    board.show(step.first + levers.position)
    this.expect(board)
    this.judge(levers.position)
  }
  // Bars beside which what was drawn is marked.
  expect(board) {
    const question = this.data.questions[this.step.of]
    const drawn = question?.curve ? this.predictions[this.step.of] ?? [] : []
    board.model("Pooling")?.set({expected: drawn})
  }
  judge(position) {
    if (this.step?.words.kind !== "try" || !this.step.goals[position] || this.done.has(this.place)) return
    this.done.add(this.place)
    this.say()
    this.steer()
  }

  ask() {
    const {step, data} = this
    const name = step?.asks || step?.of
    this.question.replaceChildren()
    if (!name) return
    const asked = data.questions[name]
    const truth = step.of ? asked.truth : null
    const model = new Model({...asked.properties, value: this.predictions[name] ?? null, truth}, {receive: ({value}) => {
      if (truth !== null) return
      this.predictions[name] = value
      model.set({value})
      this.steer()
    }})
    this.question.append(place(asked.styles, controls[asked.kind].render({model})))
  }

  say() {
    const {step} = this
    let said = {}
    if (step?.words.kind === "try") said = this.done.has(this.place) ? {html: step.done, tone: "close"} : {html: step.hint, tone: "hint"}
    if (step?.of && step.of in this.predictions) {
      const asked = this.data.questions[step.of]
      const tone = comesClose(asked, this.predictions[step.of]) ? "close" : "far"
      said = {html: asked.said[tone], tone}
    }
    this.model.set({said})
  }
  steer() {
    const {step, data: {steps, words, following, home}} = this
    if (!step) {
      this.model.set({next_text: following ? `Next lesson: ${following.title}` : home ? "All lessons" : "", next_primary: true})
      return
    }
    const waits = (step.asks && !(step.asks in this.predictions)) || (step.words.kind === "try" && !this.done.has(this.place))
    const last = this.place === steps.length - 1
    this.model.set({next_text: last ? words.finish : waits ? words.skip : step.asks ? words.see : words.next, next_primary: !waits})
  }
  rows() {
    return this.data.steps.filter((step) => step.asks).map(({asks}) => {
      const asked = this.data.questions[asks]
      const value = this.predictions[asks] ?? null
      return {
        ask: asked.ask, truth: asked.truth_text, predicted: value === null ? "" : inWords(asked, value),
        close: value === null ? null : comesClose(asked, value),
        ...(asked.curve ? {curve: {...asked.curve, truth: asked.truth, drawn: value ?? []}} : {}),
      }
    })
  }
}

async function begin() {
  const data = await opened()
  if (!data) return
  const lesson = new Lesson(data)
  document.getElementById("waiting").replaceWith(lesson.room)
  lesson.turn() // drawings know their room only now
  ready()
}
begin()
