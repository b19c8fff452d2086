export function render({ model }) {
  const places = ["first", "second"].map((name) => element("div", {className: "place"}, model.get_child(name)))
  const pair = element("div", {className: "pair"}, ...places)
  const show = () => {
    places.forEach((place, i) => { place.hidden = !model.shown[i] })
    pair.classList.toggle("one", !model.shown.every((one) => one))
  }
  model.on("shown", show)
  show()
  return pair
}
