// Bokeh reads the theme's CSS variables when it paints, so every plot must paint anew.
function plotViews() {
  const found = []
  const visit = (view) => {
    if (view.model?.type === "Figure") found.push(view)
    for (const child of view.child_views ?? []) visit(child)
  }
  for (const view of globalThis.Bokeh?.index?.roots ?? []) visit(view)
  return found
}

// What a plot hears is the pointer: to the Tab key it would be a stop that says nothing and does nothing.
function skipPlots() {
  for (const view of plotViews()) view.canvas_view.events_el.tabIndex = -1
}

function repaintPlots() {
  for (const view of plotViews()) view.request_repaint()
}

// The size of type is read when a plot is laid out, so every plot must lay itself out anew.
function redrawPlots() {
  requestAnimationFrame(() => { for (const view of plotViews()) view.invalidate_layout?.() })
}
