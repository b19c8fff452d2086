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

// How pictures are wanted: the same for all cards of the page.
function wanted() {
  return (globalThis.trustscopePictures ??= {size: "2x", title: true, caption: false, source: false})
}
const SIZES = {"1x": "for a screen (1x)", "2x": "for a fine screen (2x)", print: "for print (300 dpi)"}
const WORDS = {title: "with the title", caption: "with the caption", source: "with the source"}

// A small fold over the card: how fine a picture is, and the words around it.
function makeChoices(title) {
  const size = element("select", {}, ...Object.entries(SIZES).map(([value, text]) => element("option", {value, textContent: text})))
  const boxes = Object.entries(WORDS).map(([name, text]) => {
    const box = element("input", {type: "checkbox"})
    box.addEventListener("change", () => { wanted()[name] = box.checked })
    return [name, box, element("label", {}, box, ` ${text}`)]
  })
  size.addEventListener("change", () => { wanted().size = size.value })
  const summary = element("summary", {title: "How pictures are saved"}, element("span", {textContent: "⋯", ariaHidden: "true"}),
    element("span", {className: "unseen", textContent: `How pictures of ${title} are saved`}))
  const fold = element("details", {}, summary,
    element("div", {className: "choices"}, element("label", {}, "PNG ", size), ...boxes.map(([, , label]) => label)))
  fold.addEventListener("toggle", () => {
    if (!fold.open) return
    size.value = wanted().size
    for (const [name, box] of boxes) box.checked = wanted()[name]
  })
  fold.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !fold.open) return
    fold.open = false
    summary.focus()
    e.stopPropagation()
  })
  fold.addEventListener("focusout", (e) => { if (e.relatedTarget && !fold.contains(e.relatedTarget)) fold.open = false })
  return fold
}

export function render({ model }) {
  const send = makeFlow(model)
  const root = element("div", {className: "download-row", role: "group"})
  const build = () => {
    root.setAttribute("aria-label", `Download ${model.title}`)
    root.replaceChildren(...Object.keys(KINDS).filter((kind) => kind === "CSV" || model.drawn).map((kind) => {
      const button = element("button", {type: "button", title: `Download ${model.title} as ${kind}`},
        element("span", {textContent: kind}), element("span", {className: "unseen", textContent: ` of ${model.title}`}))
      button.addEventListener("click", () => send(kind, {...wanted(), what: kind.toLowerCase(), theme: document.documentElement.dataset.theme ?? "light"}))
      return button
    }))
    if (model.drawn) root.append(makeChoices(model.title))
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
