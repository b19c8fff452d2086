"""The headline of the Survey page: how often the watched answer is guessed, and what the miner set out to learn."""

from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.survey.frame import Frame
from trustscope.scenarios.survey.inference import Inferred
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.words import brief, plural, points, singled_out
from trustscope.scenarios.words import count, listed, sentence, share

EARLY, FELL = 100, 0.015  # respondents before whom the classifier jumps about, and a loss worth telling
LITTLE = 0.02  # a gain in guesses that is called "hardly"


def headline(frame: Frame, people: Population) -> Headline:
    """What the page says first."""
    question = brief(people.encoding.questions[frame.target.question], 30)
    if not frame.arrived:
        return Headline(
            "Nobody has been asked yet: press Play.",
            note=f"The first {people.clear} answered in the clear, so that there is guidance. The views show what "
            "respondents who follow it would give away.",
        )
    if frame.settings.malicious:
        return _malicious(frame, people, question)
    after = guess_in_force(frame)
    gain = after - frame.target.by_class
    if not _senders(frame):
        number = _number(frame, question, after, _left(frame))
        return Headline(_silence(frame), *number, note=_learnt(frame, people), tone=SAFE)
    number = _number(frame, question, after, "with what was sent")
    if gain <= LITTLE:
        title = "What respondents send hardly tells this answer."
        return Headline(title, *number, note=_learnt(frame, people), tone=SAFE)
    title = "What respondents send gives away more than their class."
    return Headline(title, *number, note=_learnt(frame, people), tone=LEAK)


def guess_in_force(frame: Frame) -> float:
    """How often the watched answer is guessed under the guidance that is sent."""
    found = {"honest": frame.target.honest, "outright": frame.target.outright, "hidden": frame.target.hidden}
    force = found[frame.settings.miner]
    return frame.target.by_class if force is None else force.guess


def _number(frame: Frame, question: str, after: float, how: str) -> tuple[str, str, str]:
    label = f"guess “{question}” right: by the class alone → {how} ({share(frame.target.nothing)} knowing nothing)"
    return share(frame.target.by_class), share(after), label


def _senders(frame: Frame) -> list[str]:
    """The kinds that send something beside the class."""
    return [
        part.name for part, kind in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight and kind.level
    ]


def _apart(frame: Frame) -> tuple[list[str], list[str]]:
    """The kinds that refuse, and those that follow nothing by choice."""
    pairs = [(part.name, kind) for part, kind in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight]
    return [name for name, kind in pairs if kind.refuses], [name for name, kind in pairs if kind.silent]


def _left(frame: Frame) -> str:
    """What is left to guess from where nobody sends an answer: who refuses does not even send the class."""
    refusing, silent = _apart(frame)
    if not refusing:
        return "with nothing more"
    return "without even that, where some refuse" if silent else "without even that"


def _silence(frame: Frame) -> str:
    refusing, silent = _apart(frame)
    if not silent:
        return "Everybody refuses: nothing leaves."
    return (
        "Nobody follows anything: nothing leaves but the class."
        if not refusing
        else "No answer leaves: some refuse, the others follow nothing."
    )


def _learnt(frame: Frame, people: Population) -> str:
    """What the miner set out to learn, what it costs, and what a long survey does to itself."""
    first, second = (brief(name, 24) for name in people.names)
    what = f"{first} from all others" if second.startswith("not ") else f"{first} from {second}"
    told = (
        f"The miner tells {what} for {points(frame.accuracy)} of people ({points(people.clear_accuracy)} from clear "
        f"answers, {points(people.majority)} by naming the larger class). On average {share(frame.disclosed)} of what "
        "there is to know about the answers is given away."
    )
    return f"{told}{_later(frame, people)}{_signed(frame, second)}"


def _signed(frame: Frame, second: str) -> str:
    if frame.settings.order != "signed":
        return ""
    return f" In signed order, what favours {second} comes last: compare with magnitude."


def _later(frame: Frame, people: Population) -> str:
    told = ""
    line = [(height, place) for place, height in zip(*frame.accuracies, strict=True) if place >= EARLY]
    best, when = max(line, default=(0.0, 0))
    if best - frame.accuracy > FELL:
        told += f" It was {points(best)} after {count(when)} respondents, and has got worse since."
    if singled_out(frame):
        heavy = brief(people.encoding.questions[int(frame.weight.argmax())])
        told += (
            f" By now the guidance asks for “{heavy}” all but outright: learnt from perturbed answers, it comes to "
            "favour single ones."
        )
    return told


def _malicious(frame: Frame, people: Population, question: str) -> Headline:
    target, miner = frame.target, frame.settings.miner
    found = target.outright if miner == "outright" else target.hidden
    refused = f" {plural(frame.refused, 'respondent')} of {count(frame.arrived)} refused." if frame.refused else ""
    if found is None:
        return Headline(
            "There is nothing to hide this question among.",
            note="With so few questions, no guidance passes the check and still asks for this one.", tone=QUIET,
        )  # fmt: skip
    if not _senders(frame):
        why = frame.reason or "Whoever follows nothing sends only the class."
        return Headline(_silence(frame), *_number(frame, question, found.guess, _left(frame)), note=why, tone=SAFE)
    number = _number(frame, question, found.guess, "asked for by hand")
    if found.guess <= target.by_class + LITTLE:
        title = "The miner is after one answer and hardly finds it."
        return Headline(title, *number, note=_by_hand(frame, miner) + refused, tone=SAFE)
    certain = found.guess >= 1 - 1e-9
    title = (
        "The miner reads one answer of everybody." if certain else "The miner finds one answer for many more people."
    )
    return Headline(title, *number, note=_by_hand(frame, miner) + refused, tone=LEAK)


def _by_hand(frame: Frame, miner: str) -> str:
    if miner == "outright":
        refusing, silent = _apart(frame)
        rest = [
            f"{listed(names)} {verb}" for names, verb in ((refusing, "refuse"), (silent, "follow nothing")) if names
        ]
        apart = f" {sentence('; '.join(rest))}." if rest else ""
        return (
            "The guidance passes the only check of the paper, and yet asks for one answer outright. The extra check "
            f"would stop it: no single answer may weigh so much.{apart}"
        )
    passes = "passes" if frame.settings.extra_check else "would pass"
    return (
        f"The guidance {passes} the extra check. Honest guidance, learnt from everybody's clear answers, lets "
        f"{share(frame.target.honest.guess)} be guessed."
    )


def own(result: Inferred, level: int, label: str) -> str:
    """What one's own answers give away, in a sentence or two; `label` is what the class is called."""
    n = len(result.before)
    if result.refuses:
        return f"You would refuse this guidance, and send nothing. {result.refuses}"
    label, mine = brief(label, 24), "your answer" if n == 1 else f"your {n} answers"
    first = f"From what you would send, a miner guesses {result.right_after} of {mine} right."
    if level == 0:
        first = f"You send nothing but your {label}: {result.right_after} of {mine} can be guessed from it."
    sure = "and certain" if result.surest[1] > 1 - 1e-9 else f"at {points(min(result.surest[1], 0.999))}"
    return (
        f"{first} Knowing only how others answer, it would guess {result.right_before}; with your {label}, which is "
        f"always sent, {result.right_class}. It is surest about “{brief(result.surest[0])}”, where it would name an "
        f"answer {sure}, right or wrong. It has learnt {result.bits:.1f} of {result.entropy:.1f} bits about you."
    )
