"""What commands, report and page say of risks and rules, in sentences."""

from collections.abc import Iterable, Sequence

from trustscope.release.differential import DELTA, PrivacyLoss, three_digits
from trustscope.release.policy import least_error
from trustscope.release.recipe import Recipe
from trustscope.release.risk import ColumnRisk, Risk
from trustscope.release.types import Group, Rules

BEST_COPY = (
    "All copies lie on one path of noise: whoever pools copies knows as much as from the best of them. So the best "
    "copy of a coalition decides, and a figure stands for every coalition whose best copies are these."
)
LIMITS = (
    "Figures are what the best known guesses achieved on people drawn from the data, not a proof that nobody can do "
    "better: somebody who knows more, such as a neighbour's exact income, does better. Kept columns are not protected "
    "at all. The rows of the sample stand for all rows: among more rows fewer people are found again."
)


def percent(share: float) -> str:
    """A share with the digits that its size asks for."""
    return f"{100 * share:.1f} %" if share < 0.995 or share == 1 else f"{100 * share:.2f} %"


def with_error(share: float, doubt: float | None) -> str:
    """A share and its standard error."""
    return percent(share) + (f" ± {100 * doubt:.1f}" if doubt else "")


def setting(trust: int | None, retention: int | None) -> str:
    """Trust and retention, of thousandths, in words."""
    named = {"trust": trust, "retention": retention}
    return ", ".join(f"{word} {value / 10:g} %" for word, value in named.items() if value) or "no copy"


def attacker(risk: Risk, recipe: Recipe) -> str:
    """Who the strongest attacker is, and on whom figures were measured."""
    keep = recipe.roles.keep
    kept = f"the kept columns {', '.join(keep)} of everybody, " if keep else ""
    some = "all" if risk.rows == risk.population else f"a sample of {risk.rows:,}"
    gaps = f" {risk.note}" if risk.note else ""
    return (
        f"The strongest attacker sees whole rows of the copies and knows {kept}all columns of half of the other people "
        f"({risk.known:,} of them were computed with), and how the copies were made. Measured on {risk.attacked:,} "
        f"people from {some} of the {risk.population:,} rows; ± is one standard error.{gaps}{_insider(recipe.group)}"
    )


def _insider(group: Group | None) -> str:
    """What these figures do not hold against, where members of a household share noise."""
    if not group:
        return ""
    shared = ", ".join(group["shared"])
    return (
        f" It is a stranger to the “{group['column']}” of whom it attacks. A member knows {shared}, and with it"
        " the noise that all members share: of the other columns of the other members it learns more."
    )


def column(one: ColumnRisk) -> str:
    """What the strongest attacker gets of a column, in one line."""
    near = f"guessed to within {one.within:g}" if one.within is not None else "guessed right"
    said = [f"{near}: {with_error(one.hits, one.hits_error)} of the people ({percent(one.without)} without any copy)"]
    if one.error is not None:
        said.append(f"error {with_error(one.error, one.error_error)} of the variance")
    if one.worst is None or one.hundredth is None:
        often = "" if one.shared is None else f", and guessed in {percent(one.shared)} of cases"
        said.append(f"everybody's value is common{often}")
    else:
        said.append(f"most exposed hundredth {percent(one.hundredth)}, most exposed person {percent(one.worst)}")
    return f"{one.name}: {'; '.join(said)}"


def reidentification(risk: Risk) -> str:
    """How well people are found again."""
    return (
        f"found again among {risk.rows:,} rows: {with_error(risk.found, risk.found_error)} of the people "
        f"({percent(risk.found_without)} without any copy); half of them hide among at least {risk.crowd:,.0f} rows, "
        f"nine in ten among {risk.lonely:,.0f}"
    )


def privacy_loss(one: PrivacyLoss) -> str:
    """What two rows are told apart by."""
    if one.mu is None:
        return f"told apart, {one.what}: epsilon {three_digits(one.epsilon)}"
    return (
        f"told apart, {one.what}: mu {three_digits(one.mu)}, rho {three_digits(one.mu**2 / 2)}, epsilon "
        f"{three_digits(one.epsilon)} at delta {DELTA:g}"
    )


def same_bytes(names: Iterable[str]) -> str:
    """That others hold the very copy that is asked for."""
    listed = ", ".join(f"“{name}”" for name in names)
    return f"The copy equals the one that {listed} has: which of them lost it could not be told."


def whose_setting(names: Sequence[str], place: int) -> str:
    """Who has the best copies of a setting, which stands at this place: that of all together is the first."""
    return ", ".join(names) or ("some of them together" if place else "all together")


def rules(policy: Rules) -> list[str]:
    """The rules as sentences; empty where none are set."""
    said = []
    if "floor" in policy:
        said.append(
            f"The strongest attacker's error of no column may fall below {policy['floor']:g} %: of its variance for "
            "numbers, of the people for categories."
        )
    if "worst" in policy:
        said.append(
            f"Nobody's value may be guessed in more than {policy['worst']:g} % of cases, common values left aside "
            "where they are guessed so without any copy."
        )
    for name, (distance, most) in policy.get("hits", {}).items():
        near = "right" if distance is None else f"to within {distance:g}"
        said.append(f"At most {most:g} % of the people may be guessed {near} in {name}.")
    if "mu" in policy:
        said.append(f"Two values one standard deviation apart may be told apart with a mu of at most {policy['mu']:g}.")
    days = policy.get("days")
    usual = [
        text
        for name, text in (
            ("purpose", f"its purpose is “{policy.get('purpose')}”"),
            ("contact", f"its contact is “{policy.get('contact')}”"),
            ("days", f"it may be used for {days} {'day' if days == 1 else 'days'}"),
        )
        if name in policy
    ]
    if usual:
        listed = usual[0] if len(usual) == 1 else f"{', '.join(usual[:-1])} and {usual[-1]}"
        said.append(f"Where nothing else is said of a copy, {listed}.")
    if "order" in policy:
        listed = ", then ".join(f"“{name}”" for name in policy["order"])
        said.append(f"The order of trust is kept: {listed}; nobody may have as much as somebody before them.")
    if "approval" in policy:
        said.append(f"Above {policy['approval']:g} % trust or retention a second person must approve.")
    for limits, who in ((policy.get("ceilings", {}), ""), (policy.get("groups", {}), "The group ")):
        said += [f"{who}“{name}” may have at most {most:g} % trust and retention." for name, most in limits.items()]
    return said


def old_sense(policy: Rules) -> bool:
    """Whether the floor was set when it meant the best linear guess."""
    return "floor" in policy and policy.get("attacker", "linear") == "linear"


def old_floor(policy: Rules, risk: Risk | None = None, linear: float | None = None) -> str:
    """What has to be said of a floor that was set in the old sense, and how it reads now.

    Parameters
    ----------
    policy : dict
    risk : Risk, optional
        Of all that is out.
    linear : float, optional
        The error of the best linear guess with it.
    """
    said = (
        f"The floor of {policy['floor']:g} % was set when it meant the error of the best linear guess. It is now held "
        "against the strongest attacker, who does better"
    )
    if risk is None:
        return f"{said}; set it anew with --floor."
    one, error, doubt = least_error(risk)
    before = "" if linear is None else f", where the linear guess has {percent(linear)}"
    now = f"with what is out the error of {one.name} is {with_error(error, doubt)}{before}"
    return f"{said}: {now}. Set it anew with --floor."
