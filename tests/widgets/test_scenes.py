"""Pictures that the browser draws as SVG: labels have room, dots can be seen and clicked, each one names itself."""

import json

import pytest

from tests.waiting import expect

pytestmark = pytest.mark.browser

STYLES = ["controls.css", "scene.css", "belief.css", "twin.css"]
SCENE = ("flow.js", "svg.js", "ticks.js")


def bell(mean, spread):
    return [2.718281828 ** (-(((x - mean) / spread) ** 2) / 2) / spread for x in range(101)]


def belief(mean=35, spread=8, alone=(41, 15), truth=33, values=(21, 29, 35, 38, 45, 52)):
    return {
        "x": list(range(101)), "together": bell(mean, spread), "alone": bell(*alone), "truth": truth, "range": [0, 100],
        "top": max(1 / spread, 1 / alone[1]), "tone": "leak", "x_label": "age of person 48 201",
        "texts": {"truth": f"really {truth}", "together": f"together: {mean} ± {spread}",
                  "alone": f"the ministry alone: {alone[0]} ± {alone[1]}"},
        "pins": [{"initial": "M", "name": "Ministry", "colour": "#0e7fc0", "ink": "#fff", "value": v, "text": str(v),
                  "member": True} for v in values],
        "ghost": None, "certain": [None, None],
    }  # fmt: skip


def certain(value):
    """All of them together know it exactly: there is no curve."""
    state = belief(value, truth=value)
    texts = state["texts"] | {"together": f"exactly {value}"}
    return state | {"together": [], "certain": [value, None], "texts": texts}


BELIEF = {"label": "One person", "summary_text": "", "tall": 320, "plot_id": "p"}
OVERLAPS = """
(selector) => {
  const boxes = [...document.querySelectorAll(selector)].map((node) => [node.textContent, node.getBoundingClientRect()])
  const bad = []
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    const across = Math.min(p.right, q.right) - Math.max(p.left, q.left)
    const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)
    if (across > 1 && down > 1) bad.push([a, b])
  }))
  const frame = document.querySelector("svg").getBoundingClientRect()
  for (const [a, p] of boxes) if (p.left < frame.left - 1 || p.right > frame.right + 1) bad.push([a, "outside"])
  return bad
}
"""
STATES = [
    belief(),
    belief(41, 15, (41, 15)),  # nested: the two curves are one
    belief(33, 2, (33, 15)),
    belief(90, 5, (80, 12), 95),
    belief(8, 4, (12, 9), 3),
    belief(50, 30, (50, 30), 50),
    belief(35, 8, (41, 15), 70),
    belief(values=[30] * 8 + [31, 200, -50, 33]),
    certain(33),
    certain(1),
    certain(97),
]


@pytest.mark.parametrize("width", ["340px", "700px"])
@pytest.mark.parametrize("state", STATES)
def test_labels_do_not_overlap(start, state, width):
    page = start(*SCENE, "belief.js", styles=STYLES, width=width,
                 drawn=json.dumps(state), **BELIEF)  # fmt: skip
    page.wait_for_function("document.querySelectorAll('text.strong').length > 2")
    assert page.evaluate(OVERLAPS, "text.strong") == []
    assert page.evaluate(OVERLAPS, "text:not(.strong):not(.initial)") == []
    # Pins keep apart, and inside.
    assert page.evaluate(OVERLAPS, "circle.pin") == []


def test_what_is_known_exactly_is_a_pillar(start):
    page = start(*SCENE, "belief.js", styles=STYLES, drawn=json.dumps(belief()), **BELIEF)
    expect(page.locator(".pillar")).to_have_count(0)
    page.evaluate("(drawn) => model.change({drawn})", json.dumps(certain(33)))
    expect(page.locator(".pillar.together")).to_have_count(1)
    expect(page.locator("path.together")).to_have_count(0)
    expect(page.locator("text.together-text")).to_have_text("exactly 33")
    at = "(line) => [line.x1, line.y1, line.y2].map((one) => one.baseVal.value)"
    truth, pillar = (page.locator(kind).evaluate(at) for kind in (".truth", ".pillar"))
    assert pillar[0] == truth[0]
    assert pillar[2] - pillar[1] > 150


def test_a_belief_names_itself_and_follows_its_model(start):
    page = start(*SCENE, "belief.js", styles=STYLES, drawn=json.dumps(belief()), **BELIEF)
    page.evaluate("model.change({summary_text: 'Really 33.'})")
    picture = page.get_by_role("img", name="One person")
    described = picture.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").text_content() == "Really 33."
    page.evaluate("(drawn) => model.change({drawn})", json.dumps(belief(mean=60) | {"tone": "safe"}))
    assert page.locator(".scene.safe").count() == 1
    assert page.get_by_text("together: 60 ± 8").is_visible()


# match.js and twin.js

PLOT = {"label": "A plot", "summary_text": "It is so.", "tall": 290, "plot_id": "p"}
NOT_TURNED = "text:not([transform])"


def match(low, high, rows=40):
    places = [low + (high - low) * i / (rows - 1) for i in range(rows)]
    air = 0.08 * (high - low)
    return {
        "dots": {"x": places, "y": places, "counts": [i % 2 for i in range(rows)]}, "ghost": None,
        "x_range": [low - air, high + air], "y_range": [low - 3 * air, high + 3 * air], "x_label": "as it was",
        "y_label": "recovered", "colours": ["#8793a5", "#e0611b"], "diagonal": "#7b8794",
    }  # fmt: skip


def ends_of_dots(page, colour):
    """How many dots of a colour are drawn."""
    paths = page.locator(f'path.dots[stroke="{colour}"]').evaluate_all("all => all.map((p) => p.getAttribute('d'))")
    return sum(path.count("M") for path in paths)


@pytest.mark.parametrize("width", ["260px", "700px"])
@pytest.mark.parametrize("ends", [(0, 1), (5.3, 28.9), (-3, 4), (1e5, 3e6), (0.001, 0.002), (-1e9, 1e9)])
def test_a_match_has_numbers_that_keep_apart(start, ends, width):
    page = start(*SCENE, "match.js", styles=STYLES, width=width, drawn=json.dumps(match(*ends)), **PLOT)
    assert page.evaluate(OVERLAPS, NOT_TURNED) == []
    assert page.locator(NOT_TURNED).count() >= 5  # two numbers on each axis, and a name
    assert (ends_of_dots(page, "#8793a5"), ends_of_dots(page, "#e0611b")) == (20, 20)


def test_a_match_names_itself_and_shows_what_was_kept(start):
    state = match(0, 1)
    page = start(*SCENE, "match.js", styles=STYLES, drawn=json.dumps(state), **PLOT)
    picture = page.get_by_role("img", name="A plot")
    assert page.locator(f"#{picture.get_attribute('aria-describedby')}").text_content() == "It is so."
    page.evaluate("(drawn) => model.change({drawn})", json.dumps(state | {"ghost": state["dots"]}))
    assert ends_of_dots(page, "#e0611b") == 40
    page.evaluate("model.change({drawn: '{}'})")
    assert picture.locator("*").count() == 0


def twin(places):
    """Two equal clouds; the second point is marked."""
    side = {
        "title": "the data", "across": ["Mean radius", "6.98 to 27.4"], "upwards": "Mean texture, 9.71 to 33.8",
        "x": [x for x, _ in places], "y": [y for _, y in places], "palette": ["#8793a5"], "colour": [0] * len(places),
        "marked": [[1, "#0e7fc0"]], "arrows": [[0.2, 0.2, 0.4, 0.2, "#009e73", True]],
    }  # fmt: skip
    ends = [{"side": side, "x": places[1][0], "y": places[1][1]} for side in (0, 1)]
    line = {"ends": ends, "colour": "#0e7fc0", "dash": "solid", "width": 1.4}
    return {"sides": [side, side | {"title": "the release"}], "lines": [line], "ghost": None, "frame": "#7b8794"}


CLOUD = [(0.05, 0.05), (0.5, 0.5), (0.95, 0.95), (0.9502, 0.95)]


@pytest.mark.parametrize("width", ["340px", "700px"])
def test_a_twin_has_room_for_its_texts_and_links_its_clouds(start, width):
    page = start(*SCENE, "twin.js", styles=STYLES, width=width, taps=False, drawn=json.dumps(twin(CLOUD)), **PLOT)
    assert page.evaluate(OVERLAPS, NOT_TURNED) == []
    assert ends_of_dots(page, "#8793a5") == 6  # all but those that are marked
    line = page.locator('line[stroke="#0e7fc0"]').bounding_box()
    marked = [page.locator("circle.marked").nth(i).bounding_box() for i in range(2)]
    middles = [box["x"] + box["width"] / 2 for box in marked]
    assert [line["x"], line["x"] + line["width"]] == pytest.approx(middles, abs=1)
    page.evaluate("(drawn) => model.change({drawn})", json.dumps(twin(CLOUD) | {"ghost": {"x": [0.1], "y": [0.2]}}))
    assert page.locator("path.ghost").count() == 1


def test_a_click_takes_the_nearest_point_and_all_that_lie_on_it(start):
    page = start(*SCENE, "twin.js", styles=STYLES, taps=True, drawn=json.dumps(twin(CLOUD)), **PLOT)
    frame = page.locator("rect").first.bounding_box()

    def click(x, y, off=0):
        page.mouse.click(frame["x"] + x * frame["width"] + off, frame["y"] + (1 - y) * frame["height"])
        return page.evaluate("(model.sent.length && model.answer(), model.sent.at(-1)?.hit ?? null)")

    assert click(0.3, 0.8) is None  # nothing is near
    assert click(0.5, 0.5, 8) == [1]
    assert click(0.95, 0.95) == [2, 3]
    page.locator("circle.marked").last.click()  # in the right cloud nothing can be clicked
    assert page.evaluate("model.sent.length") == 2


def test_a_twin_that_is_only_looked_at_hears_no_click(start):
    page = start(*SCENE, "twin.js", styles=STYLES, taps=False, drawn=json.dumps(twin(CLOUD)), **PLOT)
    page.locator("circle.marked").first.click()
    assert page.evaluate("model.sent") == []
