export function render({ model }) {
  const places = ["first", "second"].map((name) => element("div", {className: "place"}, model.get_child(name)))
  return element("div", {className: "pair"}, ...places)
}
