"""The attackers one beside the other: who comes closest, and why."""

import panel as pn

from app.trust import help as texts
from app.trust.picture import Picture, Result
from app.trust.settings import ATTACKERS, RECONSTRUCTIONS
from app.words import count, listed, plain, share
from engine.attacks import reconstruction
from widgets import colours
from widgets.card import Card
from widgets.standings import Standing, Standings

TIE = 0.002  # errors closer than this are called equal
DASHES = {
    "perfect": "dashed", "structured": "dotdash", "raw": "dotted", "noise_distribution": "dotted",
    "univariate": "dotdash", "principal_components": "dashed", "spectral_filter": "dotted", "bayes": "solid",
}  # fmt: skip
LINEAR_NOTES = {
    "perfect": "Linear, on all copies at once (LLSE). Assumes nothing about the distributions.",
    "structured": "The same, with a mean learned from a sample.",
    "raw": "The same, with all moments of all copies learned from a sample.",
    "guess": "The baseline: no copy is looked at.",
}
LINEAR_NEEDS = {
    "perfect": ("the covariance of the noise", "the mean and covariance of the data"),
    "structured": ("the covariance of the noise", "the covariance of the data"),
    "raw": ("the levels of the noise",),
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
    "bayes": "it trusts every direction as far as the noise there allows, where the others keep or drop it whole",
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
        top = max((picture.results[n].tally.error for n in names if n != "guess"), default=1.0)
        mean_square = () if unit is None else ("mean square error",)
        self.table.show(
            ("an attacker who", "error", "expected", *mean_square, "breaches"),
            [_standing(n, picture, unit, top or 1.0, n in best) for n in names],
        )
        self._card.say(caption(picture, population))

    def __panel__(self):
        return self._card.__panel__()


def _standing(name, picture, unit, top, best) -> Standing:
    result = picture.results[name]
    known = reconstruction.ATTACKERS.get(name)
    note = f"{known.name}. Assumes: {known.assumes[0].lower()}{known.assumes[1:]}" if known else LINEAR_NOTES[name]
    needs = listed(known.needs if known else LINEAR_NEEDS[name])
    error = result.tally.error
    return Standing(
        name="guesses the mean" if name == "guess" else ATTACKERS[name],
        note=f"{note} Needs to know {needs}.",
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
        return "no formula"
    return f"{'about ' if result.approximate else ''}{result.theory:.3f}"


def winners(picture: Picture) -> list[str]:
    """The attackers whose measured error is the least, or as good as; the closest first."""
    errors = {n: r.tally.error for n, r in picture.results.items() if n in ATTACKERS}
    least = min(errors.values(), default=0.0)
    return sorted((name for name, error in errors.items() if error <= least + TIE), key=errors.get)


def caption(picture: Picture, population) -> str:
    """Who wins, and why."""
    best = winners(picture)
    if not best:
        return "Tick a recipient and an attacker."
    settings = picture.settings
    error = picture.results[best[0]].tally.error
    contest = [n for n in ATTACKERS if n in picture.results]
    first = f"The attacker who <b>{ATTACKERS[best[0]]}</b>"
    if error > 1 - TIE:
        return f"{first} errs by {error:.3f}: nobody here does better than guessing the mean, there is too much noise."
    if len(contest) == 1:
        return f"{first} errs by <b>{error:.3f}</b>. Tick more attackers, and they are compared here. {_rows(picture)}"
    if len(best) == len(contest):
        return f"All of them err by <b>{error:.3f}</b>: {_equal(settings, population)}. {_rows(picture)}"
    others = len(best) - 1
    with_it = f", and {others} other{'s' if others > 1 else ''} with it" if others else ""
    text = f"{first} comes closest (<b>{error:.3f}</b>){with_it}: {_why(best, picture, population)}."
    return f"{text} {_rows(picture)}"


def _equal(settings, population):
    if population.columns == 1:
        return "with one attribute there is no direction to filter"
    if settings.similarity == 1:
        return "noise of the data's own shape leaves nothing to filter out"
    return "at this noise their ways come to the same"


def _why(best, picture, population):
    name = best[0]
    results, settings = picture.results, picture.settings
    paid = _estimation_cost(picture, population)
    if name in ("principal_components", "spectral_filter") and "bayes" in results and paid > TIE:
        return (
            f"it has few directions to learn, while the Bayes estimate must learn all {population.columns} from "
            f"{count(picture.reconstructed)} {population.noun}, which costs it {paid:.3f}"
        )
    if name in ("perfect", "structured", "univariate", "bayes") and settings.similarity == 1 and population.columns > 1:
        return (
            "the noise has the data's own shape, so all that helps is to draw every guess towards the mean, just so far"
        )
    return WHY[name]


def _estimation_cost(picture, population) -> float:
    """What the Bayes estimate loses by estimating mean and covariance, on average over normal data."""
    rows = picture.reconstructed
    if picture.settings.informed or "bayes" not in picture.results or rows <= population.columns + 2:
        return 0.0
    theory = picture.results["bayes"].theory
    known = picture.results["bayes"].known
    return 0.0 if theory is None or known is None else max(theory - known, 0.0)


def _rows(picture) -> str:
    """Said where the attackers had fewer rows than there are."""
    asked = any(name in RECONSTRUCTIONS for name in picture.results)
    if asked and picture.reconstructed < picture.rows:
        return f"Those on one combined copy had its first {count(picture.reconstructed)} rows."
    return ""
