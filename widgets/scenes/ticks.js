// Numbers on axes are written one way: 50 000 with thin spaces, 1.5 M from a million on, never 5.000e+4.
function writeNumber(tick, ticks) {
  const THIN = "\u202f"
  const size = Math.max(...ticks.map(Math.abs), Math.abs(tick))
  const [unit, letter] = size >= 1e12 ? [1, null] : size >= 1e9 ? [1e9, "bn"] : size >= 1e6 ? [1e6, "M"] : [1, ""]
  if (tick === 0) return "0"
  const sign = tick < 0 ? "−" : ""
  const value = Math.abs(tick) / unit
  if (letter === null || size < 1e-5) { // powers of ten, which no axis of ours needs in its usual range
    const power = Math.floor(Math.log10(Math.abs(tick)) + 1e-9)
    const digits = [...String(power)].map((c) => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")
    const front = Number((Math.abs(tick) / 10 ** power).toPrecision(3))
    return `${sign}${front === 1 ? "" : `${front}${THIN}·${THIN}`}10${digits}`
  }
  const [whole, rest] = Number(value.toPrecision(6)).toFixed(8).split(".")
  const decimals = rest.replace(/0+$/, "")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN)
  return `${sign}${grouped}${decimals ? `.${decimals}` : ""}${letter ? THIN + letter : ""}`
}
