export function render({ model }) {
  const about = element("p", {className: "about"})
  const title = element("h1")
  const text = element("p", {className: "words"})
  const home = element("a", {href: "/"})
  const root = element("section", {className: "greeting-card"}, about, title, text, home)
  root.setAttribute("aria-label", "Class")
  root.setAttribute("aria-live", "polite")
  const show = () => {
    about.textContent = model.about
    title.textContent = model.title
    text.textContent = model.text
    home.textContent = model.home
    home.hidden = !model.home
  }
  drawOn(model, ["title", "text", "about", "home"], show)
  show()
  return root
}
