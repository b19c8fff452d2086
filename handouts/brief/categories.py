"""The brief of the Categories page."""

from trustscope.handouts.brief.base import Brief, Row, figures_by_name
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.categories.verdict import headline_numbers
from trustscope.scenarios.categories.words import these
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import share

GAIN = 0.005  # below this a difference is not worth advice
KEYS = (
    "The attacker knows how the copies were made and weighs everything by Bayes' rule: nobody who knows as much "
    "beforehand can guess right more often.",
    "Only the sensitive column is perturbed; the other columns are released as they are.",
    "These copies are a rehearsal, made with a known seed. A real release uses a secret key of its own.",
)
NESTED = "nested copies (each is the next better one with more values replaced)"
FRESH = {"independent": " (each drawn on its own)"}
COUNTS = {"right": "of best guesses are right", "belief": "is the mean belief in the true value"}
MEASURES = {"right": "Best guesses that are right", "belief": "Mean belief in the true value"}


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The question whether copies of a sensitive column can be given to people who may pool them."""
    picture, column, title = found.picture, found.model.column.name, found.title
    settings = picture.settings
    if picture.joining is None:
        return Brief(
            f"What can {these(settings.recipients)} learn about {column} from their copies of {title}?",
            tuple(filter(None, (figures.verdict, figures.note))), "What each copy keeps",
            tuple(Row(r.name, f"{r.trust:g} %") for r in settings.recipients[:6]),
            ("Say who may pool their copies, and look at this report again.",), KEYS, "coalitions",
        )  # fmt: skip
    numbers = headline_numbers(picture)
    several = len(settings.coalition) > 1
    verb, copies = ("pool", "their copies") if several else ("uses", "the copy")
    other = "independent" if settings.scheme == "nested" else "nested"
    answer = [figures.verdict, _counted(numbers, settings, several)]
    if several:
        answer.append(
            f"With {other} copies, each keeping as much, pooling would give {share(numbers.rival)}"
            f"{', as the best copy alone' if other == 'nested' else ''}."
        )
    return Brief(
        f"How often is {column} guessed if {these(settings.coalition)} {verb} {copies} of {title}?", tuple(answer),
        MEASURES[numbers.measure], tuple(_rows(picture, figures, numbers, other)),
        tuple(_advice(picture, figures, numbers, found.model.size)), KEYS, "pooling",
    )  # fmt: skip


def _counted(numbers, settings, several: bool) -> str:
    by = f"by somebody who {attacker_in_words(settings)}"
    counts, without = COUNTS[numbers.measure], f"{share(numbers.without)} without any copy"
    if not several:
        return f"With this copy {share(numbers.together)} {counts}, against {without}, {by}."
    alone = f"{share(numbers.alone)} with the best copy alone"
    return f"With all copies together {share(numbers.together)} {counts}, against {alone} and {without}, {by}."


def _rows(picture, figures, numbers, other: str):
    settings, known = picture.settings, figures_by_name(figures)
    yield Row("Without any copy", share(numbers.without))
    if len(settings.coalition) == 1:
        yield Row(f"With {settings.best.name}'s copy", share(numbers.together))
    else:
        yield Row(
            f"With the best copy alone ({settings.best.name}, keeps {settings.best.trust:g} %)", share(numbers.alone)
        )
        yield Row(
            f"All copies together, as planned: {settings.scheme}{FRESH.get(settings.scheme, '')}",
            share(numbers.together),
        )
        yield Row(f"All copies together, if copies were {other}", share(numbers.rival))
    if "exposed.belief" in known:
        yield Row("The most that can come to be believed of anybody's value", share(known["exposed.belief"].value))
    promised = known.get("promise.coalition.keeps_rho")
    if promised is not None and promised.value is not None:
        p = settings.promise
        yield Row(
            f"What was believed less than {p.rho1:g} % stays at most {p.rho2:g} %",
            "kept" if promised.value else "not kept",
        )


def _advice(picture, figures, numbers, size: int):
    settings = picture.settings
    several = len(settings.coalition) > 1
    if several and settings.scheme != "nested" and numbers.gain > GAIN:
        yield f"Give {NESTED}: pooling then gives {share(numbers.rival)}, no more than the best copy alone."
        yield (
            f"{settings.scheme.capitalize()} copies that are already out cannot be called back: for them, count on "
            f"{share(numbers.together)}."
        )
    elif several and settings.scheme == "nested":
        yield (
            f"Make {NESTED}, also of every further one: with independent copies pooling would give "
            f"{share(numbers.rival)}."
        )
    if numbers.alone > numbers.without + GAIN:
        yield (
            f"If {share(numbers.alone)} is too much, let {settings.best.name}'s copy keep less: no scheme protects "
            "better than the best copy alone."
        )
    known = figures_by_name(figures)
    if "promise.coalition.keeps_rho" in known and not known["promise.coalition.keeps_rho"].value:
        yield _mended(settings.promise, known["promise.coalition.raised"].value, size, several)


def _mended(promise, raised: float, size: int, several: bool) -> str:
    """What a rare value is exposed to, of which an average says little, and what would keep the promise."""
    told = f"Look at rare values: a belief of less than {promise.rho1:g} % can rise to {share(raised)}."
    keeps = promises.whole_per_cent(promises.largest(promises.limits(promise)[0], size))
    if not keeps:
        return f"{told} No copy keeps that below {promise.rho2:g} %."
    who = "copies are nested and none keeps" if several else "the copy keeps no"
    return f"{told} It stays at most {promise.rho2:g} % if {who} more than {keeps} %."
