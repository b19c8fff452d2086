"""A card that measures: what is drawn is not drawn again, what moves is not measured, and it can be stopped."""

import asyncio
import re
from dataclasses import dataclass

import pytest

from trustscope.app.measuring import Measuring
from trustscope.app.trust.dashboard import TrustDashboard
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.scenario import TrustScenario


@dataclass(frozen=True)
class Step:
    done: int
    total: int = 3

    @property
    def complete(self):
        return self.done >= self.total


class Card(Measuring):
    def __init__(self):
        super().__init__("Something")
        self.drawn, self.made = [], 0

    def steps(self):
        self.made += 1
        return iter([Step(done) for done in range(4)])

    def _show(self, step):
        self.drawn.append(step.done)


def test_closed_forms_are_drawn_at_once_and_measurements_when_nothing_moves():
    card = Card()
    card.draw(lambda: iter([Step(3)]), "a", measured=False, settled=False)
    assert card.drawn == [3]
    card.draw(lambda: iter([Step(3)]), "a", measured=False, settled=False)
    assert card.drawn == [3]  # it is there already
    card.draw(card.steps, "b", measured=True, settled=False)
    assert card.made == 0
    card.draw(card.steps, "b", measured=True, settled=True)
    assert card.drawn == [3, 0, 1, 2, 3]
    assert not card.task.running
    assert card.task.away
    card.draw(card.steps, "b", measured=True, settled=True)
    assert card.made == 1
    card.hide()
    card.draw(card.steps, "b", measured=True, settled=True)  # it was looked away from, and is looked at again
    assert card.made == 2


def test_what_was_stopped_stays_so_until_it_is_asked_for():
    card = Card()

    async def walk():
        card.draw(card.steps, "a", measured=True, settled=True)
        assert card.task.running
        card.task.stops += 1
        assert not card.task.running
        card.draw(card.steps, "a", measured=True, settled=True)
        assert card.made == 1
        card.task.starts += 1
        while card.task.running:
            await asyncio.sleep(0)

    asyncio.run(walk())
    assert card.made == 2
    assert card.drawn[-1] == 3
    assert card.task.away  # there is nothing left to go on with


def test_a_failure_is_told_on_the_card():
    card = Card()

    def broken():
        yield Step(0)
        raise RuntimeError("no such copy")

    card.draw(broken, "a", measured=True, settled=True)
    assert not card.task.running
    assert not card.task.away
    assert card.task.text


def test_a_kept_scenario_stands_beside_in_the_trade_off():
    changes = {"data.name": "iris", "view.closer": "tradeoff", "view.tradeoff.useful": "values"}
    changes["settings.attackers"] = ("perfect",)
    page = TrustDashboard(TrustScenario().replace(changes))
    plot = page.views()["tradeoff"].plot
    assert [spot.name for spot in plot.spots] == ["you are here"]
    kept = page.scenario.replace({"settings.scheme": "nested", "settings.recipients": recipients(80, 10)})
    page.compare(page.twin(kept), "A")
    beside, here = plot.spots
    assert (beside.name, beside.kept) == ("A", True)
    assert beside.y == pytest.approx(0.2)  # the best copy alone is all that nested copies tell
    assert here.name == "you are here"
    page.compare(None)
    assert [spot.name for spot in plot.spots] == ["you are here"]


def said(card):
    """The caption of a card, without what explains its words."""
    return re.sub("<[^>]*>", "", card.card.caption_pane.object)


def test_the_line_on_a_map_is_the_targets_where_there_is_one():
    required = TrustRequirement(what="error", limit=0.3)
    page = TrustDashboard(TrustScenario().replace({"data.name": "iris", "view.closer": "map"}))
    card = page.views()["map"]
    assert card.limit.visible
    assert card.map.limit == page.scenario.view.map.limit / 100
    page.controls.change(page.scenario.replace({"settings.requirements": (required,)}))
    assert not card.limit.visible
    assert card.map.limit == pytest.approx(0.7)
    assert "the line is at the target's limit: an error of at least 0.3 of any coalition" in said(card)
    page.controls.change(page.scenario.replace({"view.map.figure": "gain"}))  # of which nothing is required
    assert card.limit.visible
    assert not card.map.lines
    assert "; the whole map lies on one side of the limit that you set. Click" in said(card)
    page.controls.change(page.scenario.replace({"view.map.limit": 5}))
    assert card.map.lines
    assert "the line is at the limit that you set. Click" in said(card)


def test_a_map_says_where_one_is_not_on_it():
    page = TrustDashboard(TrustScenario().replace({"data.name": "iris", "view.closer": "map"}))
    card = page.views()["map"]
    assert "The ring is where you are" in said(card)
    # The original: it has no noise that could be scaled.
    page.controls.change(page.scenario.replace({"settings.recipients": recipients(100)}))
    assert not card.map.here
    assert "Where you are is not on this map" in said(card)
    assert "ring" not in said(card)
