// A countdown in an element: it goes on by itself, whatever comes from the server meanwhile. `update` takes what the
// server says of it ({until, left}, or nothing); the same countdown is not begun anew.
function makeClock(node) {
  let [known, end, timer] = [null, 0, undefined]
  const show = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000 - 0.05))
    node.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "Time is up"
    node.classList.toggle("over", !left)
    if (!left) { clearInterval(timer); timer = undefined }
  }
  const update = (countdown) => {
    if ((countdown.until ?? null) === known) return
    known = countdown.until ?? null
    clearInterval(timer)
    timer = undefined
    node.hidden = known === null
    if (known === null) return
    end = performance.now() + 1000 * countdown.left
    timer = setInterval(show, 250)
    show()
  }
  node.hidden = true
  return {update, stop: () => clearInterval(timer)}
}
