"""The spectrum of what the coalition holds: what can be told apart from noise, and what two attackers keep."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.trust import help as texts
from trustscope.scenarios.trust.picture import Picture
from trustscope.scenarios.words import plain
from trustscope.widgets.card import Card
from trustscope.widgets.spectrum import SpectrumPlot

STRIPS = {
    "principal_components": "kept as strong components",
    "spectral_filter": "kept by the filter",
}


class SpectrumView(pn.viewable.Viewer):
    """Moves with the shape of the noise."""

    def __init__(self):
        super().__init__()
        self.plot = SpectrumPlot("Variance of every component of the combined copy, with the band of pure noise")
        self._card = Card("What stands out of the noise", self.plot, help_text=texts.SPECTRUM)

    def show(self, picture: Picture, common_unit: bool):
        """Draw the spectrum of the coalition's combined copy."""
        seen = picture.spectrum
        self.plot.__panel__().visible = seen is not None
        if seen is None:
            self._card.say("Tick a recipient: the spectrum is that of their copies, put together.")
            return
        filtered = np.arange(len(seen.released)) < seen.kept_by_filter
        kept = {"principal_components": seen.components_within, "spectral_filter": filtered}
        self.plot.show(
            seen.released, seen.data_within, seen.noise_within, seen.band,
            {colours.ATTACKERS[name]: kept[name] for name in STRIPS},
        )  # fmt: skip
        data = "in it, the data" if picture.settings.informed else "in it, the data, as estimated"
        self._card.say(
            caption(picture, common_unit),
            [
                ("the combined copy", colours.SPECTRUM["released"], "dot"),
                (data, colours.ORIGINAL, "line"),
                ("in it, the noise", colours.SPECTRUM["noise"], "dotted"),
                ("what white noise alone would give", colours.NEUTRAL, "area"),
                *((text, colours.ATTACKERS[name], "block") for name, text in STRIPS.items()),
            ],
        )

    def __panel__(self):
        return self._card.__panel__()


def caption(picture: Picture, common_unit: bool = False) -> str:
    """What the filters would do with this spectrum."""
    seen = picture.spectrum
    components = len(seen.released)
    if components == 1:
        return "One attribute has one direction: there is nothing to tell apart, and no filter can help."
    strong = (
        f"<b>{seen.kept_by_components}</b> come before the gap and are kept as strong"
        if seen.gap
        else "no gap parts strong from weak, so that the one who looks for it keeps "
        + ("all" if seen.kept_by_components == components else f"the <b>{seen.kept_by_components}</b> above zero")
    )
    kept = slice(seen.kept_by_filter)
    noisy = int((seen.noise_within[kept] > seen.data_within[kept]).sum())
    more = f", {noisy} of them more noise than data" if noisy else ""
    units = "" if common_unit else " Attributes count in units of their standard deviations."
    return (
        f"Of {components} components {strong}; <b>{seen.kept_by_filter}</b> rise above {plain(seen.band[1])}, the most "
        f"that white noise would give, and are kept by the filter{more}.{units}"
    )
