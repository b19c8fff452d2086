// The page after the last step: each prediction beside what is true, and a code to hand in.

function littleCurves({places, truth, drawn: own, start, end}) {
  const [wide, tall] = [160, 60]
  const x = (i) => 6 + (wide - 12) * (places[i] - places[0]) / (places.at(-1) - places[0] || 1)
  const y = (h) => tall - 5 - (tall - 10) * (h - start) / (end - start || 1)
  const line = (heights) => heights.map((h, i) => `${x(i).toFixed(1)},${y(h).toFixed(1)}`).join(" ")
  const svg = drawn("svg", {viewBox: `0 0 ${wide} ${tall}`, class: "little", "aria-hidden": "true"})
  svg.append(drawn("polyline", {class: "true", points: line(truth)}))
  if (own.length) svg.append(drawn("polyline", {class: "own", points: line(own)}))
  return svg
}

const VERDICTS = {true: ["close", "Correct, or close"], false: ["far", "Not so"], null: ["none", "You did not predict"]}

function endingRow(row) {
  const [tone, verdict] = VERDICTS[row.close]
  const said = element("dl", {})
  const add = (name, text) => said.append(element("dt", {textContent: name}), element("dd", {textContent: text}))
  if (row.curve) said.append(element("dd", {className: "whole"}, littleCurves(row.curve), element("span", {className: "unseen", textContent: `You drew ${row.predicted || "nothing"}. It is ${row.truth}.`})))
  else { if (row.predicted) add("You said", row.predicted); add("It is", row.truth) }
  return element("li", {className: tone}, element("p", {className: "ask", textContent: row.ask}), said, element("p", {className: "verdict", textContent: verdict}))
}

function classRow(row) {
  const share = (n, of) => (of ? `${n} of ${of} (${Math.round(100 * n / of)}\u202f%)` : "nobody predicted")
  const text = row.before ? `before ${share(...row.before)}, after the talk ${share(row.close, row.count)}` : share(row.close, row.count)
  return element("li", {}, element("p", {className: "ask", textContent: row.ask}), element("p", {className: "verdict", textContent: `came close: ${text}`}))
}

function endingOf(ending) {
  const parts = []
  if (ending.rows?.length) parts.push(element("h2", {textContent: "Your predictions beside the truth"}), element("ul", {className: "beside"}, ...ending.rows.map(endingRow)))
  if (ending.class?.length) parts.push(element("h2", {textContent: "What the class predicted"}), element("ul", {className: "beside"}, ...ending.class.map(classRow)))
  if (ending.code) {
    const copy = element("button", {type: "button", className: "plain", textContent: "Copy"})
    copy.addEventListener("click", () => copyText(ending.code, copy))
    const code = element("code", {textContent: ending.code})
    parts.push(element("p", {className: "hand-in"}, "Your code, if your teacher asks for it: ", code, " ", copy))
  }
  return parts
}
