export function render({ model }) {
  const send = makeFlow(model)
  const button = element("button", {type: "button", className: "quiet"})
  const show = () => { button.textContent = model.text; setBarred(button, model.disabled) }
  onPress(button, () => send("click", {}))
  model.on("msg:custom", ({name, kind, content}) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    const link = element("a", {href: URL.createObjectURL(new Blob([bytes], {type: kind})), download: name})
    document.body.append(link)
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  })
  for (const p of ["text", "disabled"]) model.on(p, show)
  show()
  return button
}
