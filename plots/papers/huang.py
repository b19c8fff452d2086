"""Plots of Huang, Du and Chen 2005: experiments 1 to 4."""

from collections.abc import Callable, Sequence

import holoviews as hv
import pandas as pd

from trustscope.colours import RECIPIENTS
from trustscope.plots.elements import by_group, dots, line, panel, upright

LOOKS = {
    "noise_distribution": (RECIPIENTS[9], "dotted"), "univariate": (RECIPIENTS[1], "dotdash"),
    "principal_components": (RECIPIENTS[0], "dashed"), "spectral_filter": (RECIPIENTS[2], "dotted"),
    "bayes": (RECIPIENTS[3], "solid"),
}  # fmt: skip

NAMES = {
    "noise_distribution": "the noise alone (NDR)",
    "univariate": "each attribute by itself (UDR)",
    "principal_components": "principal components (PCA)",
    "bayes": "Bayes estimate (BE)",
    "spectral_filter": "spectral filter (SF)",
}


def _plot(varied: str, x: str, marks: Sequence[float] = ()) -> Callable[[pd.DataFrame], hv.Overlay]:
    def plot(table: pd.DataFrame) -> hv.Overlay:
        layers = [upright(place) for place in marks]
        for name, part in by_group(table, "attacker"):
            part = part.sort_values(varied)
            colour, dash = LOOKS[name]
            layers.append(line(part[varied], part["error"], colour, NAMES[name], dash))
            layers.append(dots(part[varied], part["error"], colour, size=5))
        return panel(layers, x=x, y="mean square error", y_range=(0, None))

    return plot


PLOTS = {
    "huang/exp1": _plot("attributes", "attributes"),
    "huang/exp2": _plot("components", "principal components of 100"),
    "huang/exp3": _plot("small", "eigenvalue of the 80 small components"),
    "huang/exp4": _plot("similarity", "likeness of the noise to the data", marks=(0,)),
}
