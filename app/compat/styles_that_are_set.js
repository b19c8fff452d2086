const STYLED = new Set([
  "axis-label-text-color", "axis-label-text-font", "axis-label-text-font-size", "axis-line-color", "grid-line-color",
  "major-label-text-color", "major-label-text-font", "major-label-text-font-size", "major-tick-line-color",
  "text-color", "text-font-size", "title-text-font-size",
].map((name) => `--bk-${name}`))
const {VisualProperties} = Bokeh.require("core/visuals/visual")
const ask = VisualProperties.prototype._get_css_value
VisualProperties.prototype._get_css_value = function (name) {
  return STYLED.has(`${this.css_prefix}${name}`) ? ask.call(this, name) : ""
}
