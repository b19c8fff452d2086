export function render({ model }) {
  const {table, head, body} = namedTable()
  const root = element("div", {className: "arrivals"}, table)
  const words = {same: "the truth", other: "another answer", nothing: "no answer", several: "several answers", refused: "nothing: refused"}
  let rows = []

  // A letter where there are few answers, else the number of the answer.
  const mark = (answers, code) => (answers.length <= 3 && new Set(answers.map((a) => a[0])).size === answers.length ? answers[code][0] : String(code + 1))
  const state = (truth, sent) => (sent === undefined ? "refused" : sent === -1 ? "nothing" : sent === -2 ? "several" : sent === truth ? "same" : "other")

  const build = () => {
    const {questions} = model.frame
    table.caption.textContent = model.label
    if (!questions) return
    root.classList.toggle("dense", questions.length > 20)
    head.replaceChildren(element("th", {scope: "col", textContent: "who"}),
      ...questions.map((q, n) => element("th", {scope: "col", title: q, textContent: n + 1})))
    rows = []
    body.replaceChildren()
  }
  const make = () => {
    const dot = element("i")
    const who = element("span")
    const note = element("small")
    const cells = model.frame.questions.map(() => element("td"))
    const node = element("tr", {}, element("th", {scope: "row"}, dot, who, note), ...cells)
    body.append(node)
    return {node, dot, who, note, cells}
  }
  const show = () => {
    const {questions, answers, kinds} = model.frame
    if (!questions) return
    while (rows.length < model.people.length) rows.push(make())
    rows.forEach((row, place) => {
      row.node.hidden = place >= model.people.length
      if (row.node.hidden) return
      const [number, kind, note, truth, sent] = model.people[place]
      // Questions and kinds come before the people who have them: what does not fit them is of those before.
      if (!kinds[kind] || truth.length !== questions.length || truth.some((code, q) => code >= answers[q].length)) return
      row.dot.style.background = kinds[kind][1]
      row.dot.title = kinds[kind][0]
      row.who.textContent = number || "–"
      row.who.title = kinds[kind][0]
      row.note.textContent = note
      row.cells.forEach((cell, q) => {
        const is = state(truth[q], sent[q])
        cell.className = is
        cell.textContent = mark(answers[q], truth[q])
        const what = is === "other" ? answers[q][sent[q]] : words[is]
        cell.title = `${questions[q]}: ${answers[q][truth[q]]}; sent: ${what}`
      })
    })
  }
  model.on("frame", () => { build(); show() })
  model.on("people", show)
  build()
  show()
  return root
}
