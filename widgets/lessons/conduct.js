export function render({ model }) {
  const send = makeFlow(model)
  const button = (className, textContent, act) => {
    const made = element("button", {type: "button", className, textContent})
    made.addEventListener("click", act)
    return made
  }
  const ask = (kind) => () => send(kind, {kind})
  const people = (n) => (n === 1 ? "1 student is here" : `${n} students are here`)

  const title = element("strong", {className: "title"})
  const section = element("select", {className: "section"})
  section.setAttribute("aria-label", "Part of the plan")
  section.addEventListener("change", () => send("section", {kind: "section", number: Number(section.value)}))
  const code = button("code-chip", "", () => { wall = !wall; show() })
  code.title = "Show the code and the QR code large, for whoever comes late"
  const here = element("span", {className: "here"})
  const pause = button("act", "", () => send("pause", {kind: model.paused ? "resume" : "pause"}))
  const notes = button("act", "Notes", () => { noting = !noting; show() })
  notes.title = "For you alone: do not open them while this page is on the wall. Copy my link opens them on your phone"
  const table = button("act", "Table (CSV)", ask("table"))
  table.title = "Everything that was predicted and tried, without names; nothing else is kept"
  const link = button("act", "Copy my link", ask("link"))
  link.title = "Your own secret link to this page, for another browser; it is not shown"
  const close = button("act", "Close room", () => { closing = true; show(); stay.focus() })
  const sure = button("act danger", "Close it for everybody", () => { closing = false; send("close", {kind: "close"}) })
  const stay = button("act", "Keep it open", () => { closing = false; show(); close.focus() })
  const top = element("div", {className: "top"}, title, section, code, here, element("span", {className: "gap"}), pause, notes, table, link, close, sure, stay)

  const back = button("go", "Back", () => { if (!isBarred(back)) send("back", {kind: "back", number: model.place}) })
  const next = button("go primary", "", (event) => {
    if (isBarred(next)) return
    if (event.detail > 1) return // a double click means one step: the second would skip a question, and close it
    wall = false
    send("next", {kind: "next", number: model.place})
  })
  const track = element("div", {className: "track"})
  track.setAttribute("aria-hidden", "true")
  const count = element("span", {className: "count"})
  const done = element("span", {className: "predicted", role: "status"})
  const pace = element("fieldset", {className: "pace"}, element("legend", {className: "unseen", textContent: "Pace"}))
  const group = `pace-${Math.random().toString(36).slice(2)}`
  const choices = [["together", "Together"], ["apart", "Own pace"]].map(([value, text]) => {
    const input = element("input", {type: "radio", name: group, value})
    input.addEventListener("change", ask(value))
    pace.append(element("label", {}, input, element("span", {textContent: text})))
    return input
  })
  const time = element("span", {className: "time", role: "timer"})
  const clock = makeClock(time)
  const minutes = (seconds) => (seconds < 60 ? `${seconds} seconds` : seconds === 60 ? "1 minute" : `${seconds / 60} minutes`)
  const counting = element("select", {className: "counting"})
  counting.setAttribute("aria-label", "Countdown")
  counting.addEventListener("change", () => {
    const number = Number(counting.value)
    if (number) send("countdown", {kind: "countdown", number})
    else send("countdown", {kind: "stop-countdown"})
    counting.value = ""
  })
  const steps = element("div", {className: "steps-row"}, pace, element("div", {className: "way"}, track, count), done, time, counting, back, next)
  const said = element("p", {className: "said", role: "alert"})
  const aside = element("section", {className: "notes"})
  aside.setAttribute("aria-label", "Notes for the teacher")

  // The wall: what students need to come in, as large as it gets.
  const picture = element("div", {className: "qr", role: "img"})
  picture.setAttribute("aria-label", "QR code of the address with the code")
  const address = element("p", {className: "address"})
  const others = element("p", {className: "others"})
  const large = element("p", {className: "large-code"})
  const coming = element("p", {className: "coming", role: "status"})
  const heading = element("h1")
  const warning = element("p", {className: "warning", role: "alert"})
  const start = button("go primary start", "", () => { if (!model.begun) send("next", {kind: "next", number: model.place}); wall = false; show() })
  const words = element("div", {className: "wall-words"}, heading,
    element("p", {className: "small", textContent: "Scan the picture, or open"}), address, others,
    element("p", {className: "small", textContent: "and type the code"}), large, coming, warning, start)
  const join = element("section", {className: "join"}, element("div", {className: "wall"}, picture, words))
  join.setAttribute("aria-label", "Join")
  const root = element("div", {className: "conducting"}, top, steps, said, aside, join)

  let wall = false // whether the teacher wants the code on the wall during the lesson
  let closing = false
  let noting = false
  // A list that is open stays so while students come and answer: it is written anew only where it says something else.
  const offer = (select, options) => {
    const told = JSON.stringify(options)
    if (select.dataset.options === told) return
    select.dataset.options = told
    select.replaceChildren(...options.map(([value, textContent]) => element("option", {value, textContent, disabled: !value})))
    select.value = ""
  }
  const show = () => {
    const lobby = model.open && !model.begun
    const several = model.sections.length > 1
    title.textContent = model.title
    for (const part of [here, table, link, notes]) part.hidden = !model.open
    pause.hidden = !model.open || lobby
    pause.textContent = model.paused ? "End the pause" : "Pause"
    pause.title = model.paused ? "Students go on where they were" : "Grey all students' pages, so that they look up"
    pause.classList.toggle("danger", model.paused)
    code.hidden = !model.open || lobby
    code.textContent = model.warning ? `⚠ ${model.code}` : `${model.address}  ·  ${model.code}`
    code.classList.toggle("warned", Boolean(model.warning))
    code.setAttribute("aria-expanded", String(wall || lobby))
    here.textContent = people(model.here)
    close.hidden = !model.open || closing
    sure.hidden = stay.hidden = !closing || !model.open
    steps.hidden = !model.open || lobby
    section.hidden = !several || !model.open || lobby
    title.hidden = !section.hidden
    offer(section, model.sections.map((one, i) => [String(i), `${i + 1}. ${one.title} · ${one.minutes} min`]))
    if (section.value !== String(model.section)) section.value = String(model.section)
    setBarred(back, !model.begun)
    next.textContent = model.next_text
    next.title = model.next_title
    setBarred(next, !model.next_title)
    track.hidden = count.hidden = model.of < 2
    track.replaceChildren(...Array.from({length: model.of}, (_, i) => element("i", {
      className: i + 1 < model.step ? "past" : i + 1 === model.step ? "now" : "", textContent: model.places[i] || "",
    })))
    track.classList.toggle("counting", model.places.length > 0)
    const spread = model.places.map((n, i) => (!n ? "" : i < model.of ? `${n} at step ${i + 1}` : `${n} at the end`)).filter(Boolean).join(", ")
    count.textContent = model.step > model.of ? "The end" : `Step ${model.step} of ${model.of}`
    count.title = spread
    track.title = spread
    done.textContent = model.done < 0 ? "" : `${model.done} of ${Math.max(model.here, model.done)} ${model.done_text}`
    for (const input of choices) input.checked = (input.value === "together") === model.together
    clock.update(model.countdown)
    const running = model.countdown.until !== undefined
    offer(counting, [["", "Countdown"], ...model.countdowns.map((n) => [String(n), minutes(n)]), ...(running ? [["0", "Stop it"]] : [])])
    said.textContent = model.said
    said.hidden = !model.said
    showNotes()
    join.hidden = !model.open || !(lobby || wall)
    heading.textContent = model.title
    address.textContent = model.address
    others.textContent = model.others.length ? `or ${model.others.join(" or ")}` : ""
    large.textContent = model.code
    coming.textContent = people(model.here)
    // An option of a command is one word: a browser would break the line behind its hyphens.
    warning.replaceChildren(...model.warning.split(/(--[a-z-]+)/).map((part) => element("span", {textContent: part, className: part.startsWith("--") ? "option" : ""})))
    warning.hidden = !model.warning
    start.textContent = lobby ? "Start the lesson" : "Back to the lesson"
  }
  const showNotes = () => {
    const n = model.notes
    aside.hidden = !noting || !model.open
    notes.setAttribute("aria-expanded", String(noting))
    const row = (name, text) => (text ? [element("dt", {textContent: name}), element("dd", {textContent: text})] : [])
    const plan = model.sections.length > 1 ? [element("h3", {textContent: "The plan"}), element("ol", {}, ...model.sections.map((one, i) => element("li", {className: i === model.section ? "now" : "", textContent: `${one.title}, ${one.minutes} minutes`})))] : []
    aside.replaceChildren(element("h2", {textContent: n.title ?? ""}),
      element("dl", {}, ...row("Aim", n.aim), ...row("What most believe before", n.misconception),
        ...(n.questions ?? []).flatMap((text, i) => row(`Ask (${i + 1})`, text)), ...row("Minutes", n.minutes ? String(n.minutes) : ""), ...row("Here", n.more)), ...plan)
  }
  const draw = () => { picture.innerHTML = model.qr; show() } // made by the server, of its own address
  model.on("msg:custom", ({name, text, path}) => {
    if (path) copyText(new URL(path, location.origin).href, link)
    else handOver(name, text, "text/csv;charset=utf-8")
  })
  const watcher = new ResizeObserver(() => { join.style.setProperty("--below", `${top.offsetHeight}px`); aside.style.setProperty("--below", `${top.offsetHeight + steps.offsetHeight}px`) })
  watcher.observe(top)
  watcher.observe(steps)
  model.on("remove", () => { watcher.disconnect(); clock.stop() })
  drawOn(model, ["title", "sections", "section", "place", "begun", "step", "of", "next_text", "next_title", "together", "paused", "countdown", "countdowns", "notes", "here", "places", "done", "done_text", "code", "address", "others", "warning", "open", "said"], show)
  model.on("qr", draw)
  draw()
  return root
}
