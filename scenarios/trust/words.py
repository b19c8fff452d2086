"""What the Trust page says beside its headline: what a hit is, the captions of its views, in plain words."""

from dataclasses import dataclass
from html import escape

import numpy as np

from trustscope import schemes
from trustscope.scenarios.coalition import Recipient, most_trusted
from trustscope.scenarios.trust.exposed import FAR, Exposed, Outstanding
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.result import Belief, Held, Joining, Person, TrustResult
from trustscope.scenarios.trust.scenario import LINEAR, Settings
from trustscope.scenarios.twenty import FEWEST, Twenty
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, listed, number_word, plain, sentence, share


def shape_name(similarity: float) -> str:
    """What a place of the noise-shape slider is called."""
    names: dict[float, str] = {1: "the data's own", 0: "white", -1: "the opposite"}
    nearest = round(similarity, 2)
    if nearest in names:
        return names[nearest]
    return f"{abs(nearest):.0%} {'own' if nearest > 0 else 'opposite'}".replace("%", " %")


def shape(similarity: float) -> str:
    """What noise of this shape means to whoever attacks it."""
    nearest = round(similarity, 2)
    if nearest == 1:
        return "Noise varies as the data do: no direction is cleaner than another, and nothing can be filtered out."
    if nearest == 0:
        return "As much noise in every direction: where the data hardly vary it is all noise, and can be filtered out."
    if nearest == -1:
        return "Most noise where the data vary least: nearly all of it can be filtered out."
    between = "between the data's own shape and white" if nearest > 0 else "beyond white, towards the opposite"
    return f"As much noise in all, {between}. The less it is like the data, the more can be filtered out."


@dataclass(frozen=True)
class Subject:
    """What is looked at: the attribute, its unit, and what a row stands for, as plain text."""

    attribute: str
    unit: str = ""
    noun: str = "records"

    @property
    def axis(self) -> str:
        """How an axis is called."""
        return f"{self.attribute} ({self.unit})" if self.unit else self.attribute

    @property
    def one(self) -> str:
        """One of them."""
        return {"people": "person", "records": "record"}.get(self.noun, self.noun.removesuffix("s"))

    def amount(self, value: float) -> str:
        """A value with its unit."""
        return f"{plain(value)} {self.unit}".strip()


def drawn_guess(settings: Settings) -> str:
    """What the guesses are called whose histogram is drawn."""
    return "a linear guess" if "strongest" in settings.attackers else "guess"


def knowledge_in_words(settings: Settings, noun: str) -> str:
    """What the strongest attacker knows, to follow "knows"."""
    if settings.knowledge == "everybody":
        text = "everybody's values, but not whose they are"
    elif settings.others is None:
        text = f"the values of other {noun}, as many as half of the table"
    else:
        text = f"the values of {count(settings.others)} other {noun}"
    exact = [name for name in settings.known if name != settings.attribute]
    return f"{text}, and everybody's {listed(exact)}" if exact else text


def subject_of(population: Population, attribute: str) -> Subject:
    """The attribute of a population that is looked at."""
    name = population.names[population.index(attribute)]
    return Subject(name, population.unit_names.get(name, ""), population.noun)


def these(who: tuple[Recipient, ...]) -> str:
    """Ministry and Press; six recipients. Long names give way too: a headline has few words."""
    names = listed([r.name for r in who])
    return names if len(who) <= 2 and len(names.split()) <= 3 else f"{number_word(len(who))} recipients"


def hit(settings: Settings, subject: Subject) -> str:
    """What a hit is, to stand before a share: "guessed within 5 years"."""
    eps = not_none(settings.eps)
    match settings.kind:
        case "absolute":
            return f"guessed within {subject.amount(eps)}"
        case "euclidean":
            return f"{subject.noun} guessed within {share(eps)} of their size"
        case "entry":
            return f"{subject.noun} with a value guessed within {share(eps)}"
        case _:
            return f"{subject.noun} whose direction is guessed within {plain(eps)}"


def hit_line(settings: Settings, subject: Subject) -> str:
    """The same as a line of the controls."""
    eps = not_none(settings.eps)
    match settings.kind:
        case "absolute":
            return f"within {subject.amount(eps)} of the true {subject.attribute}"
        case "euclidean":
            return f"within {share(eps)} of the whole record's size"
        case "entry":
            return f"any one value within {share(eps)}"
        case _:
            return f"the record's direction within {plain(eps)}"


# Captions


def person_path(seen: Person, settings: Settings, subject: Subject) -> str:
    """Caption of one person's path: the line, the stops on it and the bar before its start."""
    what = f"{escape(subject.attribute)} of {subject.one} {count(seen.number)}"
    if not settings.coalition:
        return f"{what}: nobody has put a copy in the pool."
    line = {
        "nested": "with more and more noise: every copy is a point of this line",
        "independent": "with more and more noise: every copy has a line of its own",
        "proportional": "with one noise, made stronger and stronger: every copy is a point of this curve",
    }.get(settings.scheme, "with more and more noise: every copy has a line of its own, made given the others")
    who = most_trusted(settings.coalition).name if len(settings.coalition) == 1 else "all together"
    return f"{what}, {line}. Dashed: the truth. The bar at the left: what {escape(who)} can believe, nine times in ten."


def person(seen: Person, settings: Settings, subject: Subject) -> str:
    """Caption of one person."""
    shown = settings.coalition
    values, them = ("one noisy value", "it") if len(shown) == 1 else (f"{number_word(len(shown))} noisy values", "them")
    what = f"{escape(subject.attribute)} of {subject.one} {count(seen.number)}"
    if not shown:
        return f"{what}: nobody has put a copy in the pool."
    text = f"{what}: {values}, and what can be believed from {them}."
    together = not_none(seen.together)
    if not together.sd:
        return text
    # Said once, here: without it, a belief that peaks beside all copies contradicts what averaging is said to do.
    noisy = "the copy is" if len(shown) == 1 else "the copies are"
    text += f" The guess leans towards the average of all, because {noisy} noisy."
    if together.values is None:
        text += f" The true {escape(subject.attribute)} lies within ± nine times in ten."
    return text


def twenty(seen: Twenty | None, settings: Settings, subject: Subject) -> str:
    """Of twenty people: how many are caught alone, and how many together; or why they are not shown."""
    if seen is None:
        return (
            f"Twenty people are shown where somebody pools, a hit is about one value, and the table has {FEWEST} rows "
            "or more."
        )
    caught = seen.before.sum()
    text = f"Of {len(seen.before)} {escape(subject.noun)}, <b>{caught}</b> {'is' if caught == 1 else 'are'} "
    text += escape(hit(settings, subject))
    if len(settings.coalition) == 1:
        return f"{text}."
    return f"{text} by {escape(most_trusted(settings.coalition).name)} alone, <b>{seen.after.sum()}</b> together."


def believed(belief: Belief, subject: Subject) -> str:
    """A guess with the range that holds nine in ten, or what is known exactly."""
    if belief.sd == 0:
        return f"exactly {plain(belief.guess)}"
    low, high = belief.interval
    if belief.values is None:
        return f"{plain(belief.guess)} ± {plain((high - low) / 2)}"
    return f"{plain(belief.guess)}, nine times in ten {plain(low)} to {plain(high)}"


def joining(found: Joining, settings: Settings, subject: Subject) -> str:
    """Caption of the coalitions that grow."""
    gained = found.rates[settings.scheme][-1] - found.rates[settings.scheme][0]
    text = f"{sentence(hit(settings, subject))}, as one after the other joins."
    noise = schemes.adjective(settings.scheme)
    if gained <= 0.002:
        return f"{text} With <b>{noise}</b> noise nothing is gained."
    return f"{text} With <b>{noise}</b> noise every copy tells more."


def copies_caption(part: Held, picture: TrustResult, subject: Subject) -> str:
    """Caption of the copies."""
    lowest = min(picture.settings.recipients, key=lambda r: r.trust)
    outside = 1 - part.copies[lowest.number].sum() / max(picture.rows, 1)
    text = (
        f"{escape(subject.attribute)} of {count(picture.rows)} {subject.noun}: less trust, more noise, a flatter copy."
    )
    if outside > 0.02:
        text += f" {share(outside)} of {escape(lowest.name)}'s copy lies outside this view."
    return text


def exposed(found: Exposed, picture: TrustResult, subject: Subject) -> str:
    """Caption of who is exposed."""
    seen, noun = found.exposure, subject.noun
    text = (
        f"For each of the {noun}, how often {escape(subject.attribute)} is guessed, over the draws of the noise. On "
        f"average <b>{share(seen.average)}</b>"
    )
    if np.isnan(found.uncommon):
        text += "; everybody has a value that is common."
    else:
        text += (
            f", of those whose value is not common {share(found.uncommon)}, and of the most exposed of these, a "
            f"hundredth of all, <b>{share(seen.hundredth)}</b>."
        )
    text += "".join(f" {_outstanding(one, picture.settings, subject)}" for one in found.values)
    again = found.found
    return (
        f"{text} Among all records {share(again.share)} are found again by the copies of whole rows; half of the "
        f"{noun} hide in a crowd of {count(round(again.crowd))} or more."
    )


def most_exposed(found: Exposed, picture: TrustResult, subject: Subject) -> str:
    """The same in a lesson: how often on average, and who stands out most."""
    text = f"On average a value is guessed in <b>{share(found.exposure.average)}</b> of the draws of the noise."
    return f"{text} {_outstanding(found.values[0], picture.settings, subject)}" if found.values else text


def _outstanding(one: Outstanding, settings: Settings, subject: Subject) -> str:
    """Why somebody stands out, in a sentence."""
    value = subject.amount(one.value)
    text = f"One {subject.one} has {value}, and is guessed in {share(one.risk)} of the draws"
    if one.people > 1:
        text = f"{count(one.people)} {subject.noun} have {value}, and are guessed in {share(one.risk)} of the draws"
    if one.gap > 2 * not_none(settings.eps):
        return f"{text}: nobody else is nearer than {subject.amount(one.gap)}."
    if one.away > FAR:
        return f"{text}: that is {plain(one.away)} standard deviations from the average."
    return f"{text}: few have such a value, or such a row."


def closeness(picture: TrustResult, subject: Subject, cumulative: bool = True) -> str:
    """Caption of the error distribution: every attacker's figures, in words."""
    if not picture.together:
        return "Tick a recipient and an attacker."
    parts = []
    for name, result in picture.together.items():
        if name in LINEAR:
            theory = "" if result.theory is None else f", expected {result.theory:.3f} ± {result.tolerance:.3f}"
            parts.append(f"an attacker who {LINEAR[name]} errs by <b>{result.tally.error:.3f}</b>{theory}")
    what = "guess is that close" if cumulative else "guess is that far off"
    of = "" if picture.settings.kind == "absolute" else f", for {escape(subject.attribute)} alone"
    figures = (
        f" Mean square error over all attributes, where guessing the average gives 1: {'; '.join(parts)}."
        if parts
        else ""
    )
    return f"Share of {subject.noun} whose {what}{of}.{figures}"


def coalitions(picture: TrustResult) -> str:
    """Caption of every coalition."""
    other = picture.settings.beside_nested
    every = not_none(picture.coalitions)
    nested, rival = every["nested"], every[other]
    everyone = len(nested) - 1
    return (
        f"All {count(everyone)} possible coalitions, and the share of the data's variance that each can explain: "
        f"0 % knows nothing, 100 % knows all. If everybody pools: nested <b>{share(1 - nested[everyone])}</b>, "
        f"{schemes.adjective(other)} <b>{share(1 - rival[everyone])}</b>."
    )


def spectrum(picture: TrustResult, common_unit: bool = False) -> str:
    """What the filters would do with this spectrum."""
    seen = not_none(picture.spectrum)
    components = len(seen.released)
    if components == 1:
        return "One attribute has one direction: there is nothing to tell apart, and no filter can help."
    strong = (
        f"<b>{seen.kept_by_components}</b> come before the gap and are kept as strong"
        if seen.gap
        else "no gap parts strong from weak, so that the one who looks for it keeps "
        + ("all" if seen.kept_by_components == components else f"the <b>{seen.kept_by_components}</b> above zero")
    )
    kept = slice(seen.kept_by_filter)
    noisy = int((seen.noise_within[kept] > seen.data_within[kept]).sum())
    more = f", {noisy} of them more noise than data" if noisy else ""
    units = "" if common_unit else " Attributes count in units of their standard deviations."
    return (
        f"Of {components} components {strong}; <b>{seen.kept_by_filter}</b> rise above {plain(seen.band[1])}, the most "
        f"that white noise would give, and are kept by the filter{more}.{units}"
    )


def strong_directions(picture: TrustResult) -> str:
    """The same in a lesson: how many directions are strong."""
    seen = not_none(picture.spectrum)
    if not seen.gap:
        return f"Of {len(seen.released)} directions none stands out from the others."
    return f"Of {len(seen.released)} directions <b>{seen.kept_by_components}</b> are strong: they come before the gap."


def generated(picture: TrustResult, noun: str) -> str:
    """What the progress line says of a pass over the rows."""
    if not picture.complete:
        return f"{count(picture.rows)} of {count(picture.total)} {noun}"
    copies = len(picture.settings.recipients)
    return f"{copies} {'copy' if copies == 1 else 'copies'} of {count(picture.rows)} {noun}."
