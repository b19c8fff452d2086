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
      let sent = 0
      do {
        const piece = await file.slice(sent, sent + model.piece).arrayBuffer()
        const first = sent === 0
        sent += model.piece
        await post({kind: "piece", name: file.name, first, last: sent >= file.size, content: piece})
        text.textContent = `Sending ${file.name}: ${Math.min(100, Math.round(100 * sent / file.size))} %`
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
