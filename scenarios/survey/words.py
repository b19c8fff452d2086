"""What the Survey dashboard says in its cards and controls, in plain words."""

from html import escape

from trustscope.scenarios.survey.frame import Frame
from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.rival import Rival
from trustscope.scenarios.twenty import FEWEST, Twenty
from trustscope.scenarios.words import count, in_app, listed, share

DIRECTION_WORDS = (
    "How common each kind is, and how many directions it follows. A direction is a combination of answers that the "
    "miner asks for, the most telling first."
)
ORDER_WORDS = {
    "magnitude": ("by magnitude", "The directions that tell the classes apart most come first, whichever they favour."),
    "signed": ("signed", "The paper's order, to compare: what favours one of the classes comes last, however strong."),
}
MINER_WORDS = {
    "honest": ("honest", "The guidance is learnt from what was sent so far."),
    "outright": ("asks outright", "Guidance picked by hand: it asks for the answer to one question and nothing else."),
    "hidden": ("hides it", "Guidance picked by hand: the strongest that is known to pass the extra check."),
}
CHECK_WORDS = "Respondents refuse guidance in which a single answer weighs too much. The paper has no such check."
OUTRIGHT = 0.97  # the weight from which a single answer is all but asked for outright
RIVAL_WORDS = "Noise on every answer (Agrawal and Srikant), as much as gives away the same on average."
SENT = (
    ("the truth", "#c2410c", "block"),
    ("another answer", "#12809c", "block"),
    ("several", "#7b8794", "striped"),
    ("none", "#aeb8c4", "hollow"),
)


def points(value: float) -> str:
    """A share with one decimal."""
    return f"{100 * value:.1f} %"


def brief(text: str, most: int = 34) -> str:
    """A question, cut where it is long."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def plural(number: int, noun: str) -> str:
    """1 direction, 2 directions."""
    return f"{count(number)} {noun}" + ("" if number == 1 else "s")


def singled_out(frame: Frame) -> bool:
    """Whether honest guidance asks for one answer all but outright, to those who do not follow nearly all anyway."""
    return frame.weight.max() > OUTRIGHT > frame.bound and not frame.settings.extra_check


def broken(frame: Frame) -> list[str]:
    """Kinds for whom the paper's bound on disclosure fails."""
    pairs = zip(frame.settings.parts, frame.kinds, strict=True)
    return [part.name for part, figures in pairs if part.weight and figures.broken]


def twenty(seen: Twenty | None) -> str:
    """Of twenty people: whose answer is guessed by the class alone, and from what they send; or why nobody is shown."""
    if seen is None:
        return f"Twenty people are shown where there are {FEWEST} or more."
    caught = int(seen.before.sum())
    return (
        f"Of {len(seen.before)} people, the answer of <b>{caught}</b> is guessed by the class alone, of "
        f"<b>{int(seen.after.sum())}</b> with what they send."
    )


def arrivals(frame: Frame, people: Population) -> str:
    """The caption of those who arrive."""
    shown = [p for p in frame.people if p.kind >= 0]
    if not shown:
        return f"The first {people.clear} answer in the clear, so that there is guidance at all."
    if all(p.sent is None for p in shown):
        return f"{escape(frame.reason)} So they refuse: <b>nothing is sent</b>."
    kept = [sum(a == b for a, b in zip(p.truth, p.sent, strict=True)) for p in shown if p.sent is not None]
    mean, of = sum(kept) / len(kept), len(people.encoding.questions)
    mark = "" if of > 20 else ", marked with its true answer"
    return (
        f"Each square is a question{mark}; its colour is what was sent of it. Of the last {len(kept)}, "
        f"<b>{mean:.1f} of {of}</b> {'answer' if of == 1 else 'answers'} came through."
        "<span class='with-pointer'> Rest on a square to read it.</span>"
    )


def guidance(frame: Frame, people: Population, most: int) -> str:
    """The caption of what the miner asks for, of which at most so many directions are drawn."""
    heavy = int(frame.weight.argmax())
    question = escape(brief(people.encoding.questions[heavy]))
    if frame.settings.miner == "outright":
        return f"Picked by hand: all weight stands at <b>{question}</b>."
    if frame.settings.miner == "hidden":
        return f"Picked by hand to read <b>{question}</b>; the other weights are there to hide it."
    drawn = f", of which {most} are drawn" if frame.level > most else ""
    told = (
        f"{plural(frame.level, 'direction')}{in_app(f' (columns{drawn})')}: combinations of answers"
        f"{in_app(', darker where they weigh more')}."
    )
    if singled_out(frame):
        return (
            f"{told} It asks for one answer to <b>{question}</b> all but outright ({frame.weight[heavy]:.2f}), though "
            "nobody picked it by hand: the extra check would not accept that."
        )
    who = "respondents accept" if frame.settings.extra_check else "the extra check would accept"
    return (
        f"{told} No single answer weighs more than {frame.weight[heavy]:.2f} (<b>{question}</b>); the line is the "
        f"most that {who}."
    )


def level(frame: Frame) -> str:
    """The caption of the level's line."""
    x, y = frame.levels
    if frame.settings.malicious:
        return "What the miner's own tables would ask for; what it sends was picked by hand."
    first, low, now = y[0], min(y), y[-1]
    if first == now == low:
        told = f"stays at {first}"
    elif low < min(first, now):
        told = f"fell from {first} to {low} after {count(x[y.index(low)])}, and rose again to <b>{now}</b>"
    else:
        told = f"{'fell' if now < first else 'rose'} from {first} to <b>{now}</b>"
    return f"After {plural(x[-1], 'answer')} the number of directions {told}. Dashed: the most that each kind follows."


def accuracy(frame: Frame, people: Population, rival: Rival | str | None) -> str:
    """The caption of the accuracy's line."""
    number, among = len(people.test[1]), len(people.codes)
    tried = f"tried on {'all' if number == among else 'some'} who can be asked, {count(number)} people"
    text = f"<b>{points(frame.accuracy)}</b> ± {100 * frame.half:.1f} points, {tried}."
    if not frame.arrived:
        return "Nobody has been asked yet. Answers in the clear at the start only begin the guidance."
    if rival is None:
        return f"{text} {_tables(frame)}"
    if isinstance(rival, str):
        return f"{text} {escape(rival)}"
    better, error = frame.accuracy - rival.accuracy, 2**0.5 * frame.half
    word = "no difference beyond chance" if abs(better) <= error else "worse" if better > 0 else "better"
    return f"{text} Noise that gives away as much ({share(rival.disclosed)}) reaches {points(rival.accuracy)}: {word}."


def told_right(frame: Frame) -> str:
    """The same in a lesson: for how many the miner is right."""
    if not frame.arrived:
        return "Nobody has been asked yet."
    return f"The miner is right for <b>{share(frame.accuracy)}</b> of people, after {count(frame.arrived)} answered."


def _tables(frame: Frame) -> str:
    """The worst error in the miner's tables, beside the bound on it; above 1 that says nothing."""
    told = f"The worst share in its tables is {100 * frame.error:.0f} points off"
    if frame.error_bound > 1:
        return f"{told}; the paper's bound says nothing here."
    fails = frame.error > frame.error_bound
    return f"{told}; the paper's bound, {100 * frame.error_bound:.0f}, {'<b>fails</b>' if fails else 'holds'}."


def disclosure(frame: Frame, people: Population) -> str:
    """The caption of what each kind gives away."""
    told = (
        f"Share of what there is to know, for a miner who knows how {count(len(people.law))} people answer, but not "
        "which of them is which. The class is always sent and is not counted. "
    )
    fails = broken(frame)
    if fails:
        return f"{told}<b>The paper's bound fails</b> for {listed(fails)}."
    return f"{told}The paper's bounds hold here, but not always."


def given_away() -> str:
    """The same in a lesson."""
    return "How much of what there is to know about a person's answers the miner learns from what is sent."


def watched(frame: Frame, people: Population) -> str:
    """The caption of one question in a lesson: whose answer is guessed, and no more."""
    question = escape(brief(people.encoding.questions[frame.target.question]))
    return f"How often the answer to <b>{question}</b> is guessed right."


def target(frame: Frame, people: Population) -> str:
    """The caption of one question."""
    question = escape(brief(people.encoding.questions[frame.target.question]))
    honest = "from everybody's clear answers" if frame.settings.malicious else "so far"
    check = " Asked outright, all refuse: the extra check is on." if frame.settings.extra_check else ""
    return (
        f"How often the answer to <b>{question}</b> is guessed, on average over all kinds; whoever answers sends the "
        f"class as it is. Honest guidance is what was learnt {honest}.{check}"
    )
