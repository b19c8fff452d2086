"""The spectrum of what the coalition holds: what can be told apart from noise, and what two attackers keep."""

import panel as pn

from app.trust import help as texts
from app.trust.picture import Picture
from app.words import plain
from widgets import colours
from widgets.card import Card
from widgets.spectrum import SpectrumPlot

CUTS = {
    "principal_components": "kept as strong components: left of",
    "spectral_filter": "kept by the filter: left of",
}


class SpectrumView(pn.viewable.Viewer):
    """Moves with the shape of the noise."""

    def __init__(self):
        super().__init__()
        self.plot = SpectrumPlot("Variance of every component of the combined copy, with the band of pure noise")
        self._card = Card("What stands out of the noise", self.plot, help_text=texts.SPECTRUM)

    def show(self, picture: Picture):
        """Draw the spectrum of the coalition's combined copy."""
        seen = picture.spectrum
        if seen is None:
            self._card.say("Tick a recipient: the spectrum is that of their copies, put together.")
            return
        kept = {"principal_components": seen.kept_by_components, "spectral_filter": seen.kept_by_filter}
        self.plot.show(
            seen.released, seen.data, seen.noise, seen.band,
            {name: (kept[name], colours.ATTACKERS[name]) for name in CUTS},
        )  # fmt: skip
        self._card.say(
            caption(picture),
            [
                ("the combined copy", colours.SPECTRUM["released"], "dot"),
                ("of it, the data" + ("" if picture.settings.informed else ", as estimated"), colours.ORIGINAL, "line"),
                ("of it, the noise", colours.SPECTRUM["noise"], "dotted"),
                ("what white noise alone would give", colours.NEUTRAL, "area"),
                *((text, colours.ATTACKERS[name], "dashed") for name, text in CUTS.items()),
            ],
        )

    def __panel__(self):
        return self._card.__panel__()


def caption(picture: Picture) -> str:
    """What the filters would do with this spectrum."""
    seen = picture.spectrum
    components = len(seen.released)
    if components == 1:
        return "One attribute has one direction: there is nothing to tell apart, and no filter can help."
    low, high = seen.band
    return (
        f"Of {components} components <b>{seen.kept_by_components}</b> come before the gap after the strong ones, and "
        f"<b>{seen.kept_by_filter}</b> rise above {plain(high)}, the most that white noise would give "
        f"(from {plain(low)})."
    )
