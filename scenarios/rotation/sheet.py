"""The Rotation page on paper: the step that is open, and what both attackers make of the same release."""

import numpy as np
import pandas as pd

from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.rotation.result import Known
from trustscope.scenarios.rotation.sample import METHODS
from trustscope.scenarios.rotation.words import common, sample
from trustscope.scenarios.sheet import JUDGED, KEYED, Sheet, required
from trustscope.scenarios.whole import Whole, last
from trustscope.scenarios.words import count, share

INSIDERS = {"uniform": "any rotation that fits", "projection": "projection", "others": "who knows other people too"}
STORIES = {
    "kept": "what is kept", "known": "an insider knows a few records", "sample": "a competitor has a sample",
    "remedy": "the remedy",
}  # fmt: skip
ASSUMED = (
    "One half of the data is private and released; samples and constant guesses come from the other half, which shares "
    "no row with it.",
    "Means and standard deviations are taken to be public: whoever analyses the release needs them.",
    "The insider's figures are expectations over all rotations that fit what is known; where there is no closed form, "
    "rotations were drawn. The insider with other people knows the records of the other half.",
    "Guesses are judged on at most 1 000 records.",
)


def sheet_of(found: Whole, figures: Metrics) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    told = (
        "What both attackers recover of this release, by each of their ways; guessing a constant hits "
        f"{share(found.model.without(found.scenario.settings).rate)}."
    )
    return Sheet(
        (*_settings(found), *required(figures)),
        (told, _attackers(found)),
        (*ASSUMED, JUDGED, KEYED),
    )


def _settings(found: Whole) -> tuple[tuple[str, str], ...]:
    s, records = found.scenario.settings, found.model.records
    return (
        ("Step", STORIES[found.scenario.view.story]),
        ("Attributes", f"{'standardised' if s.standardised else 'in their own units'}. "
                       f"{common.STANDARDISED[s.standardised]}"),
        ("Shift", "a secret shift as well as the rotation" if s.shifted else "none"),
        ("Records that the insider knows", str(len(s.known))),
        ("Records in the competitor's sample", f"{count(s.sample)}, {sample.METHOD_NAMES[s.method]}"),
        ("Columns of the remedy", count(s.dimensions)),
        ("A hit", common.hit_line(s, records)),
        ("An honest analyst looks for", f"{s.clusters} clusters by {s.clustering}"),
        ("Seed", str(found.scenario.seed)),
    )  # fmt: skip


def _attackers(found: Whole) -> pd.DataFrame:
    """The insider's guesses and the competitor's two methods, on the same release."""
    model, scenario = found.model, found.scenario
    insider = found.picture
    if not isinstance(insider, Known):
        insider = last(model.passes(scenario.replace({"view.story": "known", "view.closer": ""})))
    made = [
        {"attacker": f"insider, {INSIDERS[guess]}", "recovered": recovered}
        for guess, recovered in insider.means.items()
    ]
    for method in METHODS:
        settings = scenario.settings.replace({"method": method})
        hits = model.sample.rate_of(settings, settings.sample, settings.block)
        made.append({"attacker": f"competitor, {sample.METHOD_NAMES[method]}", "recovered": hits})
    return pd.DataFrame(made).assign(**{"by guessing a constant": insider.without.rate})


def frame_of(found: Whole) -> pd.DataFrame:
    """The columns that are turned, with their statistics."""
    records = found.model.records
    return pd.DataFrame({
        "column": list(records.names), "unit": [records.units.get(name, "") for name in records.names],
        "mean": records.mean, "standard deviation": np.where(records.varying, records.sd, 0.0),
    })  # fmt: skip
