const RADIUS = 12
const LANE = 27 // pixels between two rows of pins
const LETTERS = 20 // pixels between two lines of a label

// Rows for the pins: each goes into the first row in which its neighbour leaves it room. There are at most `most` rows;
// where they are full, a pin moves aside and its stem leans over.
function lanes(places, room, most, right) {
  const rows = []
  const found = places.map((x) => ({row: 0, x}))
  for (const pin of [...found].sort((a, b) => a.x - b.x)) {
    const end = (row) => row.at(-1).x
    let row = rows.findIndex((one) => pin.x - end(one) >= room)
    if (row < 0 && rows.length < most) row = rows.push([]) - 1
    if (row < 0) {
      row = rows.reduce((best, one, i) => (end(one) < end(rows[best]) ? i : best), 0)
      pin.x = end(rows[row]) + room
    }
    pin.row = row
    rows[row].push(pin)
  }
  for (const row of rows) {
    let limit = right
    for (const pin of [...row].reverse()) { pin.x = Math.min(pin.x, limit); limit = pin.x - room }
  }
  return found
}

// Of several places for a label, the one that covers least of what stands already: other labels weigh most.
function bestPlace(candidates, boxes, points, bounds) {
  const cost = (box) => {
    let sum = 0
    // A label that is cut off says nothing: rather one that covers a curve, or the line of the truth.
    if (box.x < bounds.left) sum += 5000 + bounds.left - box.x
    if (box.x + box.w > bounds.right) sum += 5000 + box.x + box.w - bounds.right
    if (box.y < bounds.top) sum += 100
    for (const b of boxes) {
      const across = Math.min(box.x + box.w, b.x + b.w) - Math.max(box.x, b.x)
      const down = Math.min(box.y + box.h, b.y + b.h) - Math.max(box.y, b.y)
      if (across > 0 && down > 0) sum += 1000 + across * down
    }
    for (const [x, y] of points) if (x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h) sum += 10
    return sum
  }
  let best = candidates[0]
  let least = Infinity
  candidates.forEach((box, order) => {
    const sum = cost(box) + 0.5 * order
    if (sum < least) { least = sum; best = box }
  })
  return {box: best, cost: least}
}

// A copy that joins: its pin drops, and the belief narrows. Null where nobody joins, or somebody else is looked at.
function arriving(before, after, share) {
  if (!before.x?.length || !after.x?.length || before.truth !== after.truth) return null
  const held = new Set(before.pins.filter((pin) => pin.member).map((pin) => pin.name))
  const joins = (pin) => pin.member && !held.has(pin.name)
  if (!held.size || !after.pins.some(joins)) return null
  const blend = (a, b) => a + (b - a) * share
  const start = before.together.length ? before.together : before.alone
  const towards = (ys, old) => ys.length && old.length ? ys.map((y, i) => blend(valueAt(before.x, old, after.x[i]), y)) : ys
  return {
    ...after,
    range: after.range.map((end, i) => blend(before.range[i], end)),
    top: blend(before.top, after.top),
    together: towards(after.together, start),
    alone: towards(after.alone, before.alone),
    texts: {...after.texts, together: "", alone: ""}, // they would jump from place to place
    pins: after.pins.map((pin) => joins(pin) ? {...pin, fallen: share} : pin),
  }
}

// The value at a place of a curve that is given at ascending places; 0 beyond its ends.
function valueAt(xs, ys, x) {
  if (x < xs[0] || x > xs.at(-1)) return 0
  let low = 0
  let high = xs.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (xs[middle] > x) high = middle
    else low = middle
  }
  return high === low ? ys[low] : ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low])
}

export function render({ model }) {
  let font = ""
  const width = (text, strong) => textWidth(text, `${strong ? "700 15px" : "14px"} ${font}`)

  const draw = (s, W, H, {svg, root}) => {
    root.className = `scene ${s.tone ?? ""}`
    if (!s.x?.length) return []
    font ||= getComputedStyle(svg).fontFamily // it stays, and asking has the browser compute all styles at once
    const [low, high] = s.range
    const left = 14
    const right = W - 14
    const at = (x) => left + (right - left) * (x - low) / (high - low)
    const held = (x) => Math.min(Math.max(at(x), left + RADIUS), right - RADIUS)
    const pins = lanes(s.pins.map((p) => held(p.value)), 2 * RADIUS + 2, H < 240 ? 1 : 3, right - RADIUS)
    const deep = s.pins.length ? 12 + LANE * (Math.max(...pins.map((p) => p.row)) + 1) : 6
    const below = s.x_label ? wrapped(s.x_label, W - 8) : []
    const base = H - deep - 22 - 20 * below.length
    const top = 30
    const up = (y) => base - (base - top) * y / s.top
    const line = (x, ys) => ys.map((y, i) => `${i ? "L" : "M"}${at(x[i]).toFixed(1)},${up(y).toFixed(1)}`).join("")
    const area = (x, ys) => `${line(x, ys)}L${at(x[x.length - 1]).toFixed(1)},${base}L${at(x[0]).toFixed(1)},${base}Z`
    const parts = []
    if (s.alone.length) parts.push(drawn("path", {class: "alone-area", d: area(s.x, s.alone)}), drawn("path", {class: "alone", d: line(s.x, s.alone)}))
    if (s.ghost) parts.push(drawn("path", {class: "ghost", d: line(s.ghost.x, s.ghost.y)}))
    if (s.together.length) parts.push(drawn("path", {class: "together-area", d: area(s.x, s.together)}), drawn("path", {class: "together", d: line(s.x, s.together)}))
    parts.push(drawn("line", {class: "axis", x1: left, x2: right, y1: base, y2: base}))
    // What is known exactly has no width: a pillar of the full height.
    const [together, alone] = s.certain
    for (const [value, kind] of [[alone, "alone"], [together, "together"]])
      if (value !== null) parts.push(drawn("line", {class: `${kind} pillar`, x1: at(value), x2: at(value), y1: top, y2: base}))
    const truth = Math.min(Math.max(at(s.truth), left), right)
    parts.push(drawn("line", {class: "truth", x1: truth, x2: truth, y1: top - 22, y2: base}))

    // Labels, each where it covers nothing: first the truth's, then the curves', along their slopes from the top down.
    const boxes = [{x: truth - 5, y: top - 22, w: 10, h: base - top + 22}]
    const curve = (ys) => ys.map((y, i) => [at(s.x[i]), up(y)])
    const points = [...curve(s.together), ...curve(s.alone)]
    const bounds = {left: 2, right: W - 2, top: 0}
    const label = (text, kind, candidates) => {
      if (!text) return
      // In one line, or else in more of them where these have more room.
      const broken = [/(?<=,) /, /(?<=:) /, /(?<=,|ten) /, /(?<=[:,]) /].map((where) => text.split(where))
      const ways = [[text], ...broken, wrapped(text, W / 3, true)].map((lines) => {
        const made = bestPlace(candidates(Math.max(...lines.map((l) => width(l, true))), LETTERS * lines.length), boxes, points, bounds)
        return {...made, lines}
      })
      const price = (way) => way.cost + 4 * way.lines.length
      const {box, lines} = ways.reduce((best, way) => price(way) < price(best) ? way : best)
      boxes.push(box)
      lines.forEach((l, n) => parts.push(drawn("text", {class: `strong halo ${kind}`, x: box.x, y: box.y + 15 + LETTERS * n}, l)))
    }
    const peak = (ys) => ys.reduce((best, y, i) => y > ys[best] ? i : best, 0)
    const leftwards = s.together.length && s.x[peak(s.together)] > s.truth
    const beside = (value) => (w, h) => [0.3, 0.45, 0.6, 0.15].flatMap((share) => {
      const y = top + share * (base - top)
      return [{x: at(value) - w - 12, y, w, h}, {x: at(value) + 12, y, w, h}]
    })
    label(s.texts.truth, "truth-text", (w, h) => {
      const sides = [{x: truth - w - 7, y: top - 24, w, h}, {x: truth + 7, y: top - 24, w, h}]
      return leftwards ? sides : sides.reverse()
    })
    const slopes = (ys, first) => (w, h) => {
      const best = peak(ys)
      const found = []
      for (const share of [0.86, 0.72, 0.58, 0.45, 0.33, 0.22, 0.12]) {
        let r = best
        while (r < ys.length - 1 && ys[r] > share * ys[best]) r++
        let l = best
        while (l > 0 && ys[l] > share * ys[best]) l--
        const y = up(share * ys[best]) - 12
        const sides = [{x: at(s.x[r]) + 9, y, w, h}, {x: at(s.x[l]) - 9 - w, y, w, h}]
        found.push(...(first === "right" ? sides : sides.reverse()))
      }
      for (let y = 0; y < base - h; y += 11) found.push({x: left, y, w, h}, {x: right - w, y, w, h})
      return found
    }
    const side = leftwards || !s.together.length ? "right" : "left"
    if (together !== null) label(s.texts.together, "together-text", beside(together))
    if (s.together.length) label(s.texts.together, "together-text", slopes(s.together, side))
    if (alone !== null) label(s.texts.alone, "alone-text", beside(alone))
    if (s.alone.length) label(s.texts.alone, "alone-text", slopes(s.alone, side))

    const lower = (row) => base + 10 + RADIUS + LANE * row
    // A pin that joins comes from above the curve.
    const falling = ({fallen = 1}) => fallen < 1 ? {transform: `translate(0 ${((fallen - 1) * (base - top)).toFixed(1)})`, opacity: fallen} : {}
    s.pins.forEach((pin, i) => { // all stems before the first pin: a stem must not strike through a letter
      const {x, row} = pins[i]
      parts.push(drawn("line", {class: pin.member ? "stem" : "stem out", x1: held(pin.value), x2: x, y1: base, y2: lower(row), stroke: pin.colour, ...falling(pin)}))
    })
    s.pins.forEach((pin, i) => {
      const {x, row} = pins[i]
      const y = lower(row)
      const group = drawn("g", {class: pin.member ? "" : "out", ...falling(pin)})
      group.append(
        drawn("title", {}, `${pin.name}: ${pin.text}`),
        drawn("circle", {class: "pin", cx: x, cy: y, r: RADIUS, fill: pin.colour}),
        drawn("text", {class: "initial", x, y: y + 5, "text-anchor": "middle", style: `fill: ${pin.ink}`}, pin.initial),
      )
      if (pin.value < low || pin.value > high) { // beyond the edge: an arrow says so
        const out = pin.value < low ? -1 : 1
        const tip = x + out * (RADIUS + 7)
        group.append(drawn("path", {d: `M${x + out * (RADIUS + 1)},${y - 5}L${tip},${y}L${x + out * (RADIUS + 1)},${y + 5}Z`, fill: pin.colour}))
      }
      parts.push(group)
    })
    const numbers = roundSteps(low, high, Math.max(2, Math.floor(W / 90)))
    for (const tick of numbers) {
      const anchor = at(tick) < left + 14 ? "start" : at(tick) > right - 14 ? "end" : "middle"
      parts.push(drawn("text", {x: at(tick), y: base + deep + 15, "text-anchor": anchor}, writeNumber(tick, numbers)))
    }
    below.forEach((text, n) => parts.push(drawn("text", {x: W / 2, y: H - 5 - 20 * (below.length - 1 - n), "text-anchor": "middle"}, text)))
    return parts
  }
  // Lines that fit, broken between words.
  const wrapped = (text, room, strong = false) => {
    const lines = [""]
    for (const word of text.split(" ")) {
      const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word
      if (width(longer, strong) <= room || !lines.at(-1)) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines
  }
  return makeScene(model, draw, arriving)
}
