"""The attackers one beside the other: who comes closest, and why."""

import panel as pn

from trustscope import colours
from trustscope.app.trust import help as texts
from trustscope.engine.attacks import reconstruction
from trustscope.scenarios.trust.picture import Picture, Result
from trustscope.scenarios.trust.settings import ATTACKERS, RECONSTRUCTIONS
from trustscope.scenarios.words import count, listed, plain, share
from trustscope.widgets.card import Card
from trustscope.widgets.standings import Standing, Standings

TIE = 0.01  # errors that differ by less than this share are called equal
NOTED = 0.03  # shares of the error that are worth a word
DASHES = {
    "perfect": "dashed", "structured": "dotdash", "raw": "dotted", "noise_distribution": "dotted",
    "univariate": "dotdash", "principal_components": "dashed", "spectral_filter": "dotted", "bayes": "solid",
}  # fmt: skip
LINEAR_NOTES = {
    "perfect": "Linear, on all copies at once (LLSE). Assumes nothing about the distributions.",
    "structured": "The same, with a mean learned from a sample.",
    "raw": "The same, with all moments of all copies learned from a sample.",
    "guess": "The baseline: no copy is looked at. A hatched bar goes beyond the scale.",
}
LINEAR_NEEDS = {
    "perfect": ("the covariance of the noise", "the mean and covariance of the data"),
    "structured": ("the covariance of the noise", "the covariance of the data"),
    "raw": ("the levels and the shape of the noise",),
    "guess": ("the mean of the data",),
}
WHY = {
    "perfect": "it knows how the data vary, and trusts every direction as far as the noise there allows",
    "structured": "it knows how the data vary, and a mean is quickly learned",
    "raw": "its sample is large enough to learn everything from",
    "noise_distribution": "there is so little noise that every correction costs more than it mends",
    "univariate": "the attributes say little about each other that would help, and it makes the most of each one",
    "principal_components": "the data lie along few directions, and what it throws away is mostly noise",
    "spectral_filter": "the data stand out of the noise along few directions, and it keeps just those",
    "bayes": "it trusts every direction as far as the noise there allows, and neither keeps nor drops it whole",
}


def colour(name: str, scheme: str) -> str:
    """The colour of an attacker's line."""
    return colours.ATTACKERS.get(name, colours.SCHEMES[scheme])


class ContestView(pn.viewable.Viewer):
    """The table of attackers."""

    def __init__(self):
        super().__init__()
        self.table = Standings("Attackers: error, expected error, breaches, and what each one needs to know")
        self._card = Card("Attacker by attacker", self.table, help_text=texts.CONTEST)

    def show(self, picture: Picture, population):
        """Draw what the attackers of a picture achieved."""
        unit = population.scaled_covariance.trace() / population.columns if population.common_unit else None
        names = [n for n in (*ATTACKERS, "guess") if n in picture.results]
        best = winners(picture)
        # Bars against the worst attacker: against the baseline, good attackers could not be told apart.
        top = min(max((picture.results[n].tally.error for n in names if n != "guess"), default=1.0), 1.0)
        mean_square = () if unit is None else ("mean square error",)
        self.table.show(
            ("an attacker who", "error", "expected", *mean_square, "breaches"),
            [_standing(n, picture, population, unit, top or 1.0, n in best) for n in names],
        )
        self._card.say(caption(picture, population))

    def __panel__(self):
        return self._card.__panel__()


def _standing(name, picture, population, unit, top, best) -> Standing:
    result = picture.results[name]
    known = reconstruction.ATTACKERS.get(name)
    note = f"{known.name}. Assumes: {known.assumes[0].lower()}{known.assumes[1:]}" if known else LINEAR_NOTES[name]
    needs = listed(known.needs if known else LINEAR_NEEDS[name])
    error = result.tally.error
    return Standing(
        name="guesses the mean" if name == "guess" else ATTACKERS[name],
        note=f"{note} Needs to know {needs}.{_remark(name, picture, population)}",
        colour=colour(name, picture.settings.scheme),
        dash=DASHES.get(name, "dotted"),
        value=error / top,
        measured=f"{error:.3f}",
        expected=_expected(result),
        agrees=result.agrees,
        cells=(*(() if unit is None else (plain(error * unit),)), share(result.tally.breach_rate)),
        best=best,
    )


def _expected(result: Result) -> str:
    if result.theory is None:
        return "too few rows" if result.informed is not None else "no formula"
    return f"{'about ' if result.approximate else ''}{result.theory:.3f}"


def _remark(name, picture, population) -> str:
    """What would surprise in the figures of a row."""
    if name == "bayes" and (paid := _estimation_cost(picture)):
        return (
            f" Estimating the covariance of {population.columns} attributes from {count(picture.reconstructed)} "
            f"{population.noun} makes {paid:.3f} of what is expected (less where weights below 0 are set to 0)."
        )
    if name == "univariate" and picture.settings.informed:
        return " Knowing mean and covariance only, it takes every attribute for normal."
    return ""


def winners(picture: Picture) -> list[str]:
    """The attackers whose measured error is the least, or as good as; the closest first."""
    errors = {n: round(r.tally.error, 6) for n, r in picture.results.items() if n in ATTACKERS}
    least = min(errors.values(), default=0.0)
    # Sorting keeps the order of equals: rounding does not choose the winner.
    return sorted((name for name in ATTACKERS if errors.get(name, 9e9) <= (1 + TIE) * least), key=errors.get)


def caption(picture: Picture, population) -> str:
    """Who wins, and why."""
    best = winners(picture)
    if not best:
        return "Tick a recipient and an attacker."
    settings = picture.settings
    error = picture.results[best[0]].tally.error
    contest = [n for n in ATTACKERS if n in picture.results]
    first = f"The attacker who <b>{ATTACKERS[best[0]]}</b>"
    others = len(best) - 1
    with_it = f", and {others} other{'s' if others > 1 else ''} with it" if others else ""
    if error < 1e-6:
        return f"{first} knows every value{with_it}: the copies hold, or give away, the data themselves."
    if error > 0.998:
        return f"{first} errs by {error:.3f}: nobody here does better than guessing the mean, there is too much noise."
    if len(contest) == 1:
        return f"{first} errs by <b>{error:.3f}</b>. Tick more attackers, and they are compared here. {_rows(picture)}"
    if len(best) == len(contest):
        return f"All of them err by <b>{error:.3f}</b>: {_equal(contest, settings, population)}. {_rows(picture)}"
    why = _why(best[0], picture, population)
    return f"{first} comes closest (<b>{error:.3f}</b>){with_it}: {why}. {_rows(picture)}"


def _equal(contest, settings, population):
    if set(contest) == {"perfect", "bayes"} and settings.informed:
        return "who knows the covariance and weighs by Bayes' rule is the linear attacker"
    if population.columns == 1:
        return "with one attribute there is no direction to filter"
    if settings.similarity == 1:
        return "noise of the data's own shape leaves nothing to filter out"
    return "at this noise their ways come to the same"


def _why(name, picture, population):
    result, settings = picture.results[name], picture.settings
    paid = _estimation_cost(picture)
    if name in ("principal_components", "spectral_filter") and paid:
        return (
            f"it has few directions to learn, while the Bayes estimate must learn all {population.columns} from "
            f"{count(picture.reconstructed)} {population.noun}, which costs it {paid:.3f}"
        )
    linear = result.informed if name == "univariate" and not settings.informed else 0.0
    if result.tally.error < (1 - TIE) * linear:
        return "the values are not normal, and of all these attackers only this one uses how they are distributed"
    own = settings.similarity == 1 and population.columns > 1
    if own and name in ("perfect", "structured", "univariate", "bayes"):
        return "noise of the data's own shape leaves one thing to do: draw every guess towards the mean, just so far"
    return WHY[name]


def _estimation_cost(picture) -> float:
    """What the Bayes estimate loses by estimating mean and covariance, on average over normal data; 0 if not much."""
    result = picture.results.get("bayes")
    if result is None or result.theory is None or result.informed is None:
        return 0.0
    cost = result.theory - result.informed
    return cost if cost > NOTED * result.theory else 0.0


def _rows(picture) -> str:
    """Said where the attackers had fewer rows than there are."""
    asked = any(name in RECONSTRUCTIONS for name in picture.results)
    if asked and picture.reconstructed < picture.rows:
        return f"Those on one combined copy had its first {count(picture.reconstructed)} rows."
    return ""
