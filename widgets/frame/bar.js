export function render({ model }) {
  const send = makeFlow(model, () => { if (going !== null) { going = null; follow() } })
  const button = (text, name, className = "icon") => {
    const made = element("button", {type: "button", className, textContent: text, title: name})
    if (text !== name) made.setAttribute("aria-label", name)
    return made
  }
  const brand = element("span", {className: "brand", textContent: model.brand})
  const tabs = element("nav", {"aria-label": "Pages"})
  const info = element("span", {className: "info"})
  const undo = button("↶", "Undo")
  const redo = button("↷", "Redo")
  const present = button("Present", "Present (P)", "act present")
  const compare = button("Compare", "Compare", "act")
  const share = button("Share", "Share", "act")
  const theme = button("☾", "Dark theme")
  const help = button("?", "Help")
  const said = element("div", {className: "said", role: "status"})
  const root = element("div", {className: "bar"}, brand, tabs, info, element("span", {className: "gap"}), undo, redo, compare, share, present, theme, help)

  // Dialogs

  const makeDialog = (name, ...content) => {
    const close = button("×", `Close ${name.toLowerCase()}`, "icon close")
    const dialog = element("dialog", {}, close, ...content)
    dialog.setAttribute("aria-label", name)
    close.addEventListener("click", () => dialog.close())
    dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close() })
    root.append(dialog)
    return dialog
  }
  const helpText = element("div", {innerHTML: model.help_html})
  const helping = makeDialog("Help", helpText)
  help.addEventListener("click", () => {
    helping.showModal()
    // The help opens at the present page.
    helpText.querySelector(`[data-page="${model.page}"]`)?.scrollIntoView({block: "start"})
  })

  // What a teacher's link does not name is not there.
  const comparing = model.comparable ? makeCompare(model, send, makeDialog, button, () => openShare()) : null
  if (comparing) compare.addEventListener("click", comparing.open)
  else compare.remove()

  // Sharing

  const id = `link-${Math.random().toString(36).slice(2)}`
  const link = element("input", {type: "text", id, readOnly: true})
  const copy = button("Copy", "Copy", "act primary")
  const save = button("Save scenario", "Save scenario", "act")
  const open = button("Open a scenario", "Open a scenario", "act")
  const chooser = element("input", {type: "file", accept: ".json,application/json", hidden: true})
  const recent = element("ul", {})
  const teacher = makeTeacher(model)
  const recentTitle = element("h3", {textContent: "Recent on this browser"})
  const frame = element("input", {type: "text", id: `${id}-frame`, readOnly: true})
  const copyFrame = button("Copy", "Copy the code for a frame", "act primary")
  const framing = element("div", {hidden: !model.framed_by.length}, element("label", {htmlFor: frame.id, textContent: `Code for a frame in a page of ${model.framed_by.join(" or ")}`}), element("div", {className: "row"}, frame, copyFrame))
  const sharing = makeDialog("Share",
    element("div", {className: "share"},
      element("h2", {textContent: "Share what stands on this page"}),
      element("label", {htmlFor: id, textContent: "Link to this page"}),
      element("div", {className: "row"}, link, copy),
      element("p", {textContent: "Whoever opens it sees the same page, to the last figure. A file of your own is named in it, never included."}),
      framing,
      element("div", {className: "row"}, save, open, chooser),
      makeTaking(model, send, button),
      ...(model.limited ? [] : [teacher.root, recentTitle, recent])))
  const address = () => `${location.origin}${location.pathname}?${model.query}${teacher.named()}`
  // A browser that is sent this text reads the address as HTML: & and " are written as it wants them.
  const written = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
  const write = () => {
    link.value = address()
    frame.value = `<iframe src="${written(address())}" title="Trustscope: ${written(model.page)}" style="width: 100%; height: 900px; border: 0"></iframe>`
  }
  teacher.root.addEventListener("change", write)
  const KEPT = "trustscope-recent"
  const read = () => { try { return JSON.parse(localStorage.getItem(KEPT) ?? "[]") } catch { return [] } }
  const remember = () => {
    if (!model.title) return
    if (model.limited) return
    const others = read().filter((one) => one.query !== model.query)
    try { localStorage.setItem(KEPT, JSON.stringify([{title: model.title, query: model.query}, ...others].slice(0, 12))) } catch { /* kept nowhere */ }
  }
  const showRecent = () => {
    const found = read().filter((one) => typeof one?.query === "string" && typeof one?.title === "string")
    recentTitle.hidden = !found.length
    recent.replaceChildren(...found.map((one) => {
      const go = element("button", {type: "button", textContent: one.title})
      go.addEventListener("click", () => { location.search = `?${one.query}` })
      return element("li", {}, go)
    }))
  }
  const openShare = () => {
    teacher.show()
    write()
    showRecent()
    remember()
    sharing.showModal()
    link.select()
  }
  share.addEventListener("click", openShare)
  const copying = (press, from) => press.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(from.value) } catch { from.select(); document.execCommand("copy") }
    press.textContent = "Copied"
    setTimeout(() => { press.textContent = "Copy" }, 1500)
  })
  copying(copy, link)
  copying(copyFrame, frame)
  save.addEventListener("click", () => { remember(); send("save", {kind: "save"}) })
  open.addEventListener("click", () => chooser.click())
  const take = async (file) => {
    const text = await file.slice(0, 1_000_001).text()
    send("open", {kind: "open", name: file.name, text})
    sharing.close()
  }
  chooser.addEventListener("change", () => { if (chooser.files[0]) take(chooser.files[0]); chooser.value = "" })
  // A scenario may be dropped anywhere. Other files belong to the places that ask for them; dropped elsewhere they must
  // not carry the page away.
  const over = (e) => { if (e.dataTransfer?.types.includes("Files")) e.preventDefault() }
  const drop = (e) => {
    over(e)
    const file = [...(e.dataTransfer?.files ?? [])].find((f) => f.name.toLowerCase().endsWith(".json"))
    if (file) take(file)
  }
  addEventListener("dragover", over)
  addEventListener("drop", drop)
  const give = () => {
    if (!model.file.name) return
    const {text, bytes, kind} = model.file
    const content = bytes === undefined ? text : Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
    const url = URL.createObjectURL(new Blob([content], {type: kind}))
    element("a", {href: url, download: model.file.name}).click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }

  // What is shown

  // Where the row is narrow, it is scrolled to the page.
  const scrollToTab = () => {
    const tab = tabs.querySelector("[aria-current]")
    if (tab) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2
  }
  const resized = new ResizeObserver(scrollToTab)
  resized.observe(tabs)
  model.on("remove", () => resized.disconnect())
  const markTab = (page) => {
    for (const tab of tabs.children) {
      if (tab.textContent === page) tab.setAttribute("aria-current", "page")
      else tab.removeAttribute("aria-current")
    }
    requestAnimationFrame(scrollToTab) // when it has been laid out
    // The click shows at once, before the page has come: what stands is of another page.
    document.body.classList.toggle("ts-going", page !== model.page && !wasOpened(page))
  }
  const showTabs = () => {
    tabs.replaceChildren(...model.pages.map((page) => {
      const tab = element("button", {type: "button", textContent: page})
      tab.addEventListener("click", () => {
        going = page
        markTab(page)
        if (wasOpened(page)) showPage(page, bare.get(page))
        send("page", {kind: "page", page})
      })
      return tab
    }))
    markTab(model.page)
  }
  // Pages that were opened before are only hidden: such a page is shown without the server.
  const places = () => [...document.querySelectorAll(".ts-place")]
  const bare = new Map() // whether a page, by its name, has no controls at the side
  const filled = (place) => // a root has no box of its own; what stands in it is in the shadow of its one child
    [...(place.querySelector("[data-root-id]")?.firstElementChild?.shadowRoot?.children ?? [])].some((part) => part.tagName === "DIV")
  const wasOpened = (page) => bare.has(page) && places().some((place) => place.dataset.page === page && filled(place))
  const showPage = (page, isBare) => {
    if (places().some((place) => place.dataset.page === page && place.classList.contains("ts-shown"))) return
    for (const place of places().filter((one) => one.classList.contains("ts-shown"))) place.style.width = `${place.getBoundingClientRect().width}px`
    document.body.classList.toggle("ts-bare", isBare)
    for (const place of places()) place.classList.toggle("ts-shown", place.dataset.page === page)
    for (const place of places().filter((one) => one.dataset.page === page)) place.style.removeProperty("width")
    for (const part of [document.scrollingElement, ...document.querySelectorAll(".ts-page, .ts-page > *")]) part.scrollTop = 0 // it is read from its beginning
  }
  let going = null // the page that was clicked last, until the server has turned to it
  const turn = () => {
    if (going !== null && model.page !== going) return // an answer to an earlier click
    going = null
    markTab(model.page)
    showPage(model.page, model.bare)
  }
  const showTitle = () => { document.title = model.title ? `${model.title.replace(/: $/, "")} · ${model.brand}` : model.brand }
  const showInfo = () => { info.textContent = model.info; info.title = model.info }
  const showSteps = () => { setBarred(undo, !model.can_undo); setBarred(redo, !model.can_redo) }
  const showSaid = () => {
    const close = button("Dismiss", "Dismiss", "act")
    close.addEventListener("click", () => { said.replaceChildren(); send("dismiss", {kind: "dismiss"}) })
    said.replaceChildren(...(model.said.length ? [...model.said.map((text) => element("p", {textContent: text})), close] : []))
  }
  const paint = () => {
    const dark = document.documentElement.dataset.theme === "dark"
    theme.textContent = dark ? "☀" : "☾"
    theme.setAttribute("aria-label", dark ? "Light theme" : "Dark theme")
    theme.title = dark ? "Light theme" : "Dark theme"
  }
  theme.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark"
    document.documentElement.dataset.theme = next
    try { localStorage.setItem("trustscope-theme", next) } catch { /* a private window keeps nothing */ }
    paint()
    repaintPlots()
  })
  onPress(undo, () => send("undo", {kind: "undo"}))
  onPress(redo, () => send("redo", {kind: "redo"}))

  // Keys

  const presenting = makePresenting(model, send)
  present.addEventListener("click", presenting.begin)
  const typing = (e) => e.composedPath().some((n) => n.isContentEditable || n.tagName === "TEXTAREA" || n.tagName === "SELECT" || (n.tagName === "INPUT" && ["text", "number", "search"].includes(n.type)))
  const keys = (e) => {
    if (e.key === "Tab") skipPlots() // plots come and go; the focus moves after this
    if (presenting.key(e)) return
    const plainly = !e.ctrlKey && !e.metaKey && !e.altKey && !typing(e)
    if (e.key.toLowerCase() === "p" && plainly && !root.querySelector("dialog[open]")) { e.preventDefault(); presenting.begin() }
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !typing(e)) {
      e.preventDefault()
      const step = e.shiftKey ? "redo" : "undo"
      send(step, {kind: step})
    }
    if (e.key.toLowerCase() === "x" && plainly) comparing?.swap()
    if (e.key !== "Escape") return
    if (document.body.classList.contains("ts-open") && !root.querySelector("dialog[open]")) { slide(); sheet.focus(); return }
    const details = e.composedPath().find((n) => n.tagName === "DETAILS" && n.querySelector(".body")) ?? opened
    if (!details?.open) return
    details.open = false
    details.querySelector("summary").focus()
  }
  // A help text of a card closes on Escape, and its button keeps the focus; clicking elsewhere closes it too.
  let opened = null
  const clicked = (e) => {
    const path = e.composedPath()
    const here = path.find((n) => n.tagName === "DETAILS" && n.querySelector(".body")) ?? null
    if (opened && opened !== here) opened.open = false
    opened = here
  }
  document.addEventListener("click", clicked)
  document.addEventListener("keydown", keys)
  // On a phone the controls are a sheet from below.
  const sheet = document.querySelector(".ts-sheet")
  const slide = () => {
    const up = document.body.classList.toggle("ts-open")
    sheet.setAttribute("aria-expanded", String(up))
    sheet.textContent = up ? "Done" : "Controls"
  }
  sheet?.addEventListener("click", slide)
  const main = document.querySelector("main")
  if (main) model.on("remove", catchLostFocus(main))
  model.on("remove", () => {
    document.removeEventListener("click", clicked)
    document.removeEventListener("keydown", keys)
    removeEventListener("dragover", over)
    removeEventListener("drop", drop)
    sheet?.removeEventListener("click", slide)
  })

  teachTerms(model.terms)
  const forgetTerms = explainTerms(root)
  model.on("remove", forgetTerms)
  const showBare = () => {
    bare.set(model.page, model.bare)
    if (going === null) document.body.classList.toggle("ts-bare", model.bare)
    compare.hidden = model.bare || !model.comparable
  }
  model.on("bare", showBare)
  root.append(said)
  model.on("pages", showTabs)
  const follow = () => { turn(); showBare() }
  model.on("page", follow)
  model.on("info", showInfo)
  model.on("title", showTitle)
  model.on("file", give)
  model.on("said", showSaid)
  for (const p of ["can_undo", "can_redo"]) model.on(p, showSteps)
  showTabs()
  follow()
  showInfo()
  showTitle()
  showSteps()
  showSaid()
  paint()
  return root
}
