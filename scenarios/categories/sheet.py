"""The Categories page on paper."""

import numpy as np
import pandas as pd

from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.cards import MEASURES
from trustscope.scenarios.categories.scenario import PRIORS
from trustscope.scenarios.categories.side import attacker_in_words, personal
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.preparation.effects import sentences
from trustscope.scenarios.sheet import JUDGED, KEYED, Sheet, required
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import listed

ASSUMED = (
    "The attacker knows how the copies were made and weighs everything by Bayes' rule: nobody can guess right more "
    "often, knowing as much beforehand.",
    "Figures with a standard error were drawn, because listing all combinations of values would take too long.",
    "A promise is judged for the worst belief that anybody could have beforehand, not for the one that is set.",
    "Only the sensitive column is perturbed. The other columns are released as they are: what the attacker knows of "
    "them, as told above, is part of these figures; what the others tell about the sensitive column is not.",
)


def sheet_of(found: Whole, figures: Metrics) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    return Sheet(
        (*_settings(found), *required(figures)),
        _attackers(found),
        (*ASSUMED, JUDGED, KEYED),
    )


def _settings(found: Whole) -> tuple[tuple[str, str], ...]:
    s, model, steps = found.picture.settings, found.model, found.scenario.data.preparation
    who = [r.name for r in s.coalition]
    before = " ".join(sentences(not_none(found.data), steps, model.noun, noisy=False)) if steps else ""
    return (
        ("Sensitive column", f"{model.column.name}, {model.size} values"),
        ("Recipients", "; ".join(f"{r.name}: keeps {r.trust} %" for r in s.recipients)),
        ("Who pools", listed(who) if who else "nobody"),
        ("Copies", f"{s.scheme}. {words.SCHEME_WORDS[s.scheme]}"),
        ("What the attacker knows beforehand", f"{PRIORS[s.prior]}. {words.PRIOR_WORDS[s.prior]}"),
        ("The attacker", f"Somebody who {attacker_in_words(s)}."),
        ("Promise", f"What was believed less than {s.promise.rho1} % is never believed more than {s.promise.rho2} %; "
                    f"no belief grows by more than {s.promise.delta} points."),
        *((("Before the bins", before),) if steps else ()),
        ("Seed", str(found.scenario.seed)),
    )  # fmt: skip


def _attackers(found: Whole) -> tuple[str, pd.DataFrame] | None:
    """The same attacker, knowing more or less beforehand."""
    picture, model = found.picture, found.model
    if picture.joining is None:
        return None
    made = []
    chosen = picture.settings
    plain = {"knowledge": "sample", "others": None, "known": ()}
    every = [chosen.replace({"prior": prior, **plain}) for prior in PRIORS]
    every += [chosen] if personal(model, chosen) else []
    for settings in every:
        joining = model.joining(settings)
        row = {
            "an attacker who": attacker_in_words(settings),
            "chosen": model.knowledge(settings) == model.knowledge(chosen),
        }
        for name, one in (("best copy alone", joining.alone), ("together", joining.last(settings.scheme))):
            row |= {f"{label}, {name}": getattr(one, which) for which, label in MEASURES.items()}
        made.append(row)
    return "There is one attacker, the best there can be; what they know beforehand differs.", pd.DataFrame(made)


def frame_of(found: Whole) -> pd.DataFrame:
    """The sensitive column, with the share of each value."""
    column, shares = found.model.column, found.model.shares
    order = np.argsort(-shares, kind="stable")
    return pd.DataFrame({f"value of {column.name}": [column.labels[i] for i in order], "share of rows": shares[order]})
