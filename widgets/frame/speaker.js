// The speaker's window: what stands on the wall, what may be said of it, what comes next, and the time. It is a window of
// the same page without an address of its own, so it knows what the page knows; where a browser or a desktop window
// allows no second one, that is said.
const REFUSED = "The browser allowed no second window: let this page open windows, and press S again."

// `refuse(text)` says why there is none.
function makeSpeaker(model, {step, end, go, refuse}) {
  let other = null // the window
  let began = 0
  let opened = -Infinity
  let ticking
  let parts = {}

  const styled = (node, style) => { node.style.cssText = style; return node }
  const line = (tag, style, text = "") => {
    const node = styled(other.document.createElement(tag), style)
    node.textContent = text
    return node
  }
  const press = (text, act) => {
    const node = line("button", "font: inherit; padding: 8px 18px; margin: 0 10px 0 0; border: 2px solid #7b8797; border-radius: 10px; background: none; color: inherit; cursor: pointer", text)
    node.type = "button"
    node.addEventListener("click", act)
    return node
  }
  const build = () => {
    const page = other.document
    page.title = "Speaker · Trustscope"
    page.documentElement.lang = "en"
    styled(page.body, "margin: 0; padding: 20px 26px; background: #0f172a; color: #f1f5f9; font: 18px/1.45 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif")
    parts = {
      time: line("p", "margin: 0; font-size: 26px; font-variant-numeric: tabular-nums"),
      now: line("h1", "margin: 10px 0 4px; font-size: 24px"),
      notes: line("div", ""),
      next: line("p", "margin: 18px 0; padding: 10px 14px; border-left: 4px solid #5fd3ee; color: #d6dee8"),
    }
    const buttons = line("p", "margin: 0")
    buttons.append(press("‹ Back", () => step(-1)), press("Next ›", () => step(1)), press("End", end))
    page.body.replaceChildren(parts.time, parts.now, parts.notes, parts.next, buttons)
    const keys = {ArrowRight: () => step(1), PageDown: () => step(1), ArrowLeft: () => step(-1), PageUp: () => step(-1), Home: () => go(0), End: () => go(Infinity), Escape: end}
    other.onkeydown = (e) => { if (keys[e.key]) { e.preventDefault(); keys[e.key]() } }
    other.addEventListener("pagehide", () => { other = null; clearInterval(ticking) })
  }
  const tick = () => {
    if (!other) return
    const seconds = Math.floor((Date.now() - began) / 1000)
    const spent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
    const clock = new Date().toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"})
    parts.time.textContent = `${spent} since it began · ${clock}`
  }
  const show = () => {
    const {place, titles, notes} = model.presenting
    if (!other || !titles) return
    parts.now.textContent = titles.length > 1 ? `${titles[place]} (${place + 1} of ${titles.length})` : titles[place]
    parts.notes.replaceChildren(...notes.map((text) => line("p", "margin: 8px 0", text)))
    parts.next.textContent = place + 1 < titles.length ? `Next: ${titles[place + 1]}` : "This is the last one."
  }
  const open = () => {
    if (other) { other.focus(); return }
    opened = performance.now()
    other = window.open("", "trustscope-speaker", "popup,width=760,height=560")
    if (!other) { refuse(REFUSED); return }
    began ||= Date.now()
    build()
    tick()
    clearInterval(ticking)
    ticking = setInterval(tick, 1000)
    show()
  }
  const close = () => { clearInterval(ticking); other?.close(); other = null; began = 0 }
  // Some browsers end the full screen when a window opens: that does not end the presentation.
  const opening = () => performance.now() - opened < 1500
  model.on("presenting", show)
  return {open, close, opening}
}
