"""The rules that a steward sets for herself, and their answer to a request.

A policy is a plain dictionary; every entry may be absent:

=============  =====================================================================================================
floor          no coalition's error below this, in per cent: of the variance for numbers, of the records for categories
ceilings       most trust and retention, in per cent, by recipient
groups         the same by group of recipients
approval       above this trust or retention, in per cent, a second person must approve
=============  =====================================================================================================

Names are compared without regard to capitals and spaces, so that no spelling gets around a rule; and whoever was once
given a copy as one of a group stays in it.
"""

from dataclasses import dataclass

from trustscope.release.coalitions import one
from trustscope.release.problems import Problem
from trustscope.release.record import bare

FIELDS = {"floor", "ceilings", "groups", "approval"}


@dataclass(frozen=True)
class Answer:
    """What the policy says to a request.

    Attributes
    ----------
    refusals : tuple of str
        Why not, with figures; empty if the copy may be made.
    notes : tuple of str
        What the steward should know.
    held : int or None
        Number of the copy that the recipient already has, if it is this one.
    """

    refusals: tuple = ()
    notes: tuple = ()
    held: int | None = None

    @property
    def allowed(self):
        """Whether the copy may be made."""
        return not self.refusals


def checked(policy):
    """A policy as plain values, or what is wrong with it."""
    if not isinstance(policy, dict) or (strange := set(policy) - FIELDS):
        what = f"has no entry “{min(strange)}”" if isinstance(policy, dict) else "is a dictionary"
        raise Problem(f"A policy {what}; its entries are {', '.join(sorted(FIELDS))}.")
    out = {}
    for name in ("floor", "approval"):
        if policy.get(name) is not None:
            out[name] = _percent(name, policy[name])
    for name in ("ceilings", "groups"):
        if policy.get(name):
            out[name] = {str(who): _percent(f"{name}, {who}", value) for who, value in dict(policy[name]).items()}
    return out


def _percent(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise Problem(f"In a policy, {name} must be a number of per cent, not {value!r}.") from None
    if not 0 <= number <= 100:
        raise Problem(f"In a policy, {name} must lie between 0 and 100 per cent, not {number:g}.")
    return number


def answer(recipe, record, to, setting, *, by, group=""):
    """The policy's answer to a request.

    Parameters
    ----------
    recipe : Recipe
    record : Record
    to : str
    setting : (int or None, int or None)
        Trust and retention in thousandths.
    by, group : str
        Who asks, and the recipient's group.
    """
    policy = record.policy
    refusals = [*_floor(policy, recipe, record, to, setting), *_ceilings(policy, record, to, group, setting)]
    refusals += _approval(policy, record, to, setting, by)
    held = record.held(to, *setting)
    notes = (*_notes(record, to, setting, held), *_unknown_group(policy, group))
    return Answer(tuple(refusals), notes, held.number if held else None)


def _floor(policy, recipe, record, to, setting):
    if "floor" not in policy:
        return
    settings = [copy.setting for copies in record.holders().values() for copy in copies]
    everyone = one(recipe, (*record.holders(), to), [*settings, setting])
    for error, word in ((everyone.error, "of the variance"), (everyone.wrong, "of the records")):
        if error is not None and 100 * error < policy["floor"] - 1e-9:
            yield (
                f"With this copy a coalition's error would be {100 * error:.1f} % {word}, below the floor of "
                f"{policy['floor']:g} %."
            )


def _ceilings(policy, record, to, group, setting):
    groups = {bare(group)} | {bare(copy.group) for copy in record.copies if copy.to == to}
    for kind, names in (("ceilings", {bare(to)}), ("groups", groups)):
        for who, most in policy.get(kind, {}).items():
            for value, word in zip(setting, ("trust", "retention"), strict=True):
                if bare(who) in names and value and value > 10 * most + 1e-9:
                    yield f"The {word} of {value / 10:g} % is above the {most:g} % that “{who}” may have."


def _unknown_group(policy, group):
    known = policy.get("groups", {})
    if known and group.strip() and bare(group) not in {bare(name) for name in known}:
        yield f"No rule is set for the group “{group}”; there are rules for {', '.join(f'“{name}”' for name in known)}."


def _approval(policy, record, to, setting, by):
    above = policy.get("approval")
    if above is None or max(value or 0 for value in setting) <= 10 * above:
        return
    for given in record.approvals:
        if (given["to"], given["trust"], given["retention"]) == (to, *setting) and bare(given["by"]) != bare(by):
            return
    yield f"A copy above {above:g} % needs the approval of somebody other than “{by}”; let them approve it first."


def _notes(record, to, setting, held):
    mine = record.holders().get(to, [])
    if held:
        yield f"“{to}” already holds this copy since {held.time[:10]}: the same bytes are issued again."
    elif mine and all(
        value is None or any((copy.setting[place] or 0) >= value for copy in mine)
        for place, value in enumerate(setting)
    ):
        yield f"“{to}” already holds a copy that tells at least as much: this one adds nothing for them."
    same = [who for who, copies in record.holders().items() if who != to and any(c.setting == setting for c in copies)]
    if same:
        names = ", ".join(f"“{who}”" for who in same)
        yield f"The copy equals the one that {names} has: which of them lost it could not be told."
