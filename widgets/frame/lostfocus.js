// Whoever presses what then goes away with all that was around it (a lesson that begins, a file that is taken) would be
// left nowhere, and their next Tab at the top of the document: the first heading of what has come takes the focus. It may
// take a while to come, and be drawn or moved once more. Where something else has the focus meanwhile, it keeps it.
function catchLostFocus(main) {
  let timer
  const stop = () => clearInterval(timer)
  const press = (e) => {
    stop()
    const held = e.composedPath().find((node) => node.localName === "button")
    if (!held) return
    let end = Date.now() + 20_000 // what takes longer says so, and leaves what was pressed where it is
    let caught = false
    timer = setInterval(() => {
      if (Date.now() > end) stop()
      if (document.activeElement !== document.body || isShown(held)) return
      const title = shownHeading(main)
      if (!title) return
      if (!caught) end = Date.now() + 2_000
      caught = true
      if (!title.hasAttribute("tabindex")) title.tabIndex = -1
      title.focus({preventScroll: e.detail > 0}) // a press by keyboard has no place on the screen
    }, 150)
  }
  main.addEventListener("click", press, true)
  return () => { stop(); main.removeEventListener("click", press, true) }
}

function isShown(node) {
  return node.isConnected && node.checkVisibility()
}

function shownHeading(root) {
  for (const node of root.children) {
    if (node.localName === "h1" && isShown(node) && node.textContent.trim()) return node
    const found = (node.shadowRoot && shownHeading(node.shadowRoot)) ?? shownHeading(node)
    if (found) return found
  }
  return null
}
