"""Who is exposed on the Categories page: how people's risks are spread, and the most exposed of them with why."""

from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.engine.attacks.optimal.beforehand import Beforehand
from trustscope.looks import Axis, Look, Looks, with_looks
from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.promise import gamma
from trustscope.scenarios.categories.result import CategoriesResult
from trustscope.scenarios.categories.scenario import Settings
from trustscope.scenarios.categories.side import attacker_in_words, columns_in_words
from trustscope.scenarios.categories.words import short
from trustscope.scenarios.words import count, share

EDGES = np.linspace(0, 1, 11)
LISTED = 8  # of the most exposed people
ANYWAY, OTHERS = "guessed without any copy too", "guessed by the copies only"
POINTS = 1.5  # times as likely as for anybody: what is known of somebody is then called a reason


def table(picture: CategoriesResult, model: Model) -> pd.DataFrame:
    """How many people have which risk."""
    risk = picture.exposed
    if risk is None:
        return pd.DataFrame()
    place = np.clip(np.searchsorted(EDGES, risk.risks, side="right") - 1, 0, len(EDGES) - 2)
    shares = [np.bincount(place[some], minlength=len(EDGES) - 1) / len(place) for some in (risk.anyway, ~risk.anyway)]
    names = [f"{100 * low:.0f} to {100 * high:.0f} %" for low, high in pairwise(EDGES)]
    found = pd.DataFrame({"chance to be guessed": names, ANYWAY: shares[0], OTHERS: shares[1]})
    top = float(min(1.0, np.ceil(10 * max(shares[0].max(), shares[1].max())) / 10))
    looks = {ANYWAY: Look(colours.NEUTRAL, mark="block"), OTHERS: Look(colours.GUESS, mark="block")}
    return with_looks(found, Looks(
        "chance to be guessed", looks, Axis("share of people", share=True, low=0.0, high=max(top, 0.1))
    ))  # fmt: skip


def caption(picture: CategoriesResult, model: Model) -> str:
    """What the risks come to, and for whom."""
    risk, settings = picture.exposed, picture.settings
    if risk is None:
        return (
            "Counted when you let go." if settings.coalition else "Tick recipients: nobody has put a copy in the pool."
        )
    rest = ~risk.anyway
    many = len(risk.people)
    of = model.noun if many == model.rows else f"{count(many)} {model.noun} who were drawn of {count(model.rows)}"
    told = [
        f"By somebody who {escape(attacker_in_words(settings))}: <b>{share(float(risk.anyway.mean()))}</b> of "
        f"{of} are guessed right without any copy."
    ]
    if rest.any():
        told.append(
            f"Of the others the copies give away <b>{share(float(risk.risks[rest].mean()))}</b>; the most exposed "
            f"hundredth is guessed with a chance of <b>{share(risk.hundredth)}</b>."
        )
    told.append(f"At worst <b>{share(model.worst_belief(settings))}</b> would be believed of somebody's value.")
    return " ".join(told)


@dataclass(frozen=True)
class Person:
    """Somebody who is exposed.

    Attributes
    ----------
    number : int
        Counted from 1 in the order of the data.
    value : str
    risk, before, worst : float
        The chance to be guessed; what is believed of the true value beforehand, and at worst.
    why : str
    """

    number: int
    value: str
    risk: float
    before: float
    worst: float
    why: str


def most_exposed(picture: CategoriesResult, model: Model) -> list[Person]:
    """The most exposed people of those who are not guessed anyway, with why; single records are seen in it."""
    risk, settings = picture.exposed, picture.settings
    if risk is None:
        return []
    people = model.people(settings)
    worst = people.raised(gamma(settings.coalition, settings.scheme, model.size))[: len(risk.people)]
    mine = np.flatnonzero(~risk.anyway)
    order = mine[np.lexsort((-worst[mine], -risk.risks[mine]))][:LISTED]
    return [
        Person(
            int(model.order[risk.people[place]]) + 1, model.column.labels[people.truth[place]],
            float(risk.risks[place]), float(people.own[place]), float(worst[place]),
            _why(model, settings, people, place),
        )
        for place in order
    ]  # fmt: skip


def _why(model: Model, settings: Settings, people: Beforehand, place: int) -> str:
    """Why somebody is exposed: what is known of them, or that nothing else is believed more."""
    own, common = float(people.own[place]), float(model.shares[people.truth[place]])
    if settings.known and own >= POINTS * common:
        return f"{share(common)} have this value; {columns_in_words(settings.known)} make it {share(own)}"
    if own >= 0.5 * float(people.top[place]):
        return "nearly as likely beforehand as what is guessed without any copy"
    return f"{share(common)} have this value: a copy that shows it is believed"


def listed_rows(people: list[Person]) -> list[list[str]]:
    """The most exposed as rows of text."""
    return [
        [count(one.number), short(one.value), share(one.risk), share(one.before), share(one.worst), one.why]
        for one in people
    ]
