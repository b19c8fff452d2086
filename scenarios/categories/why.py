"""Why the verdict of the Categories page is what it is: which copy carries the information, what the attacker knows.

Every sentence holds figures of its own, which can be checked: nothing is said that they could contradict.
"""

from trustscope.scenarios.categories.model import Model
from trustscope.scenarios.categories.promise import gamma
from trustscope.scenarios.categories.result import CategoriesResult
from trustscope.scenarios.categories.scenario import Settings
from trustscope.scenarios.categories.side import attacker_in_words, personal
from trustscope.scenarios.categories.words import factor, short
from trustscope.scenarios.coalition import most_trusted
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import number_word, share


def why(picture: CategoriesResult, model: Model, binding: str = "") -> str:
    """At most three sentences; empty where nobody pools.

    Parameters
    ----------
    picture : CategoriesResult
    model : Model
        That the picture is of.
    binding : str
        A sentence on the requirement that binds, where there is one; it takes the place of the third.
    """
    settings = picture.settings
    if picture.joining is None:
        return ""
    best = most_trusted(settings.coalition)
    if best.trust == 100:
        told = [f"{best.name}'s copy carries everything: it keeps every value, and is the original.", binding]
    else:
        told = [_carries(settings, model.size), _knows(picture, model), binding or _otherwise(picture)]
    return " ".join(sentence for sentence in told if sentence)


def _carries(settings: Settings, size: int) -> str:
    """Which copy carries the information."""
    who, best = settings.coalition, most_trusted(settings.coalition)
    one = factor(gamma((best,), settings.scheme, size))
    if len(who) == 1:
        return (
            f"{best.name}'s copy keeps a value with probability {best.trust} % and redraws it otherwise, which "
            f"multiplies the odds of the value that it shows by {one}."
        )
    if settings.scheme == "nested":
        return (
            f"{best.name}'s copy carries all the information: every other copy in the pool is that one, or that one "
            "with more values redrawn."
        )
    every = factor(gamma(who, "independent", size))
    return (
        f"Each of the {number_word(len(who))} copies is drawn on its own, and where they agree their odds multiply: "
        f"{best.name}'s multiplies those of a value by {one}, no other by more, and all of them together by {every}."
    )


def _knows(picture: CategoriesResult, model: Model) -> str:
    """What the attacker knows beforehand, and what that is worth."""
    without = not_none(picture.joining).without
    if picture.settings.prior == "nothing":
        return (
            f"The attacker knows nothing beforehand, takes all {model.size} values for equally likely, and weighs the "
            "copies by Bayes' rule."
        )
    if personal(model, picture.settings):
        return (
            f"The attacker {attacker_in_words(picture.settings)}, believes something else of each person beforehand, "
            f"and weighs the copies by Bayes' rule: without any of them, {share(without.right)} are guessed right."
        )
    most = short(model.column.labels[int(model.shares.argmax())])
    return (
        f"The attacker knows how frequent each value is, and weighs the copies by Bayes' rule: without any of them, "
        f"naming {most} is right for {share(without.right)}."
    )


def _otherwise(picture: CategoriesResult) -> str:
    """What the same copies would tell under the other scheme."""
    settings, joining = picture.settings, picture.joining
    if len(settings.coalition) == 1:
        return ""
    rival = not_none(joining).last(settings.rival)
    if settings.rival == "nested":
        best = most_trusted(settings.coalition)
        return (
            f"With nested copies they would know what {best.name}'s tells alone: {share(rival.right)} guessed "
            f"right, and a mean belief of {share(min(rival.belief, 1.0))} in the true value."
        )
    about = "" if rival.exact else "about "
    return (
        f"With independent copies {about}{share(min(rival.right, 1.0))} would be guessed right, with a mean belief of "
        f"{about}{share(min(rival.belief, 1.0))} in the true value."
    )
