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
  const code = button("code-chip", "", () => { wall = !wall; show() })
  code.title = "Show the code and the QR code large, for whoever comes late"
  const here = element("span", {className: "here"})
  const table = button("act", "Table (CSV)", ask("table"))
  table.title = "Everything that was predicted, without names; nothing else is kept"
  const link = button("act", "Copy my link", ask("link"))
  link.title = "Your own secret link to this page, for another browser; it is not shown"
  const close = button("act", "Close room", () => { closing = true; show() })
  const sure = button("act danger", "Close it for everybody", () => { closing = false; send("close", {kind: "close"}) })
  const stay = button("act", "Keep it open", () => { closing = false; show() })
  const top = element("div", {className: "top"}, title, code, here, element("span", {className: "gap"}), table, link, close, sure, stay)

  const back = button("go", "Back", ask("back"))
  const next = button("go primary", "", () => { wall = false; send("next", {kind: "next"}) })
  const track = element("div", {className: "track"})
  track.setAttribute("aria-hidden", "true")
  const count = element("span", {className: "count"})
  const predicted = element("span", {className: "predicted", role: "status"})
  const pace = element("fieldset", {className: "pace"}, element("legend", {className: "unseen", textContent: "Pace"}))
  const group = `pace-${Math.random().toString(36).slice(2)}`
  const choices = [["together", "All together"], ["apart", "At their own pace"]].map(([value, text]) => {
    const input = element("input", {type: "radio", name: group, value})
    input.addEventListener("change", ask(value))
    pace.append(element("label", {}, input, element("span", {textContent: text})))
    return input
  })
  const steps = element("div", {className: "steps-row"}, pace, element("div", {className: "way"}, track, count), predicted, back, next)
  const said = element("p", {className: "said", role: "alert"})

  // The wall: what students need to come in, as large as it gets.
  const picture = element("div", {className: "qr", role: "img"})
  picture.setAttribute("aria-label", "QR code of the address with the code")
  const address = element("p", {className: "address"})
  const others = element("p", {className: "others"})
  const large = element("p", {className: "large-code"})
  const coming = element("p", {className: "coming", role: "status"})
  const heading = element("h1")
  const start = button("go primary start", "", () => { if (model.step === 0) send("next", {kind: "next"}); wall = false; show() })
  const words = element("div", {className: "wall-words"}, heading,
    element("p", {className: "small", textContent: "Scan the picture, or open"}), address, others,
    element("p", {className: "small", textContent: "and type the code"}), large, coming, start)
  const join = element("section", {className: "join"}, element("div", {className: "wall"}, picture, words))
  join.setAttribute("aria-label", "Join")
  const root = element("div", {className: "conducting"}, top, steps, said, join)

  let wall = false // whether the teacher wants the code on the wall during the lesson
  let closing = false
  const show = () => {
    const lobby = model.open && model.step === 0
    title.textContent = model.lesson
    for (const part of [here, table, link]) part.hidden = !model.open
    code.hidden = !model.open || lobby
    code.textContent = `${model.address}  ·  ${model.code}`
    code.setAttribute("aria-expanded", String(wall || lobby))
    here.textContent = people(model.here)
    close.hidden = !model.open || closing
    sure.hidden = stay.hidden = !closing || !model.open
    steps.hidden = !model.open || lobby
    back.disabled = model.step < 1
    next.textContent = model.next_text
    next.title = model.next_title
    next.disabled = !model.next_title
    track.replaceChildren(...Array.from({length: model.of}, (_, i) => element("i", {
      className: i + 1 < model.step ? "past" : i + 1 === model.step ? "now" : "", textContent: model.places[i] || "",
    })))
    track.classList.toggle("counting", model.places.length > 0)
    const spread = model.places.map((n, i) => (n ? `${n} at step ${i + 1}` : "")).filter(Boolean).join(", ")
    count.textContent = `Step ${model.step} of ${model.of}`
    count.title = spread
    track.title = spread
    predicted.textContent = model.predicted < 0 ? "" : `${model.predicted} of ${Math.max(model.here, model.predicted)} have predicted`
    for (const input of choices) input.checked = (input.value === "together") === model.together
    said.textContent = model.said
    said.hidden = !model.said
    join.hidden = !model.open || !(lobby || wall)
    heading.textContent = model.lesson
    address.textContent = model.address
    others.textContent = model.others.length ? `or ${model.others.join(" or ")}` : ""
    large.textContent = model.code
    coming.textContent = people(model.here)
    start.textContent = lobby ? "Start the lesson" : "Back to the lesson"
  }
  const draw = () => { picture.innerHTML = model.qr; show() } // made by the server, of its own address
  model.on("msg:custom", async ({name, text, path}) => {
    if (path) { await copied(new URL(path, location.origin).href); return }
    const file = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/csv;charset=utf-8"})), download: name})
    document.body.append(file)
    file.click()
    file.remove()
    setTimeout(() => URL.revokeObjectURL(file.href), 10_000)
  })
  // Browsers give the clipboard to encrypted pages only; the old way works on a school's network too.
  const copied = async (text) => {
    try { await navigator.clipboard.writeText(text) } catch {
      const box = element("textarea", {value: text})
      box.style.cssText = "position:fixed;opacity:0"
      document.body.append(box)
      box.select()
      document.execCommand("copy")
      box.remove()
    }
    link.textContent = "Copied"
    setTimeout(() => { link.textContent = "Copy my link" }, 2000)
  }
  const watcher = new ResizeObserver(() => join.style.setProperty("--below", `${top.offsetHeight}px`))
  watcher.observe(top)
  model.on("remove", () => watcher.disconnect())
  drawOn(model, ["lesson", "step", "of", "next_text", "next_title", "together", "here", "places", "predicted", "code", "address", "others", "open", "said"], show)
  model.on("qr", draw)
  draw()
  return root
}
