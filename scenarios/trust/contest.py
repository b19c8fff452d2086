"""The attackers one beside the other: who comes closest, and why."""

from dataclasses import dataclass

from trustscope.scenarios import attackers
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.result import AttackResult, TrustResult
from trustscope.scenarios.trust.scenario import ATTACKERS, RECONSTRUCTIONS, Settings
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import alike, count, in_app, listed, share

TIE = 0.01  # errors that differ by less than this share are called equal
NOTED = 0.03  # shares of the error that are worth a word
# The baseline, which is no attacker.
# 17.2 % here and 41 % in the headline are one figure; whoever reads both must be able to see that.
NORMALISED = (
    "The normalised error is a mean square; its root is what the headline calls the typical error. The bar is the rest "
    "up to 100 %: what the attacker explains."
)
GUESS_NOTE, GUESS_NEEDS = "The baseline: no copy is looked at.", ("the mean of the data",)


def percent(error: float) -> str:
    """An error as a share of a blind guess's, as headlines say it; to a tenth, since it is held against theory."""
    return f"{100 * error:.1f} %"


@dataclass(frozen=True)
class Row:
    """How one attacker did: what it is called, what it needs, its error and its hits.

    `bar` is the share of the variance that it explains: 0 for guessing the average, 1 for knowing everything.
    """

    attacker: str
    name: str
    note: str
    bar: float
    error: str
    expected: str
    agrees: bool | None
    tolerance: float
    mean_square: str | None
    hits: str
    best: bool


def rows(picture: TrustResult, population: Population) -> list[Row]:
    """The attackers of a picture, the average as the last."""
    # Where all attributes have one unit, the mean square error in it means something.
    unit = population.scaled_covariance.trace() / population.columns if population.common_unit else None
    best = winners(picture)
    found = {name: picture.together[name] for name in ATTACKERS if name in picture.together}
    found = {name: result for name, result in found.items() if result.tally.rows}
    if picture.guess:
        found["guess"] = picture.guess
    squares = alike(result.tally.error * unit for result in found.values()) if unit is not None else [None] * len(found)
    return [
        _row(name, result, picture, population, square, name in best)
        for (name, result), square in zip(found.items(), squares, strict=True)
    ]


def _row(
    name: str, result: AttackResult, picture: TrustResult, population: Population, square: str | None, best: bool
) -> Row:
    record = None if name == "guess" else attackers.of(name)
    note, needs = (GUESS_NOTE, GUESS_NEEDS) if record is None else (record.note, record.needs)
    error = result.tally.error
    return Row(
        attacker=name,
        name="guesses the average" if record is None else record.who,
        note=f"{note} Needs to know {listed(needs)}.{_remark(name, picture, population)}",
        bar=min(max(1 - error, 0.0), 1.0),
        error=percent(error),
        expected=_expected(result),
        agrees=result.agrees,
        tolerance=result.tolerance,
        mean_square=square,
        hits=share(result.tally.breach_rate),
        best=best,
    )


def _expected(result: AttackResult) -> str:
    if result.theory is None:
        return "too few rows" if result.informed is not None else "no formula"
    return f"{'about ' if result.approximate else ''}{percent(result.theory)}"


def _remark(name: str, picture: TrustResult, population: Population) -> str:
    """What would surprise in the figures of a row."""
    if name == "bayes" and (paid := _estimation_cost(picture)):
        return (
            f" Estimating the covariance of {population.columns} attributes from {count(picture.reconstructed)} "
            f"{population.noun} makes {percent(paid)} of what is expected (less where weights below 0 are set to 0)."
        )
    if name == "univariate" and picture.settings.informed:
        return " Knowing mean and covariance only, it takes every attribute for normal."
    return ""


def winners(picture: TrustResult) -> list[str]:
    """The attackers whose measured error is the least, or as good as; the closest first."""
    errors = {n: round(r.tally.error, 6) for n, r in picture.together.items() if r.tally.rows}
    least = min(errors.values(), default=0.0)
    # Sorting keeps the order of equals: rounding does not choose the winner.
    return sorted((name for name in ATTACKERS if errors.get(name, 9e9) <= (1 + TIE) * least), key=errors.__getitem__)


def caption(picture: TrustResult, population: Population) -> str:
    """Who wins, and why."""
    best = winners(picture)
    if not best:
        return "Tick a recipient and an attacker."
    settings = picture.settings
    error = picture.together[best[0]].tally.error
    errs = f"<b>{percent(error)}</b>"
    contest = [n for n in ATTACKERS if n in picture.together]
    first = f"The attacker who <b>{ATTACKERS[best[0]]}</b>"
    others = len(best) - 1
    with_it = f", and {others} other{'s' if others > 1 else ''} with it" if others else ""
    if error < 1e-6:
        return f"{first} knows every value{with_it}: the copies hold, or give away, the data themselves."
    if error > 0.998:
        return f"{first} errs by {errs}: nobody here does better than guessing the average, there is too much noise."
    if len(contest) == 1:
        more = in_app("Tick more attackers, and they are compared here.")
        return f"{first} errs by {errs}. {more} {NORMALISED} {_rows(picture)}"
    if len(best) == len(contest):
        return f"All of them err by {errs}: {_equal(contest, settings, population)}. {NORMALISED} {_rows(picture)}"
    why = _why(best[0], picture, population)
    return f"{first} comes closest ({errs}){with_it}: {why}. {NORMALISED} {_rows(picture)}"


def _equal(contest: list[str], settings: Settings, population: Population) -> str:
    if set(contest) == {"perfect", "bayes"} and settings.informed:
        return "who knows the covariance and weighs by Bayes' rule is the linear attacker"
    if population.columns == 1:
        return "with one attribute there is no direction to filter"
    if settings.similarity == 1:
        return "noise of the data's own shape leaves nothing to filter out"
    return "at this noise their ways come to the same"


def _why(name: str, picture: TrustResult, population: Population) -> str:
    result, settings = picture.together[name], picture.settings
    paid = _estimation_cost(picture)
    if name in ("principal_components", "spectral_filter") and paid:
        return (
            f"it has few directions to learn, while the Bayes estimate must learn all {population.columns} from "
            f"{count(picture.reconstructed)} {population.noun}, which costs it {percent(paid)}"
        )
    linear = not_none(result.informed) if name == "univariate" and not settings.informed else 0.0
    if result.tally.error < (1 - TIE) * linear:
        return "the values are not normal, and of all these attackers only this one uses how they are distributed"
    own = settings.similarity == 1 and population.columns > 1
    if own and name in ("perfect", "structured", "univariate", "bayes"):
        return "noise of the data's own shape leaves one thing to do: draw every guess towards the mean, just so far"
    return attackers.of(name).why


def _estimation_cost(picture: TrustResult) -> float:
    """What the Bayes estimate loses by estimating mean and covariance, on average over normal data; 0 if not much."""
    result = picture.together.get("bayes")
    if result is None or result.theory is None or result.informed is None:
        return 0.0
    cost = result.theory - result.informed
    return cost if cost > NOTED * result.theory else 0.0


def _rows(picture: TrustResult) -> str:
    """Said where the attackers had fewer rows than there are."""
    asked = any(name in RECONSTRUCTIONS for name in picture.together)
    if asked and picture.reconstructed < picture.rows:
        return f"Those on one combined copy had its first {count(picture.reconstructed)} rows."
    return ""
