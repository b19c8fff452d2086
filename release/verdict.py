"""The answer to "whose copy is this?", and its words."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trustscope.release.record import Copy, Variant

# No model is better than this: a smaller probability is not claimed.
LEAST = 1e-12
# Decimal logarithms closer together than this count as the same.
LEAST_BEHIND = 0.3
# All that are out, in the order of issue.
Copies = Mapping[Variant, list[Copy]]


@dataclass(frozen=True)
class Holder:
    """One copy that is out, and how well it explains a found file.

    Attributes
    ----------
    recipients : tuple of str
        All who hold it.
    variant : Variant
        Trust, retention and fingerprint.
    ratio : float
        Decimal logarithm of the likelihood ratio of "from this copy, altered or not" to "from none of them"; 0 where
        nothing was told. It can be large for several copies, because they share their noise. Never more than the
        chance of a false alarm allows.
    behind : float
        Decimal logarithm of how much likelier the best one is than this one.
    weight : float
        Its share of a mixture; 0 where there is none.
    """

    recipients: tuple[str, ...]
    variant: Variant
    ratio: float
    behind: float
    weight: float

    def describe(self) -> str:
        """One line on this holder: how much likelier the file is with this copy than with none, and than the best."""
        names = " or ".join(f"“{name}”" for name in self.recipients)
        text = f"{names}: {_times(self.ratio)} than from no copy"
        if self.weight:
            return f"{text}; about {100 * self.weight:.0f} % of a mixture"
        return text if self.behind < LEAST_BEHIND else f"{text}, {_times(-self.behind)} than from the likeliest copy"


def _times(exponent: float) -> str:
    """How many times likelier 10^exponent is, in words; no model is good for more than 10^12."""
    most = -math.log10(LEAST)
    word = "more" if exponent >= 0 else "less"
    size = abs(exponent)
    if size < LEAST_BEHIND:
        return "as likely"
    number = f"over 10^{most:.0f}" if size > most else f"10^{size:.0f}" if size >= 3 else f"{10**size:.0f}"
    return f"{number} times {word} likely"


@dataclass(frozen=True)
class Verdict:
    """What a found file says.

    Attributes
    ----------
    kind : {"copy", "altered", "mixture", "original", "original, altered", "unexplained"}
    holders : list of Holder
        The likeliest first.
    named : tuple of Variant
        The copies that are named: one; several that cannot be told apart; or those of a mixture.
    rows : int
        Found rows that were compared.
    columns : tuple of str
        Columns that were compared.
    equal, altered : tuple of str
        Columns that equal the copy that is named, and those that do not.
    how : str
        How rows were brought together.
    chance : float
        Probability (at most) that noise of copies which have nothing to do with the file would agree with it as well.
    few : bool
        Whether there are too few rows for most of what could be tried.
    sentence : str
    """

    kind: str
    holders: list[Holder]
    named: tuple[Variant, ...]
    rows: int
    columns: tuple[str, ...]
    equal: tuple[str, ...]
    altered: tuple[str, ...]
    how: str
    chance: float
    few: bool
    sentence: str = ""


def sentence(verdict: Verdict, copies: Copies) -> str:
    """The verdict in words.

    Parameters
    ----------
    verdict : Verdict
    copies : dict of Variant to list of Copy
        All that are out, in the order of issue.
    """
    match verdict.kind:
        case "copy" | "altered":
            return _of_copy(verdict, copies)
        case "mixture":
            return _of_mixture(verdict, copies)
        case "original":
            return "The file looks like the original data, or a part of it, and not like a copy: ask who has the data."
        case "original, altered":
            return (
                "The file looks like the original data, altered: it is closer to the data than any copy that is out, "
                "and follows the noise of none."
            )
    few = " There is too little in it to tell." if verdict.few else ""
    return (
        "The file is not an unaltered copy of anything that is out, and nothing in it follows the noise of a copy."
        f"{few} This clears nobody: a copy that was altered enough looks the same."
    )


def _of_copy(verdict: Verdict, copies: Copies) -> str:
    names = _names(verdict, copies)
    several = len(verdict.named) > 1
    alike = ""
    if several:
        alike = " (which of them cannot be told)"
    elif len(_recipients(copies, verdict.named[0])) > 1:
        alike = ", who hold the same copy"
    setting = "" if several else f" ({copies[verdict.named[0]][0].describe()})"
    if verdict.kind == "copy":
        text = f"The file is the copy of {names}{setting}{alike}, or a part of it"
    elif verdict.equal:
        text = (
            f"The file matches the copy of {names}{setting}{alike} in {_listed(verdict.equal)}; "
            f"{_listed(verdict.altered)} {'was' if len(verdict.altered) == 1 else 'were'} altered"
        )
    else:
        text = f"The file follows the noise of the copy of {names}{setting}{alike}; its columns were altered"
    return f"{text}. {_chance(verdict)}{_others(verdict, copies)}"


def _of_mixture(verdict: Verdict, copies: Copies) -> str:
    weights = {one.variant: one.weight for one in verdict.holders}
    # Copies that are alike in what was mixed have one weight together.
    alike: dict[tuple[float, int | None, str], list[Variant]] = {}
    for variant in verdict.named:
        source = weights[variant], variant.trust or variant.retention, variant.fingerprint
        alike.setdefault(source, []).append(variant)
    if sum(weight for weight, *_ in alike) > 1.2:
        names = " or ".join(_who(copies, variant) for variant in verdict.named)
        return f"The file is a mixture of two of the copies of {names}; which two cannot be told. {_chance(verdict)}"
    parts = [
        f"{' or '.join(_who(copies, variant) for variant in some)} (about {100 * weight:.0f} %)"
        for (weight, *_), some in alike.items()
    ]
    return f"The file is a mixture of the copies of {_listed(parts)}. {_chance(verdict)}"


def _chance(verdict: Verdict) -> str:
    chance = f"less than {LEAST:.0e}" if verdict.chance < LEAST else f"{verdict.chance:.0e}"
    return f"The probability that a file which has nothing to do with it agrees as well is {chance}."


def _others(verdict: Verdict, copies: Copies) -> str:
    named = {name for variant in verdict.named for name in _recipients(copies, variant)}
    others = [name for name in dict.fromkeys(c.to for held in copies.values() for c in held) if name not in named]
    quoted = [f"“{name}”" for name in others]
    return f" It is not an unaltered copy of {_listed(quoted, 'or')}." if quoted else ""


def _names(verdict: Verdict, copies: Copies) -> str:
    return " or ".join(_who(copies, variant) for variant in verdict.named)


def _who(copies: Copies, variant: Variant) -> str:
    return " or ".join(f"“{name}”" for name in _recipients(copies, variant))


def _recipients(copies: Copies, variant: Variant) -> list[str]:
    return list(dict.fromkeys(copy.to for copy in copies[variant]))


def _listed(words: Iterable[str], last: str = "and") -> str:
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
