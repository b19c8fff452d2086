export function render({ model }) {
  const code = element("code", {})
  const block = element("pre", {tabIndex: 0}, code)
  const button = element("button", {type: "button", className: "quiet", textContent: "Copy"})
  const root = element("div", {className: "code"}, block, button)
  const show = () => { code.textContent = model.text; block.setAttribute("aria-label", model.label) }
  const say = (word) => { button.textContent = word; setTimeout(() => { button.textContent = "Copy" }, 1500) }
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(model.text)
      say("Copied")
    } catch { // a page that is not served securely may not write there: leave it selected for Ctrl-C
      const range = document.createRange()
      range.selectNodeContents(code)
      getSelection().removeAllRanges()
      getSelection().addRange(range)
      say("Press Ctrl-C")
    }
  })
  model.on("text", show)
  model.on("label", show)
  show()
  return root
}
