"""What the Release page shows of a ledger: what is out, what one more copy would change, and what the rules say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trustscope import colours
from trustscope.scenarios.release.ledger import Coalition, Copy, Event, Risk
from trustscope.scenarios.release.scenario import ReleaseScenario

DRAWN = 12  # holders that a picture of coalitions has room for


@dataclass(frozen=True)
class Holder:
    """A recipient with a copy, or, where `trust` and `retention` are None, one who would get the first.

    `trust` and `retention` are the best that they hold, in per cent.
    """

    name: str
    colour: str
    trust: float | None = None
    retention: float | None = None

    @property
    def initial(self) -> str:
        """One letter for small places."""
        return self.name[:1].upper()[:1]


@dataclass(frozen=True)
class Considered:
    """What a request would change, and the answer of the rules.

    Attributes
    ----------
    to : str
    trust, retention : float or None
        In per cent.
    coalitions : tuple
        As they would be, see `trustscope.release.coalitions`.
    refusals, notes : tuple of str
    held : int or None
        Number of the copy that the recipient already has, if it is this one.
    problem : str
        What is wrong with the request itself; then there is nothing else.
    risk : trustscope.release.risk.Risk or None
        What the strongest attacker would get, where it has been measured.
    """

    to: str
    trust: float | None = None
    retention: float | None = None
    coalitions: tuple[Coalition, ...] = ()
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    held: int | None = None
    problem: str = ""
    risk: Risk | None = None

    @property
    def sound(self) -> bool:
        """Whether it is a request that the rules can answer."""
        return not self.problem

    @property
    def allowed(self) -> bool:
        """Whether the copy may be made."""
        return self.sound and not self.refusals


@dataclass(frozen=True)
class ReleaseResult:
    """A ledger at one moment, beside the request that is considered.

    `copies`, `coalitions`, `events` and `risk` are those of `trustscope.release`; the last coalition is everybody.
    `rules` are the policy in sentences; `known` the columns that are kept as they are;
    `singled_out` says whom these single out; `noticed` are columns of numbers, what they have that noise does not hide,
    and what would help.
    """

    scenario: ReleaseScenario
    title: str
    rehearsal: bool
    rows: int
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    size: int
    copies: tuple[Copy, ...]
    coalitions: tuple[Coalition, ...]
    events: tuple[Event, ...]
    head: str
    policy: Mapping[str, Any] = field(default_factory=dict)
    withdrawn: str | None = None
    store: str = "memory"
    considered: Considered | None = None
    risk: Risk | None = None
    rules: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    singled_out: tuple[str, ...] = ()
    noticed: tuple[tuple[str, str, str], ...] = ()

    @property
    def asked(self) -> Considered | None:
        """The request, if there is one that makes sense."""
        return self.considered if self.considered is not None and self.considered.sound else None

    @property
    def measures(self) -> tuple[str, ...]:
        """What can be known: of numbers, of categories."""
        return (*(("numbers",) if self.numbers else ()), *(("categories",) if self.categories else ()))

    @property
    def first_issued(self) -> tuple[Copy, ...]:
        """The copies without those that were issued again."""
        return tuple(copy for copy in self.copies if copy.reissue is None)

    def holders(self) -> tuple[Holder, ...]:
        """Who holds copies, in the order of first issue; whoever is considered and holds none comes last."""
        best: dict[str, list[float | None]] = {}
        for copy in self.first_issued:
            trust, retention = best.setdefault(copy.to, [None, None])
            best[copy.to] = [_more(trust, copy.trust), _more(retention, copy.retention)]
        if self.asked is not None:
            best.setdefault(self.asked.to, [None, None])
        return tuple(Holder(name, colours.recipient(i), *found) for i, (name, found) in enumerate(best.items()))

    def best(self, coalitions: Sequence[Coalition], members: Iterable[str], measure: str) -> float:
        """The best copy that some recipients have together: its trust or its retention, as a share."""
        held = {name for one in coalitions for name in one.members}
        wanted = set(members) & held
        found = [one for one in coalitions if set(one.members) <= wanted]
        what = "trust" if measure == "numbers" else "retention"
        return max([0.0, *((getattr(one, what) or 0) / 1000 for one in found)])

    def everybody(self, measure: str) -> tuple[float, float | None]:
        """The best copy that all holders have together, and with the copy that is considered."""
        names = [one.name for one in self.holders()]
        now = self.best(self.coalitions, names, measure)
        return now, None if self.asked is None else self.best(self.asked.coalitions, names, measure)

    def pooled(self) -> tuple[tuple[Holder, ...], list[int]]:
        """The holders that are drawn, and the coalitions as bit masks over them.

        Copies are nested, so that of many holders the best ones tell all: the others add nothing to them.
        """
        measure, who = self.scenario.view.measure, self.holders()
        listed = self.coalitions if self.asked is None else self.asked.coalitions
        if len(who) > DRAWN:
            what = "trust" if measure == "numbers" else "retention"
            asked = None if self.asked is None else self.asked.to
            ranked = sorted(who, key=lambda one: (one.name != asked, -(getattr(one, what) or 0)))[:DRAWN]
            who = tuple(one for one in who if one in ranked)
        place = {one.name: i for i, one in enumerate(who)}
        masks = [sum(1 << place[name] for name in one.members if name in place) for one in listed]
        # Everybody together comes first: that row must be in sight however many there are.
        return who, [mask for mask in dict.fromkeys([*masks[-1:], *masks]) if mask]


def _more(one: float | None, thousandths: int | None) -> float | None:
    """The greater of a per cent and a number of thousandths, where there is either."""
    found = [value for value in (one, None if thousandths is None else thousandths / 10) if value is not None]
    return max(found, default=None)
