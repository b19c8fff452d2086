function save(blob, name) {
  const link = element("a", {href: URL.createObjectURL(blob), download: name})
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

// What the server sends: a text, or bytes in base 64.
const KINDS = {
  SVG: (text) => new Blob([text], {type: "image/svg+xml"}),
  PNG: (text) => new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], {type: "image/png"}),
  CSV: (text) => new Blob([text], {type: "text/csv;charset=utf-8"}),
}

export function render({ model }) {
  const send = makeFlow(model)
  const root = element("div", {className: "download-row", role: "group"})
  const build = () => {
    root.setAttribute("aria-label", `Download ${model.title}`)
    root.replaceChildren(...Object.keys(KINDS).filter((kind) => kind === "CSV" || model.drawn).map((kind) => {
      const button = element("button", {type: "button", title: `Download ${model.title} as ${kind}`},
        element("span", {textContent: kind}), element("span", {className: "unseen", textContent: ` of ${model.title}`}))
      button.addEventListener("click", () => send(kind, {what: kind.toLowerCase(), theme: document.documentElement.dataset.theme ?? "light"}))
      return button
    }))
  }
  model.on("msg:custom", (data) => {
    for (const [kind, blob] of Object.entries(KINDS)) {
      const ending = kind.toLowerCase()
      if (ending in data) save(blob(data[ending]), `${model.file}.${ending}`)
    }
  })
  for (const p of ["title", "file", "drawn"]) model.on(p, build)
  build()
  return root
}
