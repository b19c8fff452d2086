"""What stands on the Release page: read from anything, carried over; and what is said of it.

That it is kept and read again is in test_round_trips.py.
"""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.release import words
from trustscope.scenarios.release.result import DRAWN, Considered, ReleaseResult
from trustscope.scenarios.release.scenario import (
    Carried,
    ReleaseScenario,
    Request,
    Settings,
    View,
    carried_over,
)
from trustscope.scenarios.scenario import MOST_PROBLEMS
from trustscope.scenarios.statement import MOST_WORDS

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_whatever_is_sent_something_can_be_opened(content):
    scenario, problems = ReleaseScenario.read(content)
    assert ReleaseScenario.from_dict(scenario.to_dict()) == scenario
    assert len(problems) <= MOST_PROBLEMS


@pytest.mark.parametrize("name", ["..", "../secret", "/etc", "a/b", "a\\b", ".hidden", "a\x00b", "a\nb", "x" * 101])
def test_a_path_is_no_name_of_a_ledger(name):
    scenario, problems = ReleaseScenario.read({"data": {"ledger": name}})
    assert scenario.data.ledger == ""
    assert len(problems) == 1
    assert problems[0].startswith("data → ledger was left out")


@pytest.mark.parametrize(("numbers", "categories"), [(True, True), (True, False), (False, True)])
def test_a_request_fits_the_columns_of_the_ledger(numbers, categories):
    asked = Request(to="Press", trust=40.0)
    scenario = ReleaseScenario(settings=Settings(request=asked, waiting=(Request(to="Bank", retention=20.0),)))
    fitted = scenario.fit_to_ledger(numbers=numbers, categories=categories)
    for request in (fitted.settings.request, *fitted.settings.waiting):
        assert (request.trust is not None) == numbers
        assert (request.retention is not None) == categories
    if numbers:
        assert fitted.settings.request.trust == 40
    if categories:
        assert fitted.settings.waiting[0].retention == 20
    assert fitted.view.measure == ("numbers" if numbers else "categories")


def test_requests_come_one_after_the_other():
    one, two, three = (Request(to=name, trust=50.0) for name in "ABC")
    scenario = ReleaseScenario(settings=Settings(request=one, waiting=(two, three), carried=Carried(scheme="nested")))
    seen = []
    while scenario.settings.request.to:
        seen.append(scenario.settings.request.to)
        scenario = scenario.next_request()
    assert seen == ["A", "B", "C"]
    assert scenario.settings.waiting == ()
    assert scenario.settings.carried == Carried()
    assert scenario.settings.request.trust == 50  # the slider stays where it was


def test_recipients_of_another_page_become_requests():
    who = tuple(Recipient(number=i, name=n, trust=t) for i, (n, t) in enumerate([("A", 60), ("B", 100), ("C", 20)]))
    changes = carried_over(who, scheme="independent", dataset="wine")
    scenario = ReleaseScenario().replace(changes)
    assert scenario.data.name == "wine"
    assert [(r.to, r.trust) for r in (scenario.settings.request, *scenario.settings.waiting)] == [("A", 60), ("C", 20)]
    said = words.carried(scenario.settings.carried)
    assert "the noise was independent. Only nested copies are issued" in said
    assert "B was trusted fully" in said
    own = ReleaseScenario().replace(carried_over(who, scheme="nested", dataset=None, what="retention"))
    assert own.data.name == ReleaseScenario().data.name
    assert own.settings.request.retention == 60
    assert own.settings.request.trust is None
    assert "release init" in words.carried(own.settings.carried)
    assert "Only nested" not in words.carried(own.settings.carried)
    assert ReleaseScenario().replace(carried_over(who[1:2], scheme="nested", dataset=None)).settings.request.to == ""


def test_an_order_that_is_to_be_kept_is_carried_along():
    given = (("A", 30), ("B", 60), ("C", 40), ("D", 40))
    who = [Recipient(number=i, name=name, trust=trust) for i, (name, trust) in enumerate(given)]
    kept = ReleaseScenario().replace(carried_over(who, scheme="nested", dataset=None, keep_order=True))
    assert kept.settings.carried.order == ("B", "A")  # who has the same trust has no order
    assert "gets the better copy: B, then A." in words.carried(kept.settings.carried)
    free = ReleaseScenario().replace(carried_over(who, scheme="nested", dataset=None))
    assert free.settings.carried.order == ()


# What is said


def pooled(held, size):
    """All coalitions, by the definition: the best copy of each kind among theirs (many holders: each, and all)."""
    names = list(held)
    sizes = range(1, len(names) + 1) if len(names) <= 6 else (1, len(names))
    found = []
    for group in (g for n in sizes for g in itertools.combinations(names, n)):
        trusts = [trust for name in group for trust, _ in held[name] if trust is not None]
        kept = [kept for name in group for _, kept in held[name] if kept is not None]
        found.append(SimpleNamespace(
            members=group, trust=10 * max(trusts) if trusts else None, retention=10 * max(kept) if kept else None,
        ))  # fmt: skip
    return tuple(found)


def picture(held, asked=None, *, size=4, refusals=(), already=None, withdrawn=None):
    """A picture of a ledger with these copies by recipient."""
    first = next((s for some in held.values() for s in some), asked[1:] if asked else (50, None))
    copies = tuple(
        SimpleNamespace(
            to=name, trust=None if t is None else 10 * t, retention=None if p is None else 10 * p, reissue=None
        )
        for name, settings in held.items() for t, p in settings
    )  # fmt: skip
    considered = None
    if asked:
        with_it = {name: list(settings) for name, settings in held.items()}
        with_it.setdefault(asked[0], []).append(asked[1:])
        considered = Considered(asked[0], asked[1], asked[2], pooled(with_it, size), refusals=refusals, held=already)
    measure = "numbers" if first[0] is not None else "categories"
    return ReleaseResult(
        scenario=ReleaseScenario(view=View(measure=measure)), title="survey", rehearsal=False, rows=100,
        numbers=("age",) if first[0] is not None else (), categories=("region",) if first[1] is not None else (),
        size=size, copies=copies, coalitions=pooled(held, size), events=(), head="ab" * 32, considered=considered,
        withdrawn=withdrawn,
    )  # fmt: skip


HELD = [
    {}, {"Ministry": [(60, None)]}, {"Ministry": [(60, 40)], "Press": [(30, 20)]}, {"Press": [(None, 20)]},
    {f"Holder {n}": [(10 + n, 5 + n)] for n in range(8)}, {f"Holder {n}": [(10 + n, 5 + n)] for n in range(40)},
    {"A": [(20, 20), (70, 10)], "B": [(65, 30)]},
]  # fmt: skip
ASKED = [
    None, ("Press", 20, 10), ("Press", 80, 10), ("Press", 10, 80),
    ("The Office of Very Long Names and Other Matters", 50, 50), ("x" * 60, 99.9, 99.9),
]  # fmt: skip


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("asked", ASKED)
def test_headline_and_pictures_say_what_the_copies_say(held, asked):
    kinds = next((s for some in held.values() for s in some), (1, 1))
    if asked:
        asked = (asked[0], *(a if k is not None else None for a, k in zip(asked[1:], kinds, strict=True)))
    shown = picture(held, asked)
    said = words.headline(shown)
    assert len(said.title.split()) <= MOST_WORDS
    every = [s for some in held.values() for s in some]
    for measure in shown.measures:
        place = 0 if measure == "numbers" else 1
        best = max((s[place] for s in every), default=None)

        def share(level):
            return (level or 0) / 100

        now, then = shown.everybody(measure)
        assert now == pytest.approx(share(best))
        if asked:
            assert then == pytest.approx(share(max(asked[1 + place], best or 0)))
        else:
            assert then is None
        shown_for = shown.best(shown.coalitions, list(held)[:1], measure)
        alone = max((s[place] for s in held[next(iter(held))]), default=None) if held else None
        assert shown_for == pytest.approx(share(alone))
    raised = asked and any(b > a + 1e-12 for a, b in (shown.everybody(m) for m in shown.measures))
    if asked and every:
        assert (said.tone == "leak") == raised
        assert ("would raise" in said.title) == raised
        assert (said.before != said.after) == raised
    if len(every) > 1 and not asked:
        most = tuple(max(s[place] or 0 for s in every) for place in (0, 1))
        alone = most in [(t or 0, p or 0) for t, p in every]  # one copy tells all that the others tell
        assert ("together they tell no more than the best" in said.title) == alone
        assert ("together they hold the best of both kinds" in said.title) == (not alone)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("asked", [None, ("Newcomer", 50, 50)])
def test_every_coalition_that_is_listed_is_drawn(held, asked):
    kinds = next((s for some in held.values() for s in some), (1, 1))
    if asked:
        asked = (asked[0], *(a if k is not None else None for a, k in zip(asked[1:], kinds, strict=True)))
    shown = picture(held, asked)
    who, masks = shown.pooled()
    names = {*held, *([asked[0]] if asked else [])}
    assert len(who) == min(len(names), DRAWN)
    assert len(masks) == len(set(masks))
    assert not names or masks[0] == 2 ** len(who) - 1
    if asked:
        assert asked[0] in [one.name for one in who]
    if len(names) <= 6:
        assert len(masks) == 2 ** len(names) - 1
    if len(names) > DRAWN:  # whoever is left out adds nothing to those who are drawn
        drawn = shown.best(shown.coalitions, [one.name for one in who], "numbers")
        assert drawn == shown.everybody("numbers")[0]
        assert f"the {DRAWN} best are drawn" in words.pooled(shown, len(who))


def test_a_small_rise_is_seen():
    said = words.headline(picture({"Ministry": [(60, None)]}, ("Press", 60.3, None)))
    assert (said.before, said.after, said.tone) == ("60 %", "60.3 %", "leak")


def test_the_trust_that_was_chosen_is_told():
    assert words.headline(picture({"Ministry": [(50, None)], "Press": [(50.5, None)]})).after == "50.5 %"
    assert words.headline(picture({"Ministry": [(99.9, None)]})).after == "99.9 %"


def test_refused_held_and_withdrawn_are_said():
    held = {"Ministry": [(60, None)]}
    refused = words.headline(picture(held, ("Press", 90, None), refusals=("Below the floor.",)))
    assert (refused.title, refused.note) == ("The rules refuse this copy for Press.", "Below the floor.")
    already = words.headline(picture(held, ("Ministry", 60, None), already=2))
    assert already.title == "Ministry already holds this very copy."
    gone = words.headline(picture(held, withdrawn="2026-05-01T12:00:00+00:00"))
    assert "destroyed" in gone.title
    assert "2026-05-01" in gone.note


def test_the_answer_of_the_rules():
    assert words.answer(None)[1] == ""
    assert words.answer(Considered("A", problem="A trust is missing.")) == ("A trust is missing.", "bad")
    assert words.answer(Considered("A", refusals=("No.", "Never."))) == ("No. Never.", "bad")
    assert words.answer(Considered("A", notes=("Equal to B's.",))) == (
        "The rules allow this copy. Equal to B's.",
        "good",
    )
    assert words.rules(()) == "No rules are set."
    assert words.rules(("One.", "Two.")) == "Rules: One. Two."
    typed = {"floor": "20", "hits": {"wage": "1000:30", "region": "40"}, "mu": "2", "ceilings": {"Press": "30"}}
    policy = {"floor": 20.0, "hits": {"wage": [1000.0, 30.0], "region": [None, 40.0]}, "mu": 2.0,
              "ceilings": {"Press": 30.0}}  # fmt: skip
    assert words.rules_read(*words.rules_written(policy)) == typed


def test_the_strongest_attacker_stands_in_a_table():
    column = SimpleNamespace(name="wage", within=100.0, hits=0.674, hits_error=0.007, without=0.58, worst=0.8)
    risk = SimpleNamespace(
        columns=(column,), column=lambda name: column, rows=20_000, found=0.06, found_error=0.005, found_without=0.0,
        attacked=4_000,
    )  # fmt: skip
    shown = picture({"Ministry": [(60, None)]}, ("Press", 80, None))
    assert words.risks(shown) == []
    assert "Not measured yet" in words.strongest(shown)
    rows = words.risks(replace(shown, risk=risk, known=("sex",)))
    assert rows[0] == ("wage, within 100", "58 %", "67 % ± 0.7", "–", "80 %", "–")
    assert rows[1][2] == "6 % ± 0.5"
    said = words.strongest(replace(shown, risk=risk, known=("sex",)))
    assert "knows sex of everybody, and all columns of half of the other people" in said
    assert "The copy that is considered has not been measured yet." in said


@pytest.mark.parametrize(("value", "said"), [(1.0, "100 %"), (0.505, "50.5 %"), (0.9997, "> 99 %"), (0.0, "0 %")])
def test_the_trust_of_a_copy_is_told_as_it_was_chosen(value, said):
    assert words.of_copy(value) == said
