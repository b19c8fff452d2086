"""Scenarios of every page, drawn from the fields themselves: a new field is drawn too, without a word here."""

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from hypothesis import strategies as some
from pydantic.fields import FieldInfo

from trustscope.scenarios import pages
from trustscope.scenarios.categories.scenario import Promise
from trustscope.scenarios.coalition import NAMES, Recipient
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import View as PapersView
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.survey.scenario import Part
from trustscope.scenarios.trust.scenario import ATTACKERS, MEASURES, SCHEMES
from trustscope.scenarios.trust.scenario import Settings as TrustSettings
from trustscope.scenarios.value import Value

FEW = 6  # entries of a list, where its bounds allow more
TEXT = 30  # characters of a text, where its bounds allow more
NAME = some.sampled_from(NAMES) | some.text(min_size=1, max_size=24)
TRUST, MEMBER = some.integers(1, 100), some.booleans()


@some.composite
def recipients(draw, fewest: int = 1, most: int = 12):
    """Recipients with names and numbers of their own."""
    names = draw(some.lists(NAME, min_size=fewest, max_size=most, unique=True))
    numbers = draw(some.permutations(range(12)))
    return tuple(
        Recipient(number=number, name=name, trust=draw(TRUST), member=draw(MEMBER))
        for number, name in zip(numbers, names, strict=False)
    )


@some.composite
def promises(draw):
    """A promise whose two beliefs rise."""
    rho1, rho2 = sorted(draw(some.lists(some.integers(2, 98), min_size=2, max_size=2, unique=True)))
    return Promise(rho1=rho1, rho2=rho2, delta=draw(some.integers(1, 99)))


@some.composite
def parts(draw):
    """Kinds of respondents, one of which at least answers."""
    names = draw(some.lists(some.text(min_size=1, max_size=40), min_size=1, max_size=6, unique=True))
    weights = [draw(some.integers(0, 100)) for _ in names]
    weights[0] = weights[0] or 1
    levels = some.none() | some.integers(0, 1000)
    return tuple(Part(name=n, weight=w, level=draw(levels)) for n, w in zip(names, weights, strict=True))


# Fields whose values depend on one another, or that must be found somewhere.
SPECIAL = {
    (Promise, None): promises(),
    (PapersView, "opened"): some.just("") | some.sampled_from(list(EXPERIMENTS)),
    (TrustSettings, "attackers"): some.lists(some.sampled_from(list(ATTACKERS)), min_size=1, max_size=FEW).map(tuple),
    (TrustSettings, "scheme"): some.sampled_from(list(SCHEMES)),
    (TrustRequirement, "attacker"): some.sampled_from(list(MEASURES)),
    (OwnFile, "digest"): some.text("0123456789abcdef", min_size=64, max_size=64),
}
LEDGERS = ("", "people", "a ledger", "survey 2027", "Umfrage ä")
NAMED = {"recipients": recipients(), "parts": parts(), "ledger": some.sampled_from(LEDGERS)}


def values(kind: type[Value], **given) -> some.SearchStrategy:
    """Values of this kind; `given` fields are drawn so, all others as their bounds allow."""
    if (kind, None) in SPECIAL:
        return SPECIAL[kind, None]
    drawn = {
        name: given[name] if name in given else _field(kind, name, field) for name, field in kind.model_fields.items()
    }
    return some.builds(kind, **drawn)


def _field(kind, name: str, field: FieldInfo) -> some.SearchStrategy:
    if (kind, name) in SPECIAL:
        return SPECIAL[kind, name]
    return NAMED[name] if name in NAMED else _of(field.annotation, field.metadata)


def _of(annotation: Any, bounds=()) -> some.SearchStrategy:
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        flat = [one for part in more for one in (part.metadata if isinstance(part, FieldInfo) else [part])]
        return _of(inner, flat)
    if get_origin(annotation) in (Union, types.UnionType):
        return some.one_of(*(_of(part, bounds) for part in get_args(annotation)))
    if get_origin(annotation) is Literal:
        return some.sampled_from(get_args(annotation))
    if get_origin(annotation) is tuple:
        return _tuple(get_args(annotation), bounds)
    if isinstance(annotation, type) and issubclass(annotation, Value):
        return values(annotation)
    return _plain(annotation, bounds)


def _tuple(inside, bounds):
    if inside[-1] is not Ellipsis:
        return some.tuples(*map(_of, inside))
    least, most = _bound(bounds, MinLen, "min_length", 0), _bound(bounds, MaxLen, "max_length", FEW)
    return some.lists(_of(inside[0]), min_size=least, max_size=min(most, FEW)).map(tuple)


def _plain(annotation, bounds):
    if annotation is type(None):
        return some.none()
    if annotation is bool:
        return some.booleans()
    if annotation is str:
        least, most = _bound(bounds, MinLen, "min_length", 0), _bound(bounds, MaxLen, "max_length", TEXT)
        return some.text(min_size=least, max_size=min(most, TEXT))
    low, high = _bound(bounds, Ge, "ge", -(10**9)), _bound(bounds, Le, "le", 10**9)
    if annotation is int:
        return some.integers(_bound(bounds, Gt, "gt", low - 1) + 1, min(high, _bound(bounds, Lt, "lt", high + 1) - 1))
    assert annotation is float, annotation
    return some.floats(low, high)


def _bound(bounds, kind, name, otherwise):
    return next((getattr(one, name) for one in bounds if isinstance(one, kind)), otherwise)


SCENARIOS = {name: values(pages.kind_of(name)) for name in pages.NAMES}
