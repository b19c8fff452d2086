// Give the person a file.
function handOver(name, text, kind) {
  const file = element("a", {href: URL.createObjectURL(new Blob([text], {type: kind})), download: name})
  document.body.append(file)
  file.click()
  file.remove()
  setTimeout(() => URL.revokeObjectURL(file.href), 10_000)
}

// Browsers give the clipboard to encrypted pages only; the old way works on a school's network too.
async function copyText(text, button) {
  try { await navigator.clipboard.writeText(text) } catch {
    const box = element("textarea", {value: text})
    box.style.cssText = "position:fixed;opacity:0"
    document.body.append(box)
    box.select()
    document.execCommand("copy")
    box.remove()
  }
  const before = button.textContent
  button.textContent = "Copied"
  setTimeout(() => { button.textContent = before }, 2000)
}
