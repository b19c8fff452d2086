"""The breach probability as printed, as corrected, and by drawing rotations (Giannella et al. 2009, Eq. 6)."""

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike
from trustscope.engine.attacks.known_input import breach_probability, printed_breach_probability, simulated_breach
from trustscope.engine.experiments.giannella.data import repeated, several
from trustscope.engine.utility.progress import Cancelling, Progress

__all__ = ["formulas"]


def formulas(
    *,
    freedom: ArrayLike = (2, 3, 5, 10),
    chord: ArrayLike | None = None,
    draws: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Breach probability by the chord, for some numbers of free dimensions.

    Parameters
    ----------
    freedom : sequence of int
        m = n - k.
    chord : sequence of float, optional
        eps ||x|| in units of the radius, 0 to 2.
    draws : int, optional
        Rotations for each dot: 4 000, or 100 000 at paper size.
    progress, cancelled : callable, optional
        See `engine.experiments.giannella`.

    Returns
    -------
    DataFrame
        freedom, chord, corrected, printed, simulated, standard_error.
    """
    freedom = several(freedom, None, "freedom", whole=True)
    chord = several(chord, np.linspace(0.1, 1.9, 19), "chord")
    count = (100_000 if paper_size else 4_000) if draws is None else draws
    settings = [{"freedom": m, "chord": c} for m in freedom for c in chord]

    def one_run(_: int, freedom: int, chord: float) -> dict[str, float]:
        rng = keys.rng(key, "giannella", "formulas", freedom, chord)
        share, error = simulated_breach(chord, 1.0, 1.0, freedom, draws=count, rng=rng)
        return {
            "corrected": float(breach_probability(chord, 1.0, 1.0, freedom)),
            "printed": float(printed_breach_probability(chord, 1.0, 1.0, freedom)),
            "simulated": share,
            "standard_error": error,
        }

    table = repeated(settings, one_run, repetitions=1, progress=progress, cancelled=cancelled)
    return table[["freedom", "chord", "corrected", "printed", "simulated", "standard_error"]]
