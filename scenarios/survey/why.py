"""Why the verdict of the Survey page is what it is: who gives most away, what the miner knows, what the class tells.

Every sentence holds figures of its own, which can be checked: nothing is said that they could contradict.
"""

from trustscope.scenarios.survey.frame import Frame
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.verdict import guess_in_force
from trustscope.scenarios.survey.words import brief
from trustscope.scenarios.words import counted, share

ASKS = {
    "honest": "The miner, who knows how common every combination of answers is in each class",
    "outright": "The miner, who asks for this one answer outright",
    "hidden": "The miner, who asks for this one answer hidden among others",
}


def why(frame: Frame, people: Population, binding: str = "") -> str:
    """At most three sentences; empty where nobody has answered, or where there is no guidance to speak of.

    Parameters
    ----------
    frame : Frame
    people : Population
    binding : str
        A sentence on the requirement that binds, where there is one; it takes the place of the third.
    """
    if not frame.arrived or (frame.settings.miner == "hidden" and frame.target.hidden is None):
        return ""
    told = [_carries(frame), _knows(frame, people), binding or _class(frame)]
    return " ".join(sentence for sentence in told if sentence)


def _carries(frame: Frame) -> str:
    """Which kind of respondent gives most away."""
    there = [(part, kind) for part, kind in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight]
    sending = [(part, kind) for part, kind in there if kind.level]
    if not sending:
        if all(kind.refuses for _, kind in there):
            return "Everybody refuses this guidance, so that not even the class is sent."
        return "Nobody sends an answer, so that only the class tells of one."
    part, kind = max(sending, key=lambda pair: pair[1].share)
    return (
        f"No kind of respondent gives away more than the {part.name}: they follow {counted(kind.level, 'direction')}, "
        f"and send {share(kind.share)} of what there is to know about their answers."
    )


def _knows(frame: Frame, people: Population) -> str:
    """What the miner knows, and what comes of it."""
    question = brief(people.encoding.questions[frame.target.question], 30)
    return (
        f"{ASKS[frame.settings.miner]}, weighs what is sent by Bayes' rule and guesses “{question}” right for "
        f"{share(guess_in_force(frame))}."
    )


def _class(frame: Frame) -> str:
    """What the class alone tells."""
    by_class, nothing = share(frame.target.by_class), share(frame.target.nothing)
    if by_class == nothing:
        return (
            "The class alone, which everybody who takes part sends as it is, tells no more than knowing nothing "
            f"({nothing})."
        )
    return (
        f"The class alone, which everybody who takes part sends as it is, lets {by_class} be guessed; knowing nothing, "
        f"{nothing} can be."
    )
