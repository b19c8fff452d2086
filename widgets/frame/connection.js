// The page beyond this component is greyed out while nothing can be updated.
const LOOKS = `
  html.ts-lost body > :not(.ts-connection) { filter: grayscale(1) opacity(.55); pointer-events: none; }
  .ts-connection { position: fixed; inset: 0 0 auto 0; z-index: 10000; }
  .ts-connection > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 6px 16px; padding: 10px 18px;
    background: var(--ts-warn-fill, #fff6e5); color: var(--ts-warn, #8a5a00); border-bottom: 2px solid currentColor;
    font: 600 15px/1.4 var(--ts-font, sans-serif); box-shadow: 0 4px 18px rgb(0 0 0 / 25%); }
  .ts-connection > div:empty { padding: 0; border: 0; box-shadow: none; }
  .ts-connection button { font: inherit; font-size: 14px; min-height: 30px; padding: 2px 14px; border-radius: 16px; border: 1px solid currentColor; background: transparent; color: inherit; cursor: pointer; }
  .ts-connection button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
  @media (prefers-reduced-motion: no-preference) { html.ts-lost body > :not(.ts-connection) { transition: filter .25s; } }
`

export function render({ model, view }) {
  const words = element("div", {role: "alert"})
  const host = element("div", {className: "ts-connection"}, element("style", {textContent: LOOKS}), words)
  document.body.append(host)
  const root = document.documentElement
  let lost = false // the socket is closed: this session will not come back
  let timer
  let tries = 0

  const say = () => {
    const away = lost || !navigator.onLine
    root.classList.toggle("ts-lost", away)
    if (!away) { words.replaceChildren(); return }
    if (words.childElementCount) return
    const button = element("button", {type: "button", textContent: "Try now"})
    button.addEventListener("click", () => { clearTimeout(timer); attempt() })
    words.replaceChildren(element("span", {textContent: model.text}), button)
  }
  // Any answer means that the server is there again; the page is then opened anew at its present address, from which
  // its state is restored. A page that only asks (HEAD) starts no session.
  const answers = async () => {
    try {
      const answer = await fetch(location.href, {method: "HEAD", cache: "no-store"})
      return answer.status < 500
    } catch { return false }
  }
  const attempt = async () => {
    if (await answers()) { location.reload(); return }
    tries += 1
    timer = setTimeout(attempt, Math.min(500 * 1.5 ** tries, 5000))
  }
  const lose = () => {
    if (lost) return
    lost = true
    say()
    if (!model.stays) timer = setTimeout(attempt, 300) // reloaded at once, nobody would read why
  }
  view.model.document.on_event("connection_lost", lose)
  window.addEventListener("offline", say)
  window.addEventListener("online", say)
  model.on("remove", () => {
    clearTimeout(timer)
    window.removeEventListener("offline", say)
    window.removeEventListener("online", say)
    host.remove()
    root.classList.remove("ts-lost")
  })
  say()
  return element("span", {hidden: true})
}
