export function render({ model }) {
  const send = makeFlow(model)
  const lessons = element("ol", {className: "lessons"})
  const doors = element("ul", {className: "doors"})
  const count = element("span", {className: "count"})
  const root = element("div", {},
    element("h2", {}, "Lessons ", count), lessons,
    element("h2", {textContent: "Or go straight to a page"}), doors)
  const say = (one) => {
    const kept = model.progress[one.id]
    if (!kept) return ["", 0, "Begin"]
    if (kept.done) return ["finished", 1, "Take it again"]
    return [`step ${kept.step} of ${one.steps}`, (kept.step - 1) / one.steps, "Go on"]
  }
  const show = () => {
    const done = model.lessons.filter((one) => model.progress[one.id]?.done).length
    count.textContent = done ? `${done} of ${model.lessons.length} finished` : ""
    lessons.replaceChildren(...model.lessons.map((one, place) => {
      const [state, share, act] = say(one)
      const go = element("button", {type: "button"}, element("span", {className: "number", textContent: String(place + 1)}),
        element("strong", {textContent: one.title}), element("span", {className: "about", textContent: one.about}),
        element("span", {className: "foot"},
          element("span", {textContent: `${one.minutes} minutes · ${one.steps} steps`}),
          element("span", {className: "act", textContent: state ? `${act}: ${state}` : act})))
      const bar = element("i", {className: "reached"})
      bar.style.setProperty("--reached", `${100 * share}%`)
      go.append(bar)
      go.addEventListener("click", () => send("chosen", {kind: "lesson", name: one.id}))
      return element("li", {className: model.progress[one.id]?.done ? "finished" : ""}, go)
    }))
    doors.replaceChildren(...model.doors.map((one) => {
      const go = element("button", {type: "button"}, element("strong", {textContent: one.title}), element("span", {textContent: one.text}))
      go.addEventListener("click", () => send("chosen", {kind: "door", name: one.name}))
      return element("li", {}, go)
    }))
  }
  for (const p of ["lessons", "progress", "doors"]) model.on(p, show)
  show()
  return root
}
