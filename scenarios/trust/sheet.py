"""The Trust page on paper."""

import pandas as pd

from trustscope import schemes
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.preparation.effects import sentences
from trustscope.scenarios.sheet import JUDGED, KEYED, Sheet, required
from trustscope.scenarios.trust import words
from trustscope.scenarios.trust.result import TrustResult
from trustscope.scenarios.trust.scenario import ATTACKERS
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import count, listed

ASSUMED = (
    "The attackers know how the copies were made: the levels, the scheme and the shape of the noise. Only the noise "
    "itself is secret.",
    "Errors are mean square errors over all released attributes, where guessing the average gives 1; each attribute "
    "counts in units of its standard deviation unless all have one unit.",
    "Linear theory is exact for means and covariances whatever the distribution. An attacker who uses more of the "
    "distribution than its mean and covariance may do better than the linear ones.",
    "What can be guessed without any copy is stated beside every share of hits: a copy is not to blame for it.",
    "Classifiers on the copies are measured on the page on request, and are not part of this report.",
)


def sheet_of(found: Whole, figures: Metrics) -> Sheet:
    """Settings and assumptions."""
    picture = found.picture
    subject = words.subject_of(found.model.population, picture.settings.attribute)
    return Sheet(
        (*_settings(picture, subject), *_prepared(found), *required(figures)),
        None,  # the card "Attacker by attacker" has all of them
        (*ASSUMED, JUDGED, KEYED),
    )


def _prepared(found: Whole) -> tuple[tuple[str, str], ...]:
    """What was done to columns before noise was added."""
    steps, noun = found.scenario.data.preparation, found.model.population.noun
    return (("Before the noise", " ".join(sentences(not_none(found.data), steps, noun))),) if steps else ()


def _settings(picture: TrustResult, subject: words.Subject) -> tuple[tuple[str, str], ...]:
    s = picture.settings
    who = [r.name for r in s.coalition]
    return (
        ("Recipients", "; ".join(f"{r.name}: trust {r.trust} %" for r in s.recipients)),
        ("Who pools", listed(who) if who else "nobody"),
        ("Noise", f"{schemes.adjective(s.scheme)}. {schemes.of(s.scheme).words}"),
        ("Shape of the noise", f"{words.shape_name(s.similarity)}. {words.shape(s.similarity)}"),
        ("Attackers that are ticked", listed([f"one who {ATTACKERS[name]}" for name in s.attackers])),
        ("What the best guess builds on", words.knowledge_in_words(s, subject.noun)),
        (
            "What reconstructing attackers know",
            "mean and covariance of the data" if s.informed else "what they estimate from the copies",
        ),
        ("Rows that learning attackers learn from", count(s.sample)),
        ("A hit", words.hit_line(s, subject)),
        ("Attribute looked at", subject.axis),
        ("Seed", str(picture.scenario.seed)),
    )


def frame_of(found: Whole) -> pd.DataFrame:
    """The columns that are perturbed, with their statistics."""
    people = found.model.population
    return pd.DataFrame({
        "column": list(people.names), "unit": [people.unit_names.get(name, "") for name in people.names],
        "mean": people.mean, "standard deviation": people.sd,
    })  # fmt: skip
