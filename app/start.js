// Runs when Bokeh's and Panel's scripts have been read, before the page is put together.

// Controls are plain modules, which every browser can load. Panel asks a library for them that would read and rewrite
// them first, for the sake of browsers that are long gone.
window.importShim = Object.assign((address) => import(address), {addImportMap() {}})

// Bokeh lays out a whole page anew for each part of it that was drawn or has another size: more than a hundred times
// while a page opens. Here this is done once for all parts that are drawn at the same time, and once a frame for those
// that have another size.
{
  const {LayoutDOMView} = Bokeh.require("models/layouts/layout_dom")
  const compute = LayoutDOMView.prototype.compute_layout
  const resized = LayoutDOMView.prototype._after_resize
  const waiting = new Set()
  let resizing = false
  LayoutDOMView.prototype.compute_layout = function () {
    this._layout_computed = true // what waits for a layout need not know that it comes a little later
    if (this.parent instanceof LayoutDOMView) {
      this.parent.compute_layout()
    } else if (!waiting.has(this)) {
      waiting.add(this)
      const soon = resizing ? requestAnimationFrame : queueMicrotask
      soon(() => {
        waiting.delete(this)
        compute.call(this)
      })
    }
  }
  LayoutDOMView.prototype._after_resize = function () {
    resizing = true
    try {
      resized.call(this)
    } finally {
      resizing = false
    }
  }
}

// Bokeh asks the browser for the style of every line and text that it draws, each time, in case a style sheet says
// something of it. Ours say something of these.
{
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
}
