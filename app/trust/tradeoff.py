"""The trade-off and the map of the Trust page."""

from typing import Any

from trustscope.app import mapping, tradeoff
from trustscope.scenarios.grid import pair
from trustscope.scenarios.solve.lines import on_trust_map
from trustscope.scenarios.trust import help as texts
from trustscope.scenarios.trust import map as maps
from trustscope.scenarios.trust.frontier import PRIVATE, USEFUL, frontier


class TradeoffView(tradeoff.TradeoffView):
    """What the coalition is left to guess, against what an honest analyst gets."""

    def __init__(self):
        super().__init__(PRIVATE, USEFUL, texts.TRADEOFF)
        self._labels: tuple[Any, str] = None, ""

    def load(self, model, data):
        """Other data: what classifiers may predict."""
        self.hide()
        wanted = data.label or next(iter(data.categorical), None)
        # Where rows with gaps were left out, the labels of those that are left cannot be told by their place.
        there = data.rows == model.rows
        order = model.population.order
        self._labels = (data.frame[wanted].to_numpy()[order], wanted) if wanted and there else (None, "")

    def show_picture(self, picture, model):
        """Draw the trade-off of what stands."""
        scenario, (labels, label), kept = picture.scenario, self._labels, self._page.kept
        useful = {key: one for key, one in USEFUL.items() if labels is not None or not one.measured}
        one = scenario.settings.kind == "absolute"
        self.offer({key: measure for key, measure in PRIVATE.items() if one or key == "error"}, useful)
        if scenario.view.tradeoff.useful not in useful:
            scenario = scenario.replace({"view.tradeoff.useful": next(iter(useful))})
        self.draw(
            lambda: frontier(model, scenario, labels, label, kept),
            (model, scenario.settings, scenario.view.tradeoff, kept),
            measured=USEFUL[scenario.view.tradeoff.useful].measured, settled=picture.settled(model),
        )  # fmt: skip


class MapView(mapping.MapView):
    """A figure in closed form over two parameters."""

    def __init__(self):
        super().__init__(texts.MAP, maps.placed)

    def show_picture(self, picture, model):
        """Draw the map around what stands."""
        scenario = picture.scenario
        known, axes = maps.offered(model, scenario)
        view = scenario.view.map
        self.offer(
            {key: maps.FIGURES[key] for key in known}, maps.figure_of(scenario), {key: maps.NAMES[key] for key in axes},
            pair(view.across, view.upwards, axes),
        )  # fmt: skip
        key, drawn = (model, scenario.settings, view), pair(view.across, view.upwards, axes)
        limit = self.line(on_trust_map(model.population, scenario, maps.figure_of(scenario), drawn), view.limit)
        self.draw(lambda: iter([maps.grid(model, scenario, limit)]), key, measured=False, settled=True)
