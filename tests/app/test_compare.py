"""Comparing: what is drawn behind is what a page of its own would draw, and the sentence says the difference."""

import re
import threading

import pytest

from trustscope.app import compare
from trustscope.app import compared as app_compared
from trustscope.app.compare import LETTERS, Behind, Comparison, Kept, versus
from trustscope.app.compared import NOW, Compared
from trustscope.app.own import OwnData
from trustscope.app.pages import PAGES
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.differences import changed, differences
from trustscope.scenarios.link import scenario_of
from trustscope.scenarios.metrics import compute_metrics
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.widgets.beside import plots_of
from trustscope.widgets.controls.download import as_csv
from trustscope.widgets.live.plot import Plot
from trustscope.widgets.scenes.drawing import Drawing

SMALL = {
    "trust": TrustScenario().replace({"data.name": "iris", "view.closer": "attackers"}),
    "categories": CategoriesScenario().replace({"data.name": "iris", "view.closer": "evidence"}),
    "rotation": RotationScenario().replace({"data.name": "iris", "view.story": "known", "view.closer": "exposed"}),
    "survey": SurveyScenario().replace({"data.name": "iris", "view.closer": "disclosure", "view.arrived": 60}),
}
CHANGES = {
    "trust": {"settings.scheme": "nested"},
    "categories": {"settings.scheme": "nested"},
    "rotation": {"settings.eps": 0.4},
    "survey": {"settings.mu": 0.3},
}


def page_of(scenario):
    """A dashboard; without a loop everything is done when it is made."""
    return PAGES[scenario.page].kind()(scenario)


def all_drawn(plot):
    """All that a plot draws of itself, and what it draws of a kept scenario behind."""
    if isinstance(plot, Plot):
        own = {name: plot.columns_shown(name) for name in plot.sources}
    elif isinstance(plot, Drawing):
        names = set(type(plot).param) - set(Drawing.param)
        own = dict(getattr(plot, "scene", None) or {name: getattr(plot, name) for name in names})
        own.pop("top", None)  # what is behind must fit in, too
    else:
        html = plot.__panel__().object
        kept = re.compile(r'<small class="was">.*?</small>|<i class="kept".*?</i>')
        own = {"html": kept.sub("", html), "ghost": kept.findall(html)}
    behind = own.pop("ghost", None)
    return str(own), any(map(len, behind.values())) if isinstance(behind, dict) else bool(behind)


def drawn(plot):
    """All that a plot draws of itself."""
    return all_drawn(plot)[0]


@pytest.mark.parametrize("page", SMALL)
def test_what_is_behind_is_what_its_own_page_draws(page):
    page_of(page_of(SMALL[page]).scenario.replace(CHANGES[page]))  # a curve shows as much as is known of it: now all is
    alone = page_of(SMALL[page])
    here = page_of(alone.scenario.replace(CHANGES[page]))
    plain = {key: {name: drawn(plot) for name, plot in plots_of(view)} for key, view in here.views().items()}
    behind = Behind(here, alone.scenario, "A")
    seen = 0
    for key, view in here.views().items():
        for name, plot in plots_of(view):
            theirs = dict(plots_of(alone.views()[key]))[name]
            assert drawn(plot.beside) == drawn(theirs), (key, name)
            if all_drawn(plot)[1]:
                seen += 1
                assert drawn(plot) == plain[key][name], (key, name)  # the page itself draws what it always does
    assert seen >= 2
    behind.end()
    for view in here.views().values():
        for _, plot in plots_of(view):
            assert plot.beside is None
            assert not all_drawn(plot)[1]
    assert here.headline.versus == ""


def test_the_sentence_says_what_changed_and_by_how_much():
    here = page_of(SMALL["trust"])
    behind = Behind(here, here.settled, "A")
    assert here.headline.versus.startswith("As in A: ")
    assert here.headline.versus == f"As in A: {here.headline.said['after']}."
    here.controls.change(here.scenario.replace({"settings.scheme": "nested"}))
    both = SMALL["trust"], here.scenario
    before, after = (int(page_of(one).headline.said["after"].split("\u202f")[0]) for one in both)
    said = "Compared with A, where noise of the copies was independent: "
    said += f"{after}\u202f% instead of {before}\u202f% in A, {abs(after - before)} points "
    assert here.headline.versus == said + ("less." if after < before else "more.")
    behind.end()


def test_bars_of_another_noise_stand_beside_what_stood_on_the_page():
    here = page_of(SMALL["trust"])
    before = here.views()["second"].plot.values
    behind = Behind(here, here.settled, "A")
    here.controls.change(here.scenario.replace({"settings.scheme": "proportional"}))
    shown = here.views()["second"].plot
    assert [name for name, _ in shown.frame["series"]] == ["proportional", "nested"]
    assert shown.ghost == pytest.approx(before)  # of independent noise, and of nested
    behind.end()


def test_other_data_are_compared_too():
    here = page_of(SMALL["trust"].replace({"data.name": "wine", "settings.attribute": "", "settings.eps": None}))
    there = page_of(SMALL["trust"].replace({"view.person": 149}))  # the wines are 178
    here.controls.change(here.scenario.replace({"view.person": 178}))
    behind = Behind(here, there.settled, "B")
    assert "data was iris" in here.headline.versus
    assert "there " in here.headline.versus  # another attribute: both numbers are told with what they are
    behind.end()


def test_a_file_that_is_not_here_is_said():
    own = {"name": "own", "file": {"name": "salaries.csv", "size": 3, "digest": "0" * 64}}
    here = page_of(SMALL["trust"])
    behind = Behind(here, TrustScenario.from_dict({"data": own}), "A")
    assert here.headline.versus.startswith("A cannot be drawn: ")
    assert "salaries.csv" in here.headline.versus
    assert here.picture is not None
    behind.end()


def test_the_way_of_looking_follows():
    here = page_of(SMALL["trust"])
    behind = Behind(here, here.settled, "A")
    here.controls.change(here.scenario.replace({"settings.scheme": "nested", "view.closer": "closeness"}))
    plain = page_of(SMALL["trust"].replace({"view.closer": "closeness"})).views()["closeness"].plot
    assert here.views()["closeness"].plot.columns_shown("ghost")["ys"] == plain.columns_shown("lines")["ys"]
    behind.end()


# What is kept


def test_four_of_a_page_are_kept_by_letters():
    kept = Kept()
    for n, letter in enumerate(LETTERS):
        assert kept.keep(TrustScenario(seed=n), "t") == letter
    assert kept.keep(TrustScenario(seed=9), "t") == ""
    assert kept.keep(CategoriesScenario(), "c") == "A"
    assert kept.behind("trust") == "A"
    kept.remove("trust", "A")
    assert kept.behind("trust") == ""
    assert kept.keep(TrustScenario(seed=9), "t") == "A"
    assert [one["letter"] for one in kept.listed() if one["page"] == "trust"] == list(LETTERS)
    assert {one["note"] for one in kept.listed()} >= {"seed 9", "seed 1"}
    again = Kept()
    again.read(kept.listed())
    assert again.listed() == kept.listed()


def test_another_window_of_the_browser_keeps_the_same():
    kept, other = Kept(), Kept()
    for seed in (1, 2):
        kept.keep(TrustScenario(seed=seed), "t")
    other.follow(kept.listed())
    assert other.of("trust") == kept.of("trust")
    assert other.behind("trust") == ""  # nothing was drawn behind there, and nothing begins to be
    other.call("trust", "A", "One")
    other.move("trust", "A", 1)
    kept.follow(other.listed())
    assert (kept.called("trust", "B"), kept.behind("trust")) == ("One", "B")  # the same is drawn behind as before
    other.remove("trust", "B")
    kept.follow(other.listed())
    assert (kept.of("trust"), kept.behind("trust")) == ({"A": TrustScenario(seed=2)}, "")


@pytest.mark.parametrize(
    "found",
    [
        None, {}, "x", [None], [[]], [{"page": "nowhere", "letter": "A", "query": "", "title": ""}],
        [{"page": "trust", "letter": "__proto__", "query": "", "title": ""}],
        [{"page": "trust", "letter": "A", "query": "s=" + "A" * 30_000, "title": ""}],
        [{"page": "trust", "letter": ["A"], "query": 3}],
        [{"page": ["trust"], "letter": "A", "query": "page=trust", "title": ""}],
    ],
)  # fmt: skip
def test_what_a_browser_made_up_is_left_out(found):
    kept = Kept()
    kept.read(found)
    assert kept.listed() == []


def test_a_damaged_link_that_was_kept_opens_as_the_page_does():
    kept = Kept()
    kept.read([{"page": "trust", "letter": "B", "query": "page=trust&s=damaged", "title": "<b>", "behind": True}])
    assert kept.of("trust") == {"B": TrustScenario()}


def test_a_browser_that_sends_one_useless_link_after_the_other_is_not_listened_to_further(monkeypatch):
    read = []
    monkeypatch.setattr(compare, "scenario_of", lambda query, kind: read.append(query) or scenario_of(query, kind))
    Kept().read([
        {"page": page, "letter": letter, "query": f"page={page}&s=damaged", "title": ""}
        for page in PAGES for letter in LETTERS
    ])  # fmt: skip
    assert len(read) == compare.MOST_SPOILT + 1


def test_swapping_twice_gives_what_stood_before():
    here = page_of(SMALL["trust"])
    first = here.settled
    comparison = Comparison(lambda: None)
    assert comparison.keep(here) == "A"
    here.controls.change(here.scenario.replace({"settings.scheme": "nested"}))
    second = here.settled
    comparison.swap(here)
    assert (here.settled, comparison.kept.of("trust")) == (first, {"A": second})
    assert "was nested" in here.headline.versus
    comparison.swap(here)
    assert (here.settled, comparison.kept.of("trust")) == (second, {"A": first})
    comparison.stop()
    assert here.headline.versus == ""


def test_a_name_stays_with_its_scenario_when_it_is_swapped():
    here = page_of(SMALL["trust"])
    comparison = Comparison(lambda: None)
    comparison.keep(here)
    comparison.kept.call("trust", "A", "Fresh noise")
    here.controls.change(here.scenario.replace({"settings.scheme": "nested"}))
    comparison.swap(here)
    assert comparison.kept.called("trust", "A") == ""  # what is kept now was never called anything
    comparison.swap(here)
    assert comparison.kept.called("trust", "A") == "Fresh noise"
    comparison.swap(here)
    here.controls.change(here.scenario.replace({"settings.scheme": "proportional"}))
    comparison.swap(here)
    assert comparison.kept.called("trust", "A") == ""  # what was called so is no longer what stood
    comparison.stop()


# Side by side


def test_the_table_has_what_differs_and_nothing_else(monkeypatch):
    shown, threads = [], []

    def noted(*arguments):
        threads.append(threading.current_thread().name)
        return compute_metrics(*arguments)

    monkeypatch.setattr(app_compared, "compute_metrics", noted)
    compared = Compared(OwnData(), shown.append)
    one, other = CategoriesScenario(), CategoriesScenario().replace({"settings.scheme": "nested", "seed": 3})
    compared.start({"A": one, NOW: other})
    assert all(name.startswith("trustscope-compare") for name in threads), "no picture of anybody waits behind it"
    table = shown[-1]
    assert (table["columns"], table["note"]) == (["", "A", NOW], "")
    rows = {row[1]: row[2:] for row in table["rows"]}
    assert rows["noise of the copies"] == ["independent", "nested"]
    assert rows["seed"] == ["12", "3"]
    assert "data" not in rows
    assert all(a != b for a, b in rows.values())
    both = compute_metrics(one), compute_metrics(other)
    assert rows["verdict"] == [found.verdict for found in both]
    csv = as_csv(compared.table())
    name = next(f.name for f in both[0].figures if isinstance(f.value, float) and f.value != both[1].of(f.name).value)
    assert f"{both[0].of(name).label},{both[0].of(name).value}" in csv.replace('"', "")
    compared.start({"A": one})
    assert shown[-1]["rows"] == []


def test_figures_without_bound_are_compared_too():
    shown = []
    compared = Compared(OwnData(), shown.append)
    compared.start({"A": SMALL["trust"], NOW: SMALL["trust"].replace({"settings.scheme": "proportional"})})
    assert shown[-1]["note"] == ""
    rows = {row[1]: row[2:] for row in shown[-1]["rows"]}
    epsilon = next(now for name, (_, now) in rows.items() if name.startswith("epsilon of all who pool, proportional"))
    assert epsilon.startswith("∞")  # two such copies give everything away


def test_what_differs_is_said_by_name():
    one = TrustScenario()
    people = one.settings.recipients
    other = one.replace({
        "settings.recipients": (people[0].replace({"trust": 70}), people[1].replace({"member": False}), *people[2:5]),
        "settings.informed": True,
    })  # fmt: skip
    assert differences([one, other]) == [
        ("Ministry", ("50 %", "70 %")), ("University", ("45 %", "45 %, apart")), ("Start-up", ("35 %", "–")),
        ("they know mean and covariance", ("no", "yes")),
    ]  # fmt: skip
    assert changed(one, one) == ""
    assert changed(other, one) == "Ministry was 50 %, University was 45 % and 2 more settings differed"
    assert changed(one.replace({"seed": 1}), one) == "seed was 12"


def test_no_sentence_before_there_is_something_to_say():
    here = page_of(SMALL["categories"])
    there = page_of(SMALL["categories"])
    there.picture = None
    there.headline.say("x")
    assert versus(here, there, here.settled, "C") == "C is being computed."
