"""The trade-off and the map of the Categories page."""

from trustscope.app import mapping, tradeoff
from trustscope.scenarios.categories import help as texts
from trustscope.scenarios.categories import map as maps
from trustscope.scenarios.categories.frontier import PRIVATE, USEFUL, frontier
from trustscope.scenarios.grid import pair
from trustscope.scenarios.solve.lines import on_categories_map


class TradeoffView(tradeoff.TradeoffView):
    """What the coalition finds out, against what an honest analyst gets."""

    def __init__(self):
        super().__init__(PRIVATE, USEFUL, texts.TRADEOFF)

    def show_picture(self, picture, model):
        """Draw the trade-off of what stands."""
        scenario, kept = picture.scenario, self._page.kept
        view = scenario.view
        self.draw(
            lambda: frontier(model, scenario, kept),
            (model, scenario.settings, view.tradeoff, view.value, kept),
            measured=PRIVATE[view.tradeoff.private].measured, settled=picture.settled(model),
        )  # fmt: skip


class MapView(mapping.MapView):
    """A figure over two parameters."""

    def __init__(self):
        super().__init__(texts.MAP, maps.placed)

    def show_picture(self, picture, model):
        """Draw the map around what stands."""
        scenario, view = picture.scenario, picture.scenario.view.map
        axes = maps.offered(scenario)
        self.offer(maps.FIGURES, view.figure, {key: maps.NAMES[key] for key in axes},
                   pair(view.across, view.upwards, axes))  # fmt: skip
        limit = self.line(on_categories_map(scenario, pair(view.across, view.upwards, axes)), view.limit)
        self.draw(
            lambda: maps.grid(model, scenario, limit), (model, scenario.settings, view),
            measured=maps.FIGURES[view.figure].measured, settled=picture.settled(model),
        )  # fmt: skip
