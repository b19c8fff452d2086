// What can be taken along: buttons, and while one thing is being made, how far it is and a way to stop it.
function makeTaking(model, send, button) {
  const KINDS = {report: "Report", pdf: "Report as PDF", slides: "Download as slides", powerpoint: "Slides for PowerPoint", explorable: "As a page to try", film: "As a film", script: "As a script", notebook: "As a notebook", step: "Make this page a step"}
  const buttons = element("div", {className: "row"})
  const bar = element("progress", {max: 1})
  const text = element("span", {})
  text.setAttribute("role", "status")
  const stop = button("Cancel", "Cancel", "act")
  const busy = element("div", {className: "row taking", hidden: true}, bar, text, stop)
  const root = element("div", {}, buttons, busy)
  const build = () => buttons.replaceChildren(...model.offered.map((what) => {
    const made = button(KINDS[what], KINDS[what], "act")
    onPress(made, () => {
      if (what === "step") root.closest("dialog")?.close() // it is gone on with on Learn
      send("take", {kind: "take", what})
    })
    return made
  }))
  const show = () => {
    const {what, fraction, text: said} = model.taking
    busy.hidden = !what
    for (const one of buttons.children) setBarred(one, what)
    if (!what) { text.textContent = ""; return }
    bar.value = fraction
    bar.setAttribute("aria-label", `${KINDS[what]} is being made`)
    text.textContent = said
  }
  stop.addEventListener("click", () => send("cancel", {kind: "cancel"}))
  model.on("offered", () => { build(); show() })
  model.on("taking", show)
  build()
  show()
  return root
}
