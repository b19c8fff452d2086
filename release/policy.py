"""The rules that a steward sets for herself, and their answer to a request.

A policy is a plain dictionary; every entry may be absent:

=============  =====================================================================================================
floor          the strongest attacker's error of no column below this, in per cent: of the variance for numbers, of the
               people whose category is guessed wrong for categories
attacker       whom the floor is set against: "strongest", or "linear" for one that was set when it meant the best
               linear guess; it is judged by the strongest attacker too, and says so
worst          nobody's value guessed more often than this, in per cent; of those whose value is common the average
               counts, unless they are guessed more often than that without any copy
hits           by column, [distance, per cent]: no more people guessed to within a distance (None: the right category)
mu             no two values one standard deviation apart told apart by more than this mu
ceilings       most trust and retention, in per cent, by recipient
groups         the same by group of recipients
purpose        of a copy for which none is given
contact        whom to ask about a copy for which nobody is named
days           after which a copy expires for which no day is given
order          recipients, the most trusted first: nobody may have as much as somebody before them
approval       above this trust or retention, in per cent, a second person must approve
=============  =====================================================================================================

Measured figures are held to a rule with two standard errors on the attacker's side. Names are compared without regard
to capitals and spaces, so that no spelling gets around a rule; and whoever was once given a copy as one of a group
stays in it.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from trustscope.release.coalitions import best_setting
from trustscope.release.differential import privacy_losses
from trustscope.release.limits import unsayable_dates
from trustscope.release.problems import Problem
from trustscope.release.recipe import Recipe
from trustscope.release.record import Copy, Record, Variant, bare
from trustscope.release.risk import ColumnRisk, Risk, Risks
from trustscope.release.types import Rules, Setting

FIELDS = {
    "floor", "attacker", "worst", "hits", "mu", "ceilings", "groups", "approval", "purpose", "contact", "days",
    "order",
}  # fmt: skip
UNMEASURED = (
    "What the strongest attacker would get has not been measured yet: the rules on it are answered when it is, at the "
    "latest before the copy is made."
)
ERRORS = 2  # standard errors on the attacker's side


@dataclass(frozen=True)
class Decision:
    """The policy's decision on a request.

    Attributes
    ----------
    refusals : tuple of str
        Why not, with figures; empty if the copy may be made.
    notes : tuple of str
        What the steward should know.
    held : int or None
        Number of the copy that the recipient already has, if it is this one.
    same : tuple of str
        Others who hold these very bytes: which of them lost a copy could not be told.
    """

    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    held: int | None = None
    same: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether the copy may be made."""
        return not self.refusals


def check_rules(policy: Any, recipe: Recipe | None = None) -> Rules:
    """A policy as plain values, or what is wrong with it; with a recipe, columns must be there."""
    if not isinstance(policy, dict) or (strange := set(policy) - FIELDS):
        what = f"has no entry “{min(strange)}”" if isinstance(policy, dict) else "is a dictionary"
        raise Problem(f"A policy {what}; its entries are {', '.join(sorted(FIELDS))}.")
    out: dict[str, Any] = {}
    for name in ("floor", "approval", "worst"):
        if policy.get(name) is not None:
            out[name] = _percent(name, policy[name])
    if "floor" in out:
        out["attacker"] = policy.get("attacker", "strongest")
        if out["attacker"] not in ("strongest", "linear"):
            raise Problem(f"A floor is set against the attacker “strongest”, not {policy['attacker']!r}.")
    for name in ("purpose", "contact"):
        if policy.get(name):
            out[name] = " ".join(str(policy[name]).split())
    if policy.get("days") is not None:
        out["days"] = math.ceil(_positive("the number of days", policy["days"]))
    if policy.get("order"):
        out["order"] = _order(policy["order"])
    if policy.get("mu") is not None:
        out["mu"] = _positive("mu", policy["mu"])
    if policy.get("hits"):
        out["hits"] = {str(column): _hits(str(column), value, recipe) for column, value in dict(policy["hits"]).items()}
    for name in ("ceilings", "groups"):
        if policy.get(name):
            out[name] = {str(who): _percent(f"{name}, {who}", value) for who, value in dict(policy[name]).items()}
    return cast(Rules, out)


def _percent(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise Problem(f"In a policy, {name} must be a number of per cent, not {value!r}.") from None
    if not 0 <= number <= 100:
        raise Problem(f"In a policy, {name} must lie between 0 and 100 per cent, not {number:g}.")
    return number


def _order(given: Any) -> list[str]:
    names = [" ".join(str(name).split()) for name in ([given] if isinstance(given, str) else given)]
    if len({bare(name) for name in names}) < len(names) or len(names) < 2 or not all(names):
        raise Problem("An order names at least two different recipients, the most trusted first.")
    return names


def _positive(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise Problem(f"In a policy, {name} must be a number above 0, not {value!r}.")
    return number


def _hits(column: str, value: Any, recipe: Recipe | None) -> tuple[float | None, float]:
    """A limit on hits as [distance or None, per cent]; typed as “1000:30”, or “30” for categories."""
    if isinstance(value, str):
        distance, _, share = value.rpartition(":")
        value = (distance or None, share)
    elif isinstance(value, int | float):
        value = (None, value)
    try:
        distance, share = value
    except (TypeError, ValueError):
        raise Problem(f"A limit on hits of “{column}” is a distance and a share in per cent, not {value!r}.") from None
    if recipe is not None:
        roles = recipe.roles
        if column not in (*roles.numbers, *roles.categories):
            raise Problem(f"A limit on hits is set for “{column}”, which is no column that is perturbed.")
        if column in roles.numbers and distance is None:
            raise Problem(f"A limit on hits of the number “{column}” needs a distance: {column}=DISTANCE:SHARE.")
        if column in roles.categories and distance is not None:
            raise Problem(f"“{column}” is a category: a guess is right or not, without a distance: {column}=SHARE.")
    kept = None if distance is None else _positive(f"the distance of hits, {column}", distance)
    return kept, _percent(f"hits, {column}", share)


def needs_risk(policy: Rules) -> bool:
    """Whether its rules look at what the strongest attacker gets."""
    return bool(policy.get("floor") or policy.get("hits") or policy.get("worst") is not None)


def decide(
    recipe: Recipe,
    record: Record,
    to: str,
    setting: Setting,
    *,
    by: str,
    group: str = "",
    fingerprint: str = "",
    risks: Risks | None = None,
    order: Sequence[str] = (),
) -> Decision:
    """The policy's decision on a request.

    Parameters
    ----------
    recipe : Recipe
    record : Record
    to : str
    setting : (int or None, int or None)
        Trust and retention in thousandths.
    by, group : str
        Who asks, and the recipient's group.
    fingerprint : str
        Whose fingerprint the copy is to carry.
    risks : Risks, optional
        To measure by, where `needs_risk`; without it those rules are answered only as far as nothing is measured.
    order : sequence of str
        An order of trust that is to be kept beside that of the policy.
    """
    policy = record.policy
    out = [copy.setting for copies in record.holders().values() for copy in copies]
    everyone = best_setting([*out, setting])
    which = "Even without this copy" if best_setting(out) == everyone else "With this copy"
    refusals = [*_ceilings(policy, record, to, group, setting), *_approval(policy, record, to, setting, by)]
    orders = [policy.get("order", ()), order]
    refusals += dict.fromkeys(one for names in orders for one in _out_of_order(names, record, to, setting))
    refusals += _above_mu(policy, recipe, everyone, which)
    linear = list(_linear(policy, everyone, which))
    refusals += linear
    unmeasured = needs_risk(policy) and not linear and risks is None
    if needs_risk(policy) and not linear and risks is not None:
        refusals += broken_risk_rules(policy, risks, everyone, which)
        for fewer in decided_settings(policy, out, setting)[1:]:
            refusals += [one for one in _worst(policy, risks.at(fewer), _by_fewer(fewer)) if one not in refusals]
    held = record.held_copy(to, *setting, fingerprint)
    notes = (*_notes(record, to, Variant(*setting, fingerprint), held), *_unknown_group(policy, group))
    notes += (UNMEASURED,) if unmeasured else ()
    notes += tuple(recipe.expected(unsayable_dates, setting[0], record.data["rows"]))
    same = tuple(_same(record, to, Variant(*setting, fingerprint)))
    return Decision(tuple(refusals), notes, held.number if held else None, () if held else same)


def decided_settings(policy: Rules, out: Sequence[Setting], setting: Setting) -> list[Setting]:
    """The settings by which a copy at `setting` is decided beside those that are out: that of all together first.

    Averages are worst where all pool. The most exposed person need not be: a better copy may tell that somebody else is
    likelier. So a limit on anybody is held for every coalition that the new copy makes.
    """
    fewer = [best_setting([setting, one]) for one in (setting, *out)] if policy.get("worst") is not None else []
    return list(dict.fromkeys([best_setting([*out, setting]), *fewer]))


def broken_rules(policy: Rules, recipe: Recipe, risks: Risks, setting: Setting, fewer: Sequence[Setting]) -> list[str]:
    """All rules that copies with this best setting break, or for anybody those of fewer holders with these settings."""
    found = list(_above_mu(policy, recipe, setting, "With what is out"))
    if needs_risk(policy):
        found += broken_risk_rules(policy, risks, setting, "With what is out")
        for one in fewer if policy.get("worst") is not None else ():
            found += _worst(policy, risks.at(one), _by_fewer(one))
    return found


def _by_fewer(setting: Setting) -> str:
    """With what figures are of who does not hold all copies."""
    parts = zip(("trust", "retention"), setting, strict=True)
    return f"With no more than {' and '.join(f'{what} {value / 10:g} %' for what, value in parts if value)}"


def broken_risk_rules(policy: Rules, risks: Risks, setting: Setting, which: str = "With these copies") -> list[str]:
    """The rules on the strongest attacker that copies with this best setting break, as sentences with figures.

    `which` begins a sentence: with what these figures are.
    """
    risk = risks.at(setting)
    return [
        *_floor(policy, risk, which), *_worst(policy, risk, which), *_most_hits(policy, risks, setting, which),
    ]  # fmt: skip


def _linear(policy: Rules, setting: Setting, which: str) -> Iterator[str]:
    """What the best linear guess alone breaks: the strongest attacker, who can make it too, need not be measured."""
    trust = setting[0]
    if policy.get("floor") and trust and 100 - trust / 10 < policy["floor"] - 1e-9:
        yield (
            f"{which} the error of a number would be at most {100 - trust / 10:.1f} % of the variance, that of the "
            f"best linear guess, below the floor of {policy['floor']:g} %; the strongest attacker has less."
        )


def least_error(risk: Risk) -> tuple[ColumnRisk, float, float]:
    """The column that the strongest attacker knows best, its error as a share, and the standard error of that."""
    return min(((one, *_error(one)) for one in risk.columns), key=lambda found: found[1] - ERRORS * found[2])


def _error(one: ColumnRisk) -> tuple[float, float]:
    """Of numbers the mean square error over the variance, of categories the share of wrong guesses."""
    return (1 - one.hits, one.hits_error) if one.error is None else (one.error, one.error_error or 0.0)


def _floor(policy: Rules, risk: Risk, which: str) -> Iterator[str]:
    if not policy.get("floor"):
        return
    for one in risk.columns:
        error, doubt = _error(one)
        if 100 * (error - ERRORS * doubt) < policy["floor"] - 1e-9:
            what = "of its variance" if one.within is not None else "of the people"
            bare_guess = f" ({100 * (1 - one.without):.1f} % without any copy)" if one.within is None else ""
            yield (
                f"{which} the strongest attacker's error of {one.name} would be {_figure(error, doubt)} {what}"
                f"{bare_guess}, below the floor of {policy['floor']:g} %."
            )


def _worst(policy: Rules, risk: Risk, which: str) -> Iterator[str]:
    if policy.get("worst") is None:
        return
    for one in risk.columns:
        if one.worst is not None and 100 * one.worst > policy["worst"] + 1e-9:
            yield (
                f"{which} the strongest attacker would guess {one.name} of the most exposed person in "
                f"{100 * one.worst:.0f} % of cases, above the {policy['worst']:g} % that are allowed for anybody."
            )
        # Common values are left aside where they are guessed more often than that without any copy.
        counts = one.worst is None or (one.unaided is not None and 100 * one.unaided <= policy["worst"])
        if counts and one.shared is not None and 100 * one.shared > policy["worst"] + 1e-9:
            yield (
                f"{which} the strongest attacker would guess {one.name} of those whose value is common in "
                f"{100 * one.shared:.0f} % of cases on average, above the {policy['worst']:g} % that are allowed for "
                "anybody."
            )


def _most_hits(policy: Rules, risks: Risks, setting: Setting, which: str) -> Iterator[str]:
    for name, (distance, most) in policy.get("hits", {}).items():
        hits, doubt = risks.hits(setting, name, distance)
        if 100 * (hits + ERRORS * doubt) > most + 1e-9:
            near = "" if distance is None else f" to within {distance:g}"
            yield (
                f"{which} the strongest attacker would guess {name}{near} of {_figure(hits, doubt)} of the "
                f"people, above the {most:g} % that are allowed."
            )


def _figure(share: float, doubt: float) -> str:
    return f"{100 * share:.1f} %" + (f" ± {100 * doubt:.1f}" if doubt else "")


def _above_mu(policy: Rules, recipe: Recipe, setting: Setting, which: str) -> Iterator[str]:
    if policy.get("mu") is None:
        return
    for one in privacy_losses(recipe, setting):
        if one.mu is not None and one.mu > policy["mu"] * (1 + 1e-9):
            yield f"{which} mu would be {one.mu:.3g} for {one.what}, above the {policy['mu']:g} that is allowed."


def _ceilings(policy: Rules, record: Record, to: str, group: str, setting: Setting) -> Iterator[str]:
    groups = {bare(group)} | {bare(copy.group) for copy in record.copies if copy.to == to}
    for limits, names in ((policy.get("ceilings", {}), {bare(to)}), (policy.get("groups", {}), groups)):
        for who, most in limits.items():
            for value, word in zip(setting, ("trust", "retention"), strict=True):
                if bare(who) in names and value and value > 10 * most + 1e-9:
                    yield f"The {word} of {value / 10:g} % is above the {most:g} % that “{who}” may have."


def _out_of_order(names: Iterable[str], record: Record, to: str, setting: Setting) -> Iterator[str]:
    """Copies must keep the order that is set: more trusted people have more, never the same."""
    order = [bare(name) for name in names]
    if bare(to) not in order:
        return
    mine = order.index(bare(to))
    wanted = best_setting([*(copy.setting for copy in record.holders().get(to, [])), setting])
    for who, copies in record.holders().items():
        if bare(who) not in order or bare(who) == bare(to):
            continue
        theirs, above = best_setting([copy.setting for copy in copies]), order.index(bare(who)) < mine
        for value, other, word in zip(wanted, theirs, ("trust", "retention"), strict=True):
            if value and other and (value >= other if above else value <= other):
                rank, least = ("more", "less") if above else ("less", "more")
                yield (
                    f"“{who}” is to be trusted {rank} than “{to}”, and holds {word} {other / 10:g} %: with {word} "
                    f"{value / 10:g} % the order would not be kept; give {least} than that."
                )


def _same(record: Record, to: str, variant: Variant) -> Iterator[str]:
    """Others who hold a copy with the same bytes."""
    for who, copies in record.holders().items():
        if who != to and any(copy.variant == variant for copy in copies):
            yield who


def _unknown_group(policy: Rules, group: str) -> Iterator[str]:
    known = policy.get("groups", {})
    if known and group.strip() and bare(group) not in {bare(name) for name in known}:
        yield f"No rule is set for the group “{group}”; there are rules for {', '.join(f'“{name}”' for name in known)}."


def _approval(policy: Rules, record: Record, to: str, setting: Setting, by: str) -> Iterator[str]:
    above = policy.get("approval")
    if above is None or max(value or 0 for value in setting) <= 10 * above:
        return
    for given in record.approvals:
        if (given["to"], given["trust"], given["retention"]) == (to, *setting) and bare(given["by"]) != bare(by):
            return
    yield f"A copy above {above:g} % needs the approval of somebody other than “{by}”; let them approve it first."


def _notes(record: Record, to: str, variant: Variant, held: Copy | None) -> Iterator[str]:
    mine = record.holders().get(to, [])
    if held:
        yield f"“{to}” already holds this copy since {held.time[:10]}: the same bytes are issued again."
    elif mine and all(
        value is None or any((copy.setting[place] or 0) >= value for copy in mine)
        for place, value in enumerate(variant[:2])
    ):
        yield f"“{to}” already holds a copy that tells at least as much: this one adds nothing for them."
    same = list(_same(record, to, variant))
    if same:
        names = ", ".join(f"“{who}”" for who in same)
        yield f"The copy equals the one that {names} has: which of them lost it could not be told."
