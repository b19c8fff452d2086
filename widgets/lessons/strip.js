export function render({ model }) {
  const text = element("p", {role: "status"})
  const time = element("span", {className: "time", role: "timer"})
  const rest = element("section", {className: "rest"}, element("h1", {textContent: "Pause"}), element("p", {textContent: "Your teacher goes on in a moment. Nothing is lost."}))
  rest.setAttribute("aria-label", "Pause")
  rest.setAttribute("aria-live", "polite")
  const root = element("div", {className: "strip"}, text, time, rest)
  const clock = makeClock(time)
  const show = () => {
    text.textContent = model.text
    clock.update(model.countdown)
    rest.hidden = !model.paused
    const main = document.getElementById("ts-main")
    if (main) main.inert = model.paused
    document.documentElement.classList.toggle("ts-paused", model.paused)
  }
  drawOn(model, ["text", "countdown", "paused"], show)
  model.on("remove", () => clock.stop())
  show()
  return root
}
