// Bokeh looks up the CSS variables of every visual of every plot each time it paints: a quarter of the time of a
// slider step. All plots of this page share one theme, so each variable is looked up once until the theme changes.
const themeValues = new Map()

function plotViews() {
  const found = []
  const visit = (view) => {
    if (view.model?.type === "Figure") found.push(view)
    for (const child of view.child_views ?? []) visit(child)
  }
  for (const view of globalThis.Bokeh?.index?.roots ?? []) visit(view)
  return found
}

function rememberThemeValues(tries = 50) {
  const visual = plotViews()[0]?.visuals?.outline_line
  let kind = visual && Object.getPrototypeOf(visual)
  while (kind && !Object.hasOwn(kind, "_get_css_value")) kind = Object.getPrototypeOf(kind)
  if (!kind) {
    if (tries) setTimeout(() => rememberThemeValues(tries - 1), 100)
    return
  }
  const look = kind._get_css_value
  if (look.remembers) return
  kind._get_css_value = function (name) {
    const key = this.css_prefix + name
    if (!themeValues.has(key)) themeValues.set(key, look.call(this, name))
    return themeValues.get(key)
  }
  kind._get_css_value.remembers = true
}

function repaintPlots() {
  themeValues.clear()
  for (const view of plotViews()) view.request_paint("everything")
}
