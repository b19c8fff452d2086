const W = 420
const H = 236
const BASE = 178
const STAY = 1500 // milliseconds that a number of copies stands
const MOVE = 700 // and that it takes to come to the next

export function render({ model }) {
  const panels = element("div", {className: "panels"})
  const words = element("p", {className: "unseen"})
  const stop = element("button", {type: "button", className: "quiet", textContent: "Pause"})
  const root = element("figure", {}, panels, element("figcaption", {}, stop, words))
  const still = matchMedia("(prefers-reduced-motion: reduce)")
  let parts = []
  let begun = 0
  let frame = 0
  let paused = false
  let stood = 0 // how far the film had come when it was paused

  const build = () => {
    words.textContent = model.summary_text
    if (!model.film.scenes) return
    const [low, high] = [model.film.places[0], model.film.places.at(-1)]
    const x = (v) => 10 + (W - 20) * (v - low) / (high - low)
    const top = Math.max(...model.film.scenes.flatMap((s) => s.curves.flat()))
    const y = (v) => BASE - (BASE - 40) * v / top
    const points = (ys) => ys.map((v, i) => `${x(model.film.places[i]).toFixed(1)},${y(v).toFixed(1)}`)
    const path = (ys) => `M${x(low)},${BASE}L${points(ys).join("L")}L${x(high)},${BASE}Z`
    parts = model.film.scenes.map((scene) => {
      const svg = drawn("svg", {viewBox: `0 0 ${W} ${H}`, role: "img", class: scene.tone, "aria-label": scene.title})
      const area = drawn("path", {class: "belief-area"})
      const first = drawn("path", {class: "first", d: path(scene.curves[0])})
      const spread = drawn("text", {class: "spread", x: W - 12, y: 40, "text-anchor": "end"})
      const seats = model.film.seen.map(([initial, colour], i) => {
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
  const pose = (t) => { // t counts copies, and stands between two while it moves
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
  const play = (now) => {
    begun ||= now - stood
    const one = STAY + MOVE
    const whole = one * last() + 2600
    const time = stood = (now - begun) % whole
    const k = Math.min(Math.floor(time / one), last())
    pose(k >= last() ? last() : k + Math.max(0, (time - k * one - STAY) / MOVE))
    frame = requestAnimationFrame(play)
  }
  const begin = () => {
    cancelAnimationFrame(frame)
    begun = 0
    stop.hidden = still.matches
    if (!parts.length) return
    if (still.matches) pose(last())
    else if (!paused) frame = requestAnimationFrame(play)
  }
  stop.addEventListener("click", () => {
    paused = !paused
    stop.textContent = paused ? "Play" : "Pause"
    begin()
  })
  still.addEventListener("change", begin)
  model.on("film", build)
  model.on("remove", () => { cancelAnimationFrame(frame); still.removeEventListener("change", begin) })
  build()
  return root
}
