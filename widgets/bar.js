export function render({ model }) {
  const send = makeFlow(model)
  const brand = element("span", {className: "brand", textContent: model.brand})
  const tabs = element("nav", {"aria-label": "Dashboards"})
  const info = element("span", {className: "info"})
  const theme = element("button", {type: "button", className: "icon"})
  const help = element("button", {type: "button", className: "icon", textContent: "?", title: "Help"})
  help.setAttribute("aria-label", "Help")
  const close = element("button", {type: "button", className: "icon close", textContent: "×"})
  close.setAttribute("aria-label", "Close help")
  const dialog = element("dialog", {}, close, element("div", {innerHTML: model.help_html}))
  dialog.setAttribute("aria-label", "Help")
  help.addEventListener("click", () => dialog.showModal())
  close.addEventListener("click", () => dialog.close())
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close() })
  const root = element("div", {className: "bar"}, brand, tabs, info, theme, help, dialog)

  const showTabs = () => {
    tabs.replaceChildren(...model.pages.map((page) => {
      const tab = element("button", {type: "button", textContent: page})
      if (page === model.page) tab.setAttribute("aria-current", "page")
      tab.addEventListener("click", () => send("page", {page}))
      return tab
    }))
  }
  const showInfo = () => { info.textContent = model.info; info.title = model.info }
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
  // A help text of a card closes on Escape, and its button keeps the focus; clicking elsewhere closes it too.
  let opened = null
  document.addEventListener("click", (e) => {
    const path = e.composedPath()
    const here = path.find((n) => n.tagName === "DETAILS" && n.querySelector(".body")) ?? null
    if (opened && opened !== here) opened.open = false
    opened = here
  })
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return
    const details = e.composedPath().find((n) => n.tagName === "DETAILS" && n.querySelector(".body")) ?? opened
    if (!details?.open) return
    details.open = false
    details.querySelector("summary").focus()
  })
  model.on("pages", showTabs)
  model.on("page", showTabs)
  model.on("info", showInfo)
  showTabs()
  showInfo()
  paint()
  return root
}
