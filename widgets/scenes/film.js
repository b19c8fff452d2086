const W = 420
const H = 236
const BASE = 178
const STAY = 1500 // milliseconds for which a number of copies is shown, before one more is pooled
const MOVE = 700 // milliseconds that the step to one more copy takes
const END = 2600 // milliseconds for which all copies are shown
const ROUNDS = 3 // after so many rounds the film rests at its end: a page that is left open then costs nothing

export function render({ model }) {
  const panels = element("div", {className: "panels"})
  const caption = element("p", {className: "caption"})
  const figures = element("p", {className: "unseen"})
  const button = element("button", {type: "button", className: "quiet"})
  const root = element("figure", {}, panels, element("figcaption", {}, caption, button, figures))
  const still = matchMedia("(prefers-reduced-motion: reduce)")
  let parts = []
  let frame = 0
  let timer = 0
  let then = 0 // the time up to which `played` counts; 0 while the film is held
  let played = 0 // milliseconds of the film that were shown, in all rounds together
  let paused = false // by the person who watches
  let inView = false

  const build = () => {
    caption.textContent = model.caption
    figures.textContent = model.summary_text
    if (!model.film.scenes) return
    const [low, high] = [model.film.places[0], model.film.places.at(-1)]
    const x = (v) => 10 + (W - 20) * (v - low) / (high - low)
    const top = Math.max(...model.film.scenes.flatMap((s) => s.curves.flat()))
    const y = (v) => BASE - (BASE - 40) * v / top
    const points = (ys) => ys.map((v, i) => `${x(model.film.places[i]).toFixed(1)},${y(v).toFixed(1)}`)
    const path = (ys) => `M${x(low)},${BASE}L${points(ys).join("L")}L${x(high)},${BASE}Z`
    hold()
    played = 0
    parts = model.film.scenes.map((scene) => {
      const svg = drawn("svg", {viewBox: `0 0 ${W} ${H}`, role: "img", class: scene.tone, "aria-label": scene.title})
      const area = drawn("path", {class: "belief-area"})
      const first = drawn("path", {class: "first", d: path(scene.curves[0])})
      const spread = drawn("text", {class: "spread", x: W - 12, y: 40, "text-anchor": "end"})
      const seats = model.film.recipients.map(([initial, colour], i) => {
        const seat = drawn("g", {class: "seat-dot"})
        seat.append(drawn("circle", {cx: 26 + 32 * i, cy: H - 22, r: 13, fill: colour}), drawn("text", {x: 26 + 32 * i, y: H - 17, "text-anchor": "middle"}, initial))
        return seat
      })
      const truth = x(model.film.truth)
      svg.append(first, area, drawn("line", {class: "base", x1: 10, x2: W - 10, y1: BASE, y2: BASE}),
        drawn("line", {class: "truth-line", x1: truth, x2: truth, y1: 26, y2: BASE}),
        drawn("text", {class: "truth-word", x: truth, y: 18, "text-anchor": truth > W - 60 ? "end" : truth < 60 ? "start" : "middle"}, "the truth"), spread, ...seats)
      return {scene, svg, area, spread, seats, path}
    })
    panels.replaceChildren(...parts.map(({scene, svg}) => element("div", {className: `panel-box ${scene.tone}`}, element("h2", {textContent: scene.title}), svg)))
    begin()
  }
  // Draws t + 1 pooled copies; between two whole numbers the belief is on its way from one to the other.
  const pose = (t) => {
    for (const {scene, area, spread, seats, path} of parts) {
      const k = Math.min(Math.floor(t), scene.curves.length - 1)
      const next = Math.min(k + 1, scene.curves.length - 1)
      const s = t - Math.floor(t)
      const ease = s * s * (3 - 2 * s)
      area.setAttribute("d", path(scene.curves[k].map((v, i) => v + (scene.curves[next][i] - v) * ease)))
      const now = ease > 0.5 ? next : k
      spread.textContent = `${scene.spreads[now]} ${model.film.unit}`
      seats.forEach((seat, i) => { seat.style.opacity = i <= now ? 1 : 0.16 })
    }
  }
  const last = () => Math.max(...parts.map(({scene}) => scene.curves.length)) - 1
  const whole = () => (STAY + MOVE) * last() + END
  const over = () => played >= ROUNDS * whole()
  // Draws the film as far as it was played. Returns for how many milliseconds this picture still stands; below zero it
  // has been moving for so long.
  const look = () => {
    const time = over() ? whole() - 1 : played % whole()
    const k = Math.min(Math.floor(time / (STAY + MOVE)), last())
    const stands = k < last() ? k * (STAY + MOVE) + STAY - time : whole() - time
    pose(stands > 0 ? k : k - stands / MOVE)
    return stands
  }
  const play = (now) => {
    played += then ? now - then : 0
    then = now
    const stands = look()
    if (over()) begin()
    else if (stands > 0) timer = setTimeout(() => { frame = requestAnimationFrame(play) }, stands)
    else frame = requestAnimationFrame(play)
  }
  const hold = () => { // the time for which the present picture has stood counts when the film goes on
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    if (then) played += performance.now() - then
    then = 0
  }
  // Goes on from where the film was held, unless something keeps it from moving.
  const begin = () => {
    hold()
    button.hidden = still.matches
    if (!parts.length) return
    if (still.matches) { pose(last()); return }
    look()
    button.textContent = paused ? "Play" : over() ? "Play again" : "Pause"
    if (!paused && !over() && inView && !document.hidden) frame = requestAnimationFrame(play)
  }
  button.addEventListener("click", () => {
    if (over()) played = 0
    else paused = !paused
    begin()
  })
  // Another page may cover this one, it is scrolled away, or its tab is hidden: the film waits until it is seen again.
  const watcher = new IntersectionObserver((entries) => { inView = entries.at(-1).isIntersecting; begin() })
  watcher.observe(root)
  still.addEventListener("change", begin)
  document.addEventListener("visibilitychange", begin)
  model.on("film", build)
  model.on("remove", () => {
    hold()
    watcher.disconnect()
    still.removeEventListener("change", begin)
    document.removeEventListener("visibilitychange", begin)
  })
  build()
  return root
}
