"""Requirements of the Trust page in plain words."""

from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.scenario import ATTACKERS, Settings
from trustscope.scenarios.trust.words import Subject, subject_of
from trustscope.scenarios.words import count, listed, number_word, plain

CLASSIFIERS = {"tree": "decision tree", "svm": "support vector machine"}
SHARES = ("hits", "worst", "hundredth", "found", "histogram", "accuracy")  # whose limits are given in per cent
RULES = {
    "most": "Trusts are moved together, so that what each copy tells keeps its proportion to the others; then each one "
    "is raised, a point in turn, until one more would break something.",
    "scaled": "Trusts are moved together, so that what each copy tells keeps its proportion to the others: whoever is "
    "trusted more still gets the better copy.",
    "lowered": "Trusts stay as they are, but those that are too high: they are lowered until everything holds.",
}
RULE = RULES["most"]


def subject(requirement: TrustRequirement, settings: Settings, population: Population | None = None) -> Subject:
    """The attribute that a requirement is about; where no data are at hand, without its unit."""
    name = requirement.attribute or settings.attribute
    return Subject(name or "the attribute") if population is None else subject_of(population, name)


def coalition(requirement: TrustRequirement, settings: Settings) -> str:
    """Whom it is about: "any coalition", "any two", "Ministry and Press"."""
    if requirement.coalition == "any":
        return "any coalition"
    if requirement.coalition == "size":
        return "anybody alone" if requirement.size == 1 else f"any {number_word(requirement.size)}"
    return listed(names(requirement, settings) or ["nobody"])


def names(requirement: TrustRequirement, settings: Settings) -> list[str]:
    """The names of its members who are still there."""
    return [r.name for r in settings.recipients if r.number in requirement.members]


def short(requirement: TrustRequirement, settings: Settings, population: Population | None = None) -> str:
    """A requirement as a noun: "an error of at least 0.4 of any coalition"."""
    about = subject(requirement, settings, population)
    limit = amount(requirement, requirement.limit, about)
    match requirement.what:
        case "error":
            return f"an error of at least {limit} of {coalition(requirement, settings)}"
        case "hits":
            found = distance(requirement, settings)
            near = "the usual distance" if found is None else about.amount(found)
            who = coalition(requirement, settings)
            return f"at most {limit} of {about.attribute} guessed within {near} by {who}"
        case "worst" | "hundredth":
            found = distance(requirement, settings)
            near = "the usual distance" if found is None else about.amount(found)
            whom = "the most exposed one" if requirement.what == "worst" else "the most exposed hundredth"
            return (
                f"a risk of at most {limit} of {whom} to have {about.attribute} guessed within {near} by "
                f"{coalition(requirement, settings)}"
            )
        case "found":
            return f"at most {limit} of {about.noun} found again by {coalition(requirement, settings)}"
        case "crowd":
            who = coalition(requirement, settings)
            return f"a crowd of at least {limit} around nine {about.noun} in ten, against {who}"
        case "accuracy":
            return f"an accuracy of at least {limit} in predicting {requirement.label}"
        case "correlation":
            return f"the correlation of {about.attribute} to within {limit}"
        case "mean":
            return f"the mean of {about.attribute} to within {limit}"
        case _:
            return f"at most {limit} of {about.attribute} in a wrong bin of the histogram"


def long(requirement: TrustRequirement, settings: Settings, population: Population | None = None) -> str:
    """The same as a line, with the attacker or whose copies it is about."""
    text = short(requirement, settings, population)
    if requirement.protects:
        return f"{text}, against somebody who {ATTACKERS[requirement.attacker]}"
    return f"{text}, from {whose(requirement, settings)}"


def whose(requirement: TrustRequirement, settings: Settings) -> str:
    """Whose copies must be useful."""
    found = names(requirement, settings)
    return f"the copy of {listed(found)}" if found else "every copy"


def distance(requirement: TrustRequirement, settings: Settings) -> float | None:
    """How close a guess must come; None where the page chooses it when it has the data."""
    return settings.eps if requirement.distance is None else requirement.distance


def amount(requirement: TrustRequirement, value: float, about: Subject) -> str:
    """A figure of the kind that a requirement limits."""
    match requirement.what:
        case "error":
            return f"{value:.3f}".rstrip("0").rstrip(".")
        case "mean":
            return about.amount(value)
        case "correlation":
            return plain(value)
        case "crowd":
            return count(int(value))
        case _:  # to a tenth: a limit that is just missed must not look like one that is kept
            return f"{100 * value:.1f}".removesuffix(".0") + " %"


def beyond(requirement: TrustRequirement) -> str:
    """On which side of its limit a requirement is broken."""
    return "at least" if requirement.at_least else "at most"
