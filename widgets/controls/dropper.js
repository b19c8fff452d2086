// Bytes of the first piece of a file, and of the smallest. A large one would look like silence on a slow line, and many
// small ones would each wait for a busy server.
const FIRST = 250_000, SMALLEST = 20_000

// How large the next piece is, after one of this size took so many milliseconds.
function following(size, took, largest) {
  if (took < 1_000) return Math.min(2 * size, largest)
  return took > 5_000 ? Math.max(Math.round(size / 2), Math.min(SMALLEST, size)) : size
}

export function render({ model }) {
  const input = element("input", {type: "file", accept: model.accept})
  const text = element("span")
  const zone = element("label", {className: "dropzone"}, input, text)
  const idle = () => { text.textContent = model.label }
  let count = model.ack
  // One piece at a time: the next leaves when the server has the one before.
  const post = (data) => new Promise((done) => {
    const n = ++count
    const check = () => { if (model.ack === n) { model.off("ack", check); done() } }
    model.on("ack", check)
    model.send_msg({...data, n})
  })
  const take = async (file) => {
    if (!file || input.disabled) return
    input.disabled = true
    try {
      if (file.size > model.most) { await post({kind: "refused", name: file.name, size: file.size}); return }
      let sent = 0, size = Math.min(FIRST, model.piece)
      do {
        const piece = await file.slice(sent, sent + size).arrayBuffer()
        const first = sent === 0, begin = performance.now()
        sent += size
        await post({kind: "piece", name: file.name, first, last: sent >= file.size, content: piece})
        text.textContent = `Sending ${file.name}: ${Math.min(100, Math.round(100 * sent / file.size))} %`
        size = following(size, performance.now() - begin, model.piece)
      } while (sent < file.size)
    } finally {
      input.value = ""
      input.disabled = false
      idle()
    }
  }
  // A file dropped beside the place must not carry the page away, as long as the place is shown.
  const stay = (e) => e.preventDefault()
  for (const kind of ["dragover", "drop"]) window.addEventListener(kind, stay)
  model.on("remove", () => { for (const kind of ["dragover", "drop"]) window.removeEventListener(kind, stay) })
  input.addEventListener("change", () => take(input.files[0]))
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (e) => { e.preventDefault(); zone.classList.add("over") })
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("over"))
  zone.addEventListener("drop", (e) => { e.preventDefault(); zone.classList.remove("over"); take(e.dataTransfer.files[0]) })
  idle()
  return zone
}
