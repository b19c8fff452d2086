"""A film: what is believed of one value as ever more copies are pooled, by two ways of making the noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import param

from trustscope.widgets.esm import Control, css, module

PLACES = 121
NINE_IN_TEN = 1.645  # standard deviations to either side that hold nine in ten of a normal distribution


@dataclass(frozen=True)
class FilmScene:
    """One of the two: its title and tone, and the mean and standard deviation believed with 1, 2, ... copies."""

    title: str
    tone: str
    beliefs: Sequence[tuple[float, float]]


def spread(sd: float) -> str:
    """The range that holds nine in ten, to either side of the best guess."""
    return f"± {NINE_IN_TEN * sd:.0f}"


class Film(Control):
    """Two panels that move together. Whoever prefers no motion sees the first and the last belief at once."""

    film = param.Dict(default={}, doc="All that is drawn: scenes, truth, places, recipients, unit. Empty: nothing yet.")
    caption = param.String(default="", doc="How the film is read.")
    summary_text = param.String(default="", doc="What the film shows, with its figures, for those who cannot see it.")

    _esm = module("flow.js", "svg.js", "film.js")
    _stylesheets = (css("controls.css"), css("film.css"))

    def draw(
        self, scenes: Sequence[FilmScene], *, truth: float, recipients: Sequence[tuple[str, str]], unit: str,
        caption: str, summary: str,
    ) -> None:  # fmt: skip
        """Draw normal densities over one range for both panels. `recipients` are initials and colours."""
        every = [belief for scene in scenes for belief in scene.beliefs]
        low = min(truth, *(mean - 3 * sd for mean, sd in every))
        high = max(truth, *(mean + 3 * sd for mean, sd in every))
        x = np.linspace(low, high, PLACES)

        def curve(mean: float, sd: float) -> list[float]:
            return [round(float(y), 6) for y in np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))]

        self.param.update(caption=caption, summary_text=summary)
        self.film = {
            "scenes": [
                {
                    "title": scene.title,
                    "tone": scene.tone,
                    "curves": [curve(*belief) for belief in scene.beliefs],
                    "spreads": [spread(sd) for _, sd in scene.beliefs],
                }
                for scene in scenes
            ],
            "truth": float(truth),
            "places": [round(float(one), 3) for one in x],
            "recipients": [list(one) for one in recipients],
            "unit": unit,
        }
