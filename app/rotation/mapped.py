"""The map of the Rotation page."""

from trustscope.app import mapping
from trustscope.scenarios.grid import pair
from trustscope.scenarios.rotation import help as texts
from trustscope.scenarios.rotation import map as maps
from trustscope.scenarios.solve.lines import on_rotation_map


class MapView(mapping.MapView):
    """What is recovered, by how close a guess must come and by what the attacker has."""

    def __init__(self):
        super().__init__(texts.MAP, lambda scenario, values: maps.placed(self._page.model, scenario, values))

    def show_picture(self, picture, model):
        """Draw the map around what stands."""
        scenario, view = picture.scenario, picture.view.map
        known, axes = maps.offered(scenario)
        self.offer(
            {key: maps.FIGURES[key] for key in known}, maps.figure_of(scenario), {key: maps.NAMES[key] for key in axes},
            pair(view.across, view.upwards, axes),
        )  # fmt: skip
        limit = self.line(on_rotation_map(scenario, maps.figure_of(scenario)), view.limit)
        self.draw(
            lambda: maps.grid(model, scenario, limit), (model, scenario.settings, view),
            measured=True, settled=self._page.settled.settings == scenario.settings,
        )  # fmt: skip
