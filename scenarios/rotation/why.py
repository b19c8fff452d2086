"""Why the verdict of the Rotation page is what it is, story by story: what stays, and which attacker makes use of it.

Every sentence holds figures of its own, which can be checked: nothing is said that they could contradict.
"""

import numpy as np

from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Kept, Known, Remedied, RotationResult, Sampled
from trustscope.scenarios.rotation.words.remedy import change
from trustscope.scenarios.rotation.words.sample import ratio
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, counted, number_word, share

GUESSES = {
    "uniform": "the uniform guess ({}), which takes any rotation that fits the links",
    "projection": "the projection ({}), which takes what the links settle and leaves the rest at zero",
    "others": "the best guess of who also knows other people ({}): those of them who fit what the links settle",
}


def why(picture: RotationResult, model: Model, binding: str = "") -> str:
    """At most three sentences; empty where there is nothing to show yet.

    Parameters
    ----------
    picture : RotationResult
    model : Model
        That the picture is of.
    binding : str
        A sentence on the requirement that binds, where there is one; it takes the place of the third.
    """
    match picture:
        case Kept():
            told = _kept(picture)
        case Known():
            told = _known(picture, model)
        case Sampled():
            told = _sampled(picture)
        case Remedied():
            told = _remedied(picture)
        case _:
            return ""
    if binding:
        told = [*told[:2], binding]
    return " ".join(told)


def _kept(p: Kept) -> list[str]:
    if not p.exact:
        return []
    told = ["All records are turned together, so that no distance between two of them changes by more than rounding."]
    if p.neighbours == 1 and not any(p.moved.values()):
        told.append("Neighbours and clusters depend on distances only: an analyst finds the same in both.")
    return told


def _known(p: Known, model: Model) -> list[str]:
    number, linked = len(p.linked), sum(p.linked.values())
    columns, free = model.records.columns, p.attack.freedom
    if not number:
        told = ["The insider knows nobody, so that no link settles a direction of the rotation."]
    elif not linked:
        told = [f"No known {model.records.one} is linked to a row for certain, so that no direction is settled."]
    else:
        told = [
            f"Turning keeps distances, by which {number_word(linked)} of {number_word(number)} known "
            f"{model.records.noun} {'is' if linked == 1 else 'are'} linked: that settles {columns - free} of "
            f"{counted(columns, 'direction')}."
        ]
    if p.exposed is None:
        return told
    best, without = p.means[p.leader], p.without.rate
    if best <= without:
        told.append(
            f"No guess from the links hits more often than a constant does without any release ({share(without)})."
        )
    elif not free:
        told.append(f"The links settle the rotation: {share(best)} are hit, by a constant guess {share(without)}.")
    else:
        told.append(
            f"Nothing hits more often here than {GUESSES[p.leader].format(share(best))}; a constant guess hits "
            f"{share(without)}."
        )
    return told


def _sampled(p: Sampled) -> list[str]:
    right, total = int(np.count_nonzero(p.right)), len(p.right)
    told = [
        "Turning the records turns their principal axes along: the competitor matches them with those of "
        f"{count(not_none(p.settings.sample))} other records, of the same population.",
        f"Of {counted(total, 'axis', 'axes')} {number_word(right)} {'points' if right == 1 else 'point'} the right way",
    ]
    if total > 1:
        told[-1] += f", and the closest two eigenvalues of the sample have ratio {ratio(p.ratio)}"
    told[-1] += "."
    if p.beyond_axes:
        told.append(
            f"That hits {share(p.by_axes)}. Distances and lengths stay, too: who also lays the released rows over the "
            "sample, or guesses by which records of it are as long, hits "
            f"{share(p.hits.rate)}, and a constant guess hits {share(p.without.rate)}."
        )
    else:
        told.append(f"That hits {share(p.hits.rate)}, where a constant guess hits {share(p.without.rate)}.")
    return told


def _remedied(p: Remedied) -> list[str]:
    return [
        "One matrix for all moves all records alike, so that the release can still be laid over a sample: that hits "
        f"{share(p.one_matrix.hits.rate)}, on a plain rotation {share(p.rotation.rate)}, and a constant guess hits "
        f"{share(p.without.rate)}.",
        "A fresh matrix for each moves every record differently, and keeps lengths nearly: "
        f"{share(p.fresh.hits.rate)} are hit, and distances "
        f"change by {change(p.fresh.spread)} (with one matrix by {change(p.one_matrix.spread)}).",
    ]
