// Presenting: the verdict and the two pictures on the whole screen, in type for the back row. The page stays what it is;
// it is looked at through `zoom`, and custom properties tell the parts inside what to leave out (see present.css).
const LEAST_ZOOM = 1.75 // 14 pixels, the smallest type that has to be read, become 24.5
const SMALL = 1280 // pixels across; on a screen with fewer a pixel is larger on the wall, and less zoom gives the same type
const [WIDE, HIGH] = [1097, 617] // pixels of the page behind the zoom on a larger screen: those of 1920 by 1080
const [LOWEST, HIGHEST] = [150, 900] // pixels of a picture behind the zoom
const HIDES = 4000 // milliseconds after which the buttons go
const FADE = 160 // milliseconds
const POINTS = 1500 // milliseconds for which the spot stays where the pointer rests

function makePresenting(model, send) {
  const page = document.documentElement
  const main = document.getElementById("ts-main")
  if (!main) return {begin() {}, key() { return false }} // a bar without a page
  const calm = matchMedia("(prefers-reduced-motion: reduce)")
  const set = (name, value) => page.style.setProperty(name, value)
  const pages = () => [...main.children].filter((place) => place.matches(".ts-shown"))
  let panel = null // the buttons, while presenting
  let focused = null
  let hiding
  let told = false // the keys are told until one is pressed
  let spot = null // a light that follows the pointer
  let spotted // when it goes
  let pointing = true // whether it is wanted
  const speaker = makeSpeaker(model, {step: (by) => step(by), end: () => end(), go: (place) => go(place), refuse: (text) => refuse(text)})
  let aim = null // where the keys are already; the pictures follow. Where presenting begins, the server says

  // Pictures as high as there is room for. Where even low ones do not fit, captions are left out, and then more.
  const fit = () => {
    if (!panel) return
    const least = Math.max(1, LEAST_ZOOM * Math.min(1, innerWidth / SMALL))
    const zoom = Math.max(least, Math.min(innerWidth / WIDE, innerHeight / HIGH))
    set("--ts-zoom", zoom)
    set("--ts-type", `${14 * zoom}px`)
    set("--ts-foot", `${panel.offsetHeight}px`)
    shrink()
    const levels = [...inside(main, ".place"), ...lesson()].some((place) => place.offsetHeight) ? [0, 1, 2] : [0] // a list just scrolls
    for (const level of levels) {
      page.classList.toggle("ts-short", level > 0)
      page.classList.toggle("ts-terse", level > 1)
      let tall = 300
      for (let turn = 0; turn < 3; turn++) {
        set("--ts-tall", `${tall}px`)
        set("--ts-figure", `${tall * zoom}px`)
        tall = Math.round(Math.min(Math.max(tall + spare() / zoom, LOWEST), HIGHEST))
      }
      if (spare() >= -2) break
    }
    grow(zoom)
  }
  // Two pictures stand side by side, equally tall: the one with less around it may be higher than the other.
  const grow = (zoom) => {
    const tall = parseFloat(page.style.getPropertyValue("--ts-tall"))
    const places = inside(main, ".place").filter((place) => place.offsetHeight)
    const left = places.map((place) => {
      const card = inside(place, ".ts-card")[0]
      const parts = [...(card?.shadowRoot.children ?? [])].filter((part) => part.offsetHeight)
      return parts.length ? card.getBoundingClientRect().bottom - Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) : 0
    })
    places.forEach((place, i) => {
      const more = tall + (left[i] - Math.min(...left)) / zoom
      place.style.setProperty("--ts-tall", `${more}px`)
      place.style.setProperty("--ts-figure", `${more * zoom}px`)
    })
  }
  const shrink = () => {
    for (const place of inside(main, ".place")) for (const name of ["--ts-tall", "--ts-figure"]) place.style.removeProperty(name)
  }
  const inside = (node, wanted) => [...(node.shadowRoot?.children ?? []), ...node.children].flatMap((child) =>
    child.matches(wanted) ? [child] : inside(child, wanted))
  // The page beside the words of a lesson; the words may scroll.
  const lesson = () => pages().flatMap((place) => inside(place, ".page")).filter((page) => page.offsetHeight)
  // Pixels of the screen that are left below what is shown; negative where it does not fit.
  const spare = () => {
    const bottom = (lesson()[0] ?? pages()[0])?.getBoundingClientRect().bottom ?? 0
    return innerHeight - 8 - panel.offsetHeight - (bottom + main.scrollTop) // the buttons never cover a picture
  }
  let due = 0
  const refit = () => { cancelAnimationFrame(due); due = requestAnimationFrame(fit) }
  const sizes = new ResizeObserver(refit)
  const observe = () => {
    sizes.disconnect()
    for (const part of [...main.children, ...lesson(), panel]) sizes.observe(part)
  }

  // Buttons

  const make = (text, name, act) => {
    const made = element("button", {type: "button", textContent: text, title: name})
    if (text !== name) made.setAttribute("aria-label", name)
    made.addEventListener("click", act)
    return made
  }
  // A sentence among the buttons, until the next step.
  const refuse = (text) => {
    panel?.querySelector(".ts-keys")?.remove()
    panel?.append(element("span", {className: "ts-keys", role: "alert", textContent: text}))
    wake()
  }
  const wake = () => {
    if (!panel) return
    panel.classList.remove("ts-idle")
    clearTimeout(hiding)
    hiding = setTimeout(() => {
      if (panel?.contains(document.activeElement) || panel?.matches(":hover")) wake()
      else panel?.classList.add("ts-idle")
    }, HIDES)
  }
  const build = () => {
    const {place, titles, walked, recipients} = model.presenting
    const back = make("‹", "Previous", () => step(-1))
    const on = make("›", "Next", () => step(1))
    setBarred(back, place === 0)
    setBarred(on, place === titles.length - 1)
    const where = element("span", {className: "ts-where", textContent: titles.length > 1 ? `${titles[place]} (${place + 1} of ${titles.length})` : titles[place]})
    where.setAttribute("role", "status")
    const walk = titles.length > 1 ? [back, where, on] : [where]
    const who = recipients.map(([name, colour, member], i) => {
      const one = make(`${i + 1} ${name}`, `${i + 1} ${name}`, () => send(`toggle${i}`, {kind: "toggle", number: i + 1}))
      one.className = "ts-who"
      one.style.setProperty("--c", colour)
      one.setAttribute("aria-pressed", String(member))
      return one
    })
    const group = element("div", {className: "ts-group", role: "group"}, ...who)
    group.setAttribute("aria-label", "Who pools")
    const keys = [titles.length > 1 ? `← → ${walked}` : "", who.length ? `1–${who.length} recipients` : "", "S speaker's window", "L light", "Esc ends"]
    const hint = element("span", {className: "ts-keys", textContent: keys.filter(Boolean).join(", ")})
    keepFocus(panel, () => panel.replaceChildren(element("div", {className: "ts-group"}, ...walk, make("Speaker", "Speaker's window (S)", speaker.open), make("End", "End presenting", end)), ...(who.length ? [group] : []), ...(told ? [] : [hint])))
  }

  // Walking

  const step = (by) => go(aim + by)
  const go = (place) => {
    const last = model.presenting.titles.length - 1
    const next = Math.min(Math.max(place, 0), last)
    if (next === aim) return
    aim = next
    const walk = () => send("walk", {kind: "walk", number: aim})
    if (calm.matches) { walk(); return }
    page.classList.add("ts-changing")
    setTimeout(walk, FADE)
  }
  const arrived = () => {
    if (!panel) return
    if (!model.presenting.titles) { close(); return } // the server ended it
    aim ??= model.presenting.place
    if (model.presenting.place !== aim) return // another step is on its way already
    build()
    requestAnimationFrame(() => page.classList.remove("ts-changing"))
    observe()
    refit()
  }

  // A light where the pointer is, over the pictures
  const point = (event) => {
    if (!spot) return
    clearTimeout(spotted)
    spot.hidden = !pointing || event.pointerType === "touch" || panel.contains(event.target)
    spot.style.translate = `${event.clientX}px ${event.clientY}px`
    spotted = setTimeout(() => { if (spot) spot.hidden = true }, POINTS)
  }

  // Beginning and ending

  const begin = () => {
    if (panel) return
    focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    aim = null
    told = false
    panel = element("div", {className: "ts-present", role: "region"})
    panel.setAttribute("aria-label", "Presenting")
    spot = element("div", {className: "ts-spot", hidden: true})
    document.body.append(panel, spot)
    page.classList.add("ts-presenting")
    main.focus({preventScroll: true})
    main.scrollTop = 0
    send("present", {kind: "present"})
    observe()
    for (const event of ["pointermove", "pointerdown"]) addEventListener(event, wake)
    addEventListener("pointermove", point)
    addEventListener("resize", refit)
    document.addEventListener("fullscreenchange", left)
    // Where a window may not fill the screen, it is presented in as it is.
    if (document.fullscreenEnabled) page.requestFullscreen().catch(() => {})
    fit()
    redrawPlots()
    wake()
  }
  const close = () => {
    if (!panel) return
    panel.remove()
    spot.remove()
    panel = spot = null
    speaker.close()
    clearTimeout(hiding)
    clearTimeout(spotted)
    sizes.disconnect()
    for (const event of ["pointermove", "pointerdown"]) removeEventListener(event, wake)
    removeEventListener("pointermove", point)
    removeEventListener("resize", refit)
    document.removeEventListener("fullscreenchange", left)
    page.classList.remove("ts-presenting", "ts-changing", "ts-short", "ts-terse")
    shrink()
    for (const name of ["--ts-zoom", "--ts-type", "--ts-foot", "--ts-tall", "--ts-figure"]) page.style.removeProperty(name)
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
    redrawPlots()
    focused?.focus({preventScroll: true})
  }
  const end = () => { close(); send("present-end", {kind: "present-end"}) }
  // A browser takes Escape for itself while the screen is filled.
  const left = () => { if (!document.fullscreenElement && !speaker.opening()) end() }

  const KEYS = {ArrowRight: () => step(1), PageDown: () => step(1), ArrowLeft: () => step(-1), PageUp: () => step(-1),
    Home: () => go(0), End: () => go(Infinity), Escape: end}
  model.on("presenting", arrived)
  model.on("remove", close)
  return {
    begin,
    // Whether the key was meant for the presentation.
    key(e) {
      if (!panel || e.ctrlKey || e.metaKey || e.altKey) return false
      if (e.key.toLowerCase() === "p") end()
      else if (e.key.toLowerCase() === "s") speaker.open()
      else if (e.key.toLowerCase() === "l") { pointing = !pointing; if (!pointing) spot.hidden = true }
      else if (KEYS[e.key]) { if (e.key !== "Escape" && !model.presenting.titles) return true; KEYS[e.key]() }
      else if (/^[1-8]$/.test(e.key)) send(`toggle${e.key}`, {kind: "toggle", number: Number(e.key)})
      else return false
      told = true
      panel?.querySelector(".ts-keys:not([role])")?.remove()
      e.preventDefault()
      return true
    },
  }
}
