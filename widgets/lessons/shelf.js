export function render({ model }) {
  const send = makeFlow(model)
  const button = (textContent, act, className = "small-act") => {
    const made = element("button", {type: "button", className, textContent})
    made.addEventListener("click", act)
    return made
  }
  const count = element("span", {className: "count"})
  const groups = element("div", {})
  const plans = element("ul", {className: "plans"})
  const plansTitle = element("h2", {textContent: "Plans for a class"})
  const doors = element("ul", {className: "doors"})
  const teach = button("", () => send("teach", {kind: "teach", names: [...ticked]}), "small-act strong")
  const several = element("div", {className: "several"}, element("span", {textContent: "Tick lessons to teach them to a class in one room, in this order."}), teach)
  const chooser = element("input", {type: "file", accept: ".json,application/json", hidden: true})
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files
    if (file) send("file", {kind: "file", name: file.name, text: await file.slice(0, 1_000_001).text()})
    chooser.value = ""
  })
  const said = element("div", {className: "said", role: "alert"})
  const own = element("div", {className: "own"}, button("Open a lesson file", () => chooser.click()), button("Write a lesson", () => send("write", {kind: "write", name: ""})),
    element("span", {textContent: "A lesson file can also be dropped anywhere on this page. Own lessons are kept in this browser."}), chooser)
  const restore = button("", () => send("restore", {kind: "restore", name: ""}))
  const removed = element("p", {className: "removed", role: "status"}, restore)
  const root = element("div", {}, element("h2", {}, "Lessons ", count), several, groups, removed, own, said, plansTitle, plans,
    element("h2", {textContent: "Or go straight to a page"}), doors)
  let ticked = []
  const say = (one) => {
    const kept = model.progress[one.id]
    if (!kept) return ["", 0, "Begin"]
    if (kept.done) return ["repeat", 1, "Finished"]
    return [`step ${kept.step} of ${one.steps}`, (kept.step - 1) / one.steps, "Go on"]
  }
  const tick = (one) => {
    const box = element("input", {type: "checkbox", checked: ticked.includes(one.id)})
    box.setAttribute("aria-label", `Teach “${one.title}”`)
    box.addEventListener("change", () => {
      const names = new Set(box.checked ? [...ticked, one.id] : ticked.filter((id) => id !== one.id))
      ticked = model.lessons.map((l) => l.id).filter((id) => names.has(id))
      showTicked()
    })
    return element("label", {className: "tick"}, box, "teach")
  }
  const showTicked = () => {
    several.hidden = !model.teachable
    teach.hidden = !ticked.length
    teach.textContent = ticked.length === 1 ? "Teach this lesson" : `Teach these ${ticked.length} lessons`
  }
  const card = (one, number) => {
    const [state, share, act] = say(one)
    const go = element("button", {type: "button", className: "card"}, element("span", {className: "number", textContent: String(number)}),
      element("strong", {textContent: one.title}), element("span", {className: "about", textContent: one.about}),
      element("span", {className: "foot"},
        element("span", {textContent: `${one.minutes} minutes · ${one.steps} steps`}),
        element("span", {className: "act", textContent: state ? `${act} · ${state}` : act})))
    const bar = element("i", {className: "reached"})
    bar.style.setProperty("--reached", `${100 * share}%`)
    go.append(bar)
    go.addEventListener("click", () => send("chosen", {kind: "lesson", name: one.id}))
    const more = element("div", {className: "more"})
    if (one.group === "own") more.append(button("Edit", () => send("edit", {kind: "edit", name: one.id})), button("Remove", () => send("remove", {kind: "remove", name: one.id})))
    if (model.teachable) more.append(tick(one))
    return element("li", {className: model.progress[one.id]?.done ? "finished" : ""}, go, ...(more.childNodes.length ? [more] : []))
  }
  const TITLES = {server: "Lessons of this server", own: "Your own lessons"}
  const show = () => {
    const done = model.lessons.filter((one) => model.progress[one.id]?.done).length
    count.textContent = done ? `${done} of ${model.lessons.length} finished` : ""
    const parts = []
    for (const group of ["", "server", "own"]) {
      const some = model.lessons.filter((one) => (one.group ?? "") === group)
      if (!some.length) continue
      if (group) parts.push(element("h3", {textContent: TITLES[group]}))
      parts.push(element("ol", {className: "lessons"}, ...some.map((one, place) => card(one, place + 1))))
    }
    keepFocus(groups, () => groups.replaceChildren(...parts))
    restore.textContent = `Bring back “${model.removed}”`
    removed.hidden = !model.removed
    plans.hidden = plansTitle.hidden = !model.teachable || !model.plans.length
    plans.replaceChildren(...model.plans.map((one) => {
      const go = element("button", {type: "button", className: "card"}, element("strong", {textContent: one.title}), element("span", {className: "about", textContent: one.about}),
        element("span", {className: "foot"}, element("span", {textContent: `${one.minutes} minutes · ${one.parts} parts`}), element("span", {className: "act", textContent: "Teach it"})))
      go.addEventListener("click", () => send("teach", {kind: "teach", names: [one.id]}))
      return element("li", {}, go)
    }))
    doors.replaceChildren(...model.doors.map((one) => {
      const go = element("button", {type: "button", className: "card"}, element("strong", {textContent: one.title}), element("span", {textContent: one.text}))
      go.addEventListener("click", () => send("chosen", {kind: "door", name: one.name}))
      return element("li", {}, go)
    }))
    own.hidden = !model.writable
    said.replaceChildren(...model.said.map((text) => element("p", {textContent: text})))
    said.hidden = !model.said.length
    showTicked()
  }
  const tell = () => { // a file may have been dropped far above
    show()
    if (model.said.length) said.scrollIntoView({block: "nearest"})
  }
  for (const p of ["lessons", "progress", "doors", "plans", "teachable", "removed", "writable"]) model.on(p, show)
  model.on("said", tell)
  model.on("removed", () => { if (model.removed) restore.focus() })
  show()
  return root
}
