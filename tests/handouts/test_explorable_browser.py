"""Explorables in a browser without network: they agree with the app's models, and everybody can use them.

The file is opened from a disk. What it shows is read from its own script, at 60 random positions of its controls, and
held against what the models say there; nothing of that goes through the views that were recorded.
"""

import re

import numpy as np
import pytest

from tests import axe
from tests.app.pages import wait_until
from tests.waiting import expect
from trustscope.app.explorable import explorable
from trustscope.handouts.explorable.packing import TOLERANCE
from trustscope.scenarios import pages
from trustscope.scenarios.categories import verdict as categories_verdict
from trustscope.scenarios.categories import words as categories_words
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust import verdict as trust_verdict
from trustscope.scenarios.trust import words as trust_words
from trustscope.scenarios.trust.scenario import TrustScenario

pytestmark = pytest.mark.browser

POSITIONS = 60
KEY = 20_260_101
CONTROLS = ["pool", "scheme", "trust:University"]
SCENARIOS = {
    "trust": TrustScenario().replace({"settings.recipients": recipients(60, 40, 20)}),
    "categories": CategoriesScenario().replace({"settings.recipients": recipients(40, 25, 15)}),
}
SIZES = {"desk": (1440, 900), "phone": (390, 844)}
# Where the tracks of the bars are, and where the first and the last number below them stand.
SCALE = """() => {
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? within(e.shadowRoot) : [])])
  const every = within(document), track = every.find((one) => one.className === "track").getBoundingClientRect()
  const foot = every.find((one) => one.className === "foot"), first = foot.firstChild, last = foot.lastChild
  return {left: track.left, right: track.right, first: first.getBoundingClientRect().left,
          last: last.getBoundingClientRect().right, style: last.style.left}
}"""
GAPS = str.maketrans({"\u202f": " "})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """An explorable of each page, as a file."""
    folder = tmp_path_factory.mktemp("explorables")
    for name, scenario in SCENARIOS.items():
        (folder / f"{name}.html").write_text(explorable(scenario, controls=CONTROLS, most=200), encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser, files):
    """Open one of them, without network, and hear what it complains of."""
    contexts = []

    def open_(name, size="desk", place=""):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, has_touch=size == "phone"
        )
        contexts.append(context)
        page = context.new_page()
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda m: m.type in ("error", "warning") and page.complaints.append(m.text))
        page.on("pageerror", lambda e: page.complaints.append(str(e)))
        page.goto(f"{(files / name).with_suffix('.html').as_uri()}{place}")
        page.wait_for_selector("body.ready")
        return page

    yield open_
    for context in contexts:
        context.close()


def random_places(page):
    rng = np.random.default_rng(KEY)
    many = page.evaluate("trustscope.levers.map((lever) => lever.positions.length)")
    assert np.prod(many) > POSITIONS
    return [[int(rng.integers(n)) for n in many] for _ in range(POSITIONS)]


def read_at(page, places):
    """Scenario and parts at these places, as the page has them: parts by what they are."""
    return page.evaluate(
        """(places) => places.map((one) => {
          const found = {scenario: trustscope.scenario(one)}
          for (const properties of Object.values(trustscope.at(one))) {
            if (properties.$seen !== true) continue
            if (properties.said) found.headline = properties.said
            else if (properties.drawn) found.belief = JSON.parse(properties.drawn)
            else if (properties.rows) found.candidates = properties
            else if (properties.frame) found.pooling = properties
            else if (properties.html.includes("twenty")) found.twenty = properties.html
          }
          return found
        })""",
        places,
    )


def plain(text):
    return text.translate(GAPS)


def same_headline(shown, said):
    assert {name: plain(shown[name]) for name in ("title", "before", "after", "label", "note")} == {
        name: plain(getattr(said, name)) for name in ("title", "before", "after", "label", "note")
    }
    assert shown["tone"] == said.tone


def lit(html):
    """Which dots of each row are lit."""
    rows = html.split('<span class="dots"')[1:]
    return [[dot.startswith(' class="lit"') for dot in row.split("<i")[1:]] for row in rows]


def same_pooling(shown, joining, scheme, rival, without):
    rows = len(joining)
    names = [name for name, _ in shown["frame"]["series"]]
    assert sorted(names) == sorted([scheme, rival])
    first = rows * names.index(scheme)
    assert shown["values"][first : first + rows] == pytest.approx(joining, abs=6e-5)  # rounded to what a screen shows
    assert shown["baseline"] == pytest.approx(without, rel=1e-4)


def test_trust_agrees_with_the_models(opened):
    page = opened("trust")
    found = read_at(page, random_places(page))
    _, model = pages.work_of(SCENARIOS["trust"]).make_model(SCENARIOS["trust"])
    subject = trust_words.subject_of(model.population, "")
    schemes = set()
    for shown in found:
        scenario = TrustScenario.from_dict(shown["scenario"])
        picture = model.preview(scenario.replace({"view.closer": ""}))
        settings, person = picture.settings, picture.person
        schemes.add(settings.scheme)
        same_headline(shown["headline"], trust_verdict.headline(picture, subject))
        drawn = shown["belief"]
        assert [pin["value"] for pin in drawn["pins"]] == pytest.approx(list(person.seen.values()))
        pooled = person.together if len(settings.coalition) > 1 else None
        ends = [*model.population.view_range(0), person.truth]
        ends += [end for one in (person.alone, person.together) if one and one.sd > 0 for end in one.interval]
        x = np.linspace(min(ends), max(ends), len(drawn["x"]))
        assert np.abs(np.array(drawn["x"]) - x).max() <= 1e-4 * np.abs(x).max()
        for name, belief in (("together", pooled), ("alone", person.alone)):
            if belief is None or not belief.sd:
                assert drawn[name] == []
                continue
            expected = belief.density(x)
            # Beside the stated tolerance: what the page sends is rounded to five digits.
            assert np.abs(np.array(drawn[name]) - expected).max() <= (TOLERANCE + 1e-4) * expected.max()
            assert trust_words.believed(belief, subject) in drawn["texts"][name]
        if not settings.coalition:
            assert "pooling" not in shown
            assert "twenty" not in shown
            continue
        rates = picture.joining.rates
        same_pooling(shown["pooling"], rates[settings.scheme], settings.scheme, settings.rival, picture.baseline.rate)
        rows = [picture.twenty.before, picture.twenty.after][: len(lit(shown["twenty"]))]
        assert lit(shown["twenty"]) == [list(map(bool, row)) for row in rows]
    assert schemes == {"nested", "independent", "proportional"}


def test_categories_agree_with_the_models(opened):
    page = opened("categories")
    found = read_at(page, random_places(page))
    _, model = pages.work_of(SCENARIOS["categories"]).make_model(SCENARIOS["categories"])
    labels = [categories_words.short(label, 40) for label in model.column.labels]
    for shown in found:
        scenario = CategoriesScenario.from_dict(shown["scenario"])
        *_, picture = model.stream(scenario.replace({"view.closer": ""}))
        settings, person = picture.settings, picture.person
        same_headline(shown["headline"], categories_verdict.headline(picture, model.noun))
        for row in shown["candidates"]["rows"]:
            if row["label"] not in labels:  # several values together
                continue
            code = labels.index(row["label"])
            assert row["true"] == (code == person.truth)
            assert row["before"] == pytest.approx(person.before[code], abs=1e-5)
            assert {given["name"] for given in row["given"]} == {
                r.name for r in settings.recipients if person.seen[r.number] == code
            }
            for name, belief in (("alone", person.alone), ("together", person.together)):
                if row[name] is not None:
                    assert row[name] == pytest.approx(belief[code], abs=1e-5)
        if not settings.coalition:
            assert "pooling" not in shown
            continue
        numbers = categories_verdict.headline_numbers(picture)
        rates = [categories_verdict.value(one, numbers.measure) for one in picture.joining.figures[settings.scheme]]
        same_pooling(shown["pooling"], rates, settings.scheme, settings.rival, numbers.without)
        rows = [picture.twenty.before, picture.twenty.after][: len(lit(shown["twenty"]))]
        assert lit(shown["twenty"]) == [list(map(bool, row)) for row in rows]


def test_a_reader_moves_it_by_keyboard_and_takes_it_along(opened, tmp_path):
    """Headline, person and bars follow; the address names the place, and the file opens in the app."""
    page = opened("trust")
    verdict = page.get_by_role("region", name="Verdict")
    before = verdict.inner_text()
    page.get_by_role("radio", name="nested").focus()
    page.keyboard.press("Space")
    expect(verdict).to_contain_text("gain nothing by pooling")
    assert verdict.inner_text() != before
    slider = page.get_by_role("slider", name="Trust in University")
    slider.focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("% (original)")).to_be_visible()
    expect(verdict).to_contain_text("University holds the original")
    expect(page.get_by_role("row", name="University")).to_have_count(3)
    expect(page).to_have_url(re.compile("University=100"))
    with page.expect_download() as taken:
        page.get_by_role("button", name="Take this scenario along").click()
    taken.value.save_as(tmp_path / "taken.json")
    from trustscope.scenarios import stored

    scenario = stored.read(tmp_path / "taken.json")
    assert scenario.settings.scheme == "nested"
    assert scenario.settings.recipients[1].trust == 100
    place = page.evaluate("location.hash")
    again = opened("trust", place=place)
    expect(again.get_by_role("region", name="Verdict")).to_contain_text("University holds the original")
    again.get_by_role("button", name="Back to the start").click()
    expect(again.get_by_role("region", name="Verdict")).not_to_contain_text("holds the original")
    for one in (page, again):
        assert one.complaints == []
        assert [url for url in one.asked if not url.startswith(("file:", "blob:"))] == []


def test_on_paper_it_is_light_has_its_bars_and_the_scale_stands_where_they_are(opened):
    page = opened("trust")
    page.emulate_media(color_scheme="dark")
    wait_until(page, "() => document.documentElement.dataset.theme === 'dark'")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.emulate_media(media="print")
    track = page.locator("#pictures .track").first
    assert track.evaluate("(one) => getComputedStyle(one).webkitPrintColorAdjust") == "exact"
    ends = page.evaluate(SCALE)
    assert ends["first"] == pytest.approx(ends["left"], abs=1.5)
    assert ends["last"] == pytest.approx(ends["right"], abs=1.5)
    assert "100%" in ends["style"]  # paper has another width, and tells nobody


@pytest.mark.parametrize("name", SCENARIOS)
def test_everybody_can_use_it(opened, name):
    """The rules of axe, light and dark, on a phone, where there is least room; nothing is wider than it."""
    phone = opened(name, "phone")
    assert axe.violations(phone) == []
    light = phone.evaluate("getComputedStyle(document.body).backgroundColor")
    phone.emulate_media(color_scheme="dark")
    wait_until(phone, "(light) => getComputedStyle(document.body).backgroundColor !== light", light)
    assert axe.violations(phone, colours=True) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("checkbox", name="University").tap()
    expect(phone.get_by_role("checkbox", name="University")).not_to_be_checked()
    expect(phone.get_by_role("region", name="Verdict")).to_contain_text("Ministry and Insurer")
