"""The trade-off and the map of the Survey page."""

from trustscope.app import mapping, tradeoff
from trustscope.scenarios.grid import pair
from trustscope.scenarios.solve.lines import on_survey_map
from trustscope.scenarios.survey import help as texts
from trustscope.scenarios.survey import map as maps
from trustscope.scenarios.survey.frontier import PRIVATE, USEFUL, frontier
from trustscope.scenarios.survey.short import people_asked


def _settled(page, scenario) -> bool:
    return not page.playing and page.settled.settings == scenario.settings


class TradeoffView(tradeoff.TradeoffView):
    """What respondents keep to themselves, against what the miner learns."""

    def __init__(self):
        super().__init__(PRIVATE, USEFUL, texts.TRADEOFF)

    def show_picture(self, picture, model):
        """Draw the trade-off of what stands."""
        page, kept = self._page, self._page.kept
        scenario = page.scenario
        settings = scenario.settings.replace({"rival": False})
        self.draw(
            lambda: frontier(model, scenario, kept),
            (model, settings, scenario.seed, scenario.view.tradeoff, people_asked(scenario.view.arrived), kept),
            measured=True, settled=_settled(page, scenario),
        )  # fmt: skip


class MapView(mapping.MapView):
    """A figure over two parameters, survey by survey."""

    def __init__(self):
        super().__init__(texts.MAP, maps.placed)

    def show_picture(self, picture, model):
        """Draw the map around what stands."""
        model, scenario = self._page.model, self._page.scenario
        view = scenario.view.map
        self.offer(maps.FIGURES, view.figure, maps.NAMES, pair(view.across, view.upwards, tuple(maps.NAMES)))
        limit = self.line(on_survey_map(scenario), view.limit)
        self.draw(
            lambda: maps.grid(model, scenario, limit),
            (model, scenario.settings.replace({"rival": False}), scenario.seed, view, scenario.view.arrived),
            measured=True, settled=_settled(self._page, scenario),
        )  # fmt: skip
