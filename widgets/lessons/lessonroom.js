const KINDS = {look: "Look", try: "Try it", predict: "Predict", reveal: "See", explain: "Why", end: "The end"}

export function render({ model }) {
  const send = makeFlow(model)
  const button = (className, kind) => {
    const made = element("button", {type: "button", className})
    made.addEventListener("click", () => { pressed = true; send(kind, {kind}) })
    return made
  }
  let pressed = false // whether the person moved on: the new step's title then takes the focus
  const leave = button("plain", "leave")
  leave.textContent = "← All lessons"
  const teach = button("plain", "teach")
  teach.textContent = "Teach this"
  teach.title = "Open a room: students come in by a code, you lead and see what the class predicts"
  const name = element("p", {className: "lesson-name"})
  const track = element("div", {className: "track"})
  const count = element("p", {className: "count"})
  const kind = element("span", {className: "kind"})
  let title = element("h2", {tabIndex: -1})
  const words = element("div", {className: "words"})
  const question = element("div", {className: "question"}, model.get_child("question"))
  const said = element("div", {className: "said", role: "status"})
  const back = button("step-button", "back")
  const next = button("step-button go", "next")
  const free = button("plain", "free")
  const paper = button("plain", "paper")
  paper.textContent = "Worksheet"
  paper.title = "This lesson on paper, with a key: a page to print"
  const ending = element("div", {className: "ending"})
  const nav = element("div", {className: "nav"}, back, next)
  const sheet = element("section", {className: "sheet"},
    element("div", {className: "top"}, leave, element("span", {}, paper, teach, free)), name, track, count, element("div", {className: "head"}, kind, title),
    words, said, question, ending, nav)
  sheet.setAttribute("aria-label", "Lesson")
  const side = element("div", {className: "controls-card"}, model.get_child("side"))
  const page = element("div", {className: "page"}, model.get_child("page"))
  const left = element("div", {className: "left"}, sheet, side)
  const root = element("div", {className: "room"}, left, page)

  // On a phone, whoever takes hold of a control sees what it changes: of a slider at once, of anything else when the
  // finger is lifted. Scrolling moves the controls a little, and a tap must end on what it began on.
  const reveal = (event) => {
    const slides = event.composedPath()[0].type === "range"
    if (slides !== (event.type === "pointerdown") || getComputedStyle(side).position !== "sticky") return
    const {top} = page.getBoundingClientRect()
    if (top > innerHeight * 0.3) page.scrollIntoView({block: "start"})
  }
  side.addEventListener("pointerdown", reveal)
  side.addEventListener("click", reveal)

  const show = () => {
    const s = model.step
    if (!s.title) return
    name.textContent = s.lesson
    count.textContent = s.kind === "end" ? `All ${s.of} steps are done` : `Step ${s.number} of ${s.of}`
    track.replaceChildren(...Array.from({length: s.of}, (_, i) => element("i", {className: i + 1 < s.number ? "past" : i + 1 === s.number ? "now" : ""})))
    kind.textContent = KINDS[s.kind] ?? ""
    kind.className = `kind ${s.kind}`
    // One first heading on every page: the step's title, unless the page below has its own.
    const level = model.top ? "h1" : "h2"
    if (title.localName !== level) {
      const other = element(level, {tabIndex: -1, textContent: title.textContent})
      const held = title === title.getRootNode().activeElement // the level may arrive after the title has got the focus
      title.replaceWith(other)
      title = other
      if (held) title.focus({preventScroll: true})
    }
    const changed = title.textContent !== s.title
    title.textContent = s.title
    words.innerHTML = s.html // made by the server from an escaped text
    if (changed && pressed) { title.focus({preventScroll: false}); left.scrollTop = 0 }
    pressed = false
    showNav()
  }
  const showNav = () => {
    const s = model.step
    words.hidden = count.hidden = track.hidden = false
    free.textContent = model.free ? "Back to the lesson" : "Free play"
    free.title = model.free ? "Everything is set as the step says" : "The whole page, with all its controls; the lesson waits"
    free.className = model.free ? "plain strong" : "plain"
    leave.hidden = paper.hidden = !model.ways_out
    free.hidden = !model.ways_out || s.kind === "end"
    ending.hidden = s.kind !== "end"
    root.classList.toggle("ended", s.kind === "end")
    teach.hidden = !model.teachable || model.free
    root.classList.toggle("large", model.large)
    root.classList.toggle("led", !model.steps_shown)
    back.textContent = "Back"
    back.hidden = !model.steps_shown
    back.disabled = !model.can_go_back
    next.textContent = model.next_text
    next.hidden = !model.steps_shown || !model.next_text
    next.classList.toggle("primary", model.next_primary)
    nav.hidden = model.free || !model.steps_shown
    question.hidden = !model.asked || model.free
    question.inert = model.closed // it is seen, and nothing in it can be reached
    side.hidden = !model.side_shown
    root.classList.toggle("playing", model.free)
    root.classList.toggle("alone", !model.page_shown)
    root.classList.toggle("asked", model.asked)
    page.hidden = !model.page_shown
    if (model.top) sheet.dataset.working = String(model.working)
    else delete sheet.dataset.working
    sheet.dataset.kind = s.kind ?? ""
  }
  const tell = () => {
    said.className = `said ${model.said.tone ?? ""}`
    said.innerHTML = model.said.html ?? ""
    said.hidden = !model.said.html || model.free
  }
  const end = () => ending.replaceChildren(...endingOf(model.ending))
  model.on("ending", end)
  model.on("step", show)
  model.on("said", tell)
  model.on("free", tell)
  for (const p of ["top"]) model.on(p, show)
  for (const p of ["next_text", "next_primary", "can_go_back", "steps_shown", "free", "working", "side_shown", "page_shown", "asked", "closed", "ways_out", "teachable", "large"]) model.on(p, showNav)
  model.on("msg:custom", ({name, text}) => handOver(name, text, "text/html;charset=utf-8"))
  end()
  show()
  tell()
  return root
}
