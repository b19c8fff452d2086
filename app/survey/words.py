"""What the Survey dashboard says, in plain words."""

from html import escape

from app.words import count, listed, share
from widgets.verdict import Figure

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
EARLY, FELL = 100, 0.015  # respondents before whom the classifier jumps about, and a loss worth telling
OUTRIGHT = 0.97  # the weight from which a single answer is all but asked for outright
RIVAL_WORDS = "Noise on every answer (Agrawal and Srikant), as much as gives away the same on average."
SENT = (
    ("the truth", "#12809c", "block"),
    ("another answer", "#d9541e", "block"),
    ("several", "#7b8794", "striped"),
    ("none", "#aeb8c4", "hollow"),
)


def points(value: float) -> str:
    """A share with one decimal."""
    return f"{100 * value:.1f} %"


def brief(text: str, most: int = 34) -> str:
    """A question, cut where it is long."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def short_kind(name: str) -> str:
    """A kind of respondent in one word."""
    return {"fundamentalists": "fundam.", "pragmatists": "pragm.", "marginally concerned": "marginal"}.get(name, name)


def plural(number: int, noun: str) -> str:
    """1 direction, 2 directions."""
    return f"{count(number)} {noun}" + ("" if number == 1 else "s")


def verdict(frame, people) -> dict:
    """The sentence on top, for the survey."""
    if not frame.arrived:
        return _nobody(frame, people)
    if frame.settings.malicious:
        return _malicious(frame, people)
    first, second = (brief(name, 24) for name in people.names)
    what = f"{first} from all others" if second.startswith("not ") else f"{first} from {second}"
    if frame.accuracy <= people.majority + 0.01:
        tone, title = "leak", f"What was sent does not tell {what}."
    else:
        tone = "safe" if people.clear_accuracy - frame.accuracy <= 0.05 else "quiet"
        title = f"The miner tells {what} for {share(frame.accuracy)} of people."
    text = (
        f"Answers in the clear would make it {share(people.clear_accuracy)}; always naming the commoner class, "
        f"{share(people.majority)}. {_given(frame)}{_later(frame, people)}"
    )
    if frame.settings.order == "signed":
        text += f" In signed order, what favours {second} comes last: compare with magnitude."
    return {"title": title, "text": text, "figures": _figures(frame, people), "tone": tone}


def _nobody(frame, people):
    """Before anybody was asked there is nothing to tell."""
    names = ("right about the class", "given away, on average", "directions asked for", "refused")
    return {
        "title": "Nobody has been asked yet: press play.",
        "text": f"The first {people.clear} answered in the clear, so that there is guidance. The cards show what "
        "respondents who follow it would give away.",
        "figures": [Figure("–", name) for name in names],
        "tone": "quiet",
    }


def _later(frame, people) -> str:
    """What a long survey does to itself, where it does: a worse classifier, and guidance that singles out an answer."""
    told = ""
    line = [(height, place) for place, height in zip(*frame.accuracies, strict=True) if place >= EARLY]
    best, when = max(line, default=(0.0, 0))
    if best - frame.accuracy > FELL:
        told += f" It was {share(best)} after {count(when)} respondents, and has got worse since."
    heavy = int(frame.weight.argmax())
    if _singled_out(frame):
        told += (
            f" By now the guidance asks for “{brief(people.encoding.questions[heavy])}” all but outright: learnt from "
            "perturbed answers, it comes to favour single ones."
        )
    return told


def _singled_out(frame) -> bool:
    """Whether honest guidance asks for one answer all but outright, to those who do not follow nearly all anyway."""
    return frame.weight.max() > OUTRIGHT > frame.bound and not frame.settings.extra_check


def _given(frame) -> str:
    parts = [
        f"{part.name} {'refuse' if figures.refuses else 'nothing' if figures.silent else share(figures.share)}"
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if part.weight
    ]
    refused = f"; {count(frame.refused)} refused so far" if frame.refused else ""
    return f"Given away of what there is to know: {listed(parts)}{refused}."


def broken(frame) -> list[str]:
    """Kinds for whom the paper's bound on disclosure fails."""
    pairs = zip(frame.settings.parts, frame.kinds, strict=True)
    return [part.name for part, figures in pairs if part.weight and figures.broken]


def _figures(frame, people):
    sends = any(f.level for part, f in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight)
    fails = broken(frame)
    kept = f"bound fails for {plural(len(fails), 'kind')}" if fails else f"bound {share(frame.bound_on_average)}, kept"
    lost = 100 * (people.clear_accuracy - frame.accuracy)
    return [
        Figure(points(frame.accuracy), "right about the class", f"± {100 * frame.half:.1f} points", toned=True),
        Figure(share(frame.disclosed), "given away, on average", kept if sends else ""),
        Figure(str(frame.level), "directions asked for", f"of {frame.basis.shape[0]}"),
        Figure(f"{abs(lost):.1f} points", f"{'below' if lost >= 0 else 'above'} answers in the clear"),
    ]


def _malicious(frame, people):
    target, miner = frame.target, frame.settings.miner
    question = brief(people.encoding.questions[target.question])
    kinds = [
        (part.name, figures) for part, figures in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight
    ]
    refusing = [name for name, figures in kinds if figures.refuses]
    silent = [name for name, figures in kinds if figures.silent]
    sends = any(figures.level for _, figures in kinds)
    found = target.outright if miner == "outright" else target.hidden
    if found is None:
        title, tone = "There is nothing to hide this question among.", "quiet"
        text = "With so few questions, no guidance passes the check and still asks for this one."
    elif not sends:
        title, text, tone = *_unanswered(frame, question, refusing, silent), "safe"
    elif miner == "outright":
        title, text, tone = *_outright(frame, question, refusing, silent), "leak"
    else:
        passes = "passes" if frame.settings.extra_check else "would pass the extra check"
        title = f"The guidance {passes}, and finds “{question}” for {share(found.guess)} of people."
        text = (
            f"Knowing nothing, {share(target.nothing)} would be guessed right, and {share(target.by_class)} by the "
            "class, which is sent as it is. Honest guidance, learnt from everybody's clear answers, finds "
            f"{share(target.honest.guess)}."
        )
        tone = "safe" if found.guess <= target.honest.guess else "leak"
    figures = [
        Figure(points(target.by_class), "guessed by the class alone", f"{points(target.nothing)} by nothing"),
        Figure(points(target.honest.guess), "from honest guidance", "learnt in the clear"),
        Figure(
            "–" if found is None or not sends else points(found.guess), "picked by hand",
            "" if sends else "no answer is sent", toned=True,
        ),
        Figure(count(frame.refused), "refused", f"of {count(frame.arrived)}"),
    ]  # fmt: skip
    return {"title": title, "text": text, "figures": figures, "tone": tone}


def _unanswered(frame, question, refusing, silent):
    """Title and text where no answer leaves."""
    alone = f"The class alone lets “{question}” be guessed for {share(frame.target.by_class)} of people."
    if not silent:
        return "Everybody refuses: nothing leaves.", f"{frame.reason} Without the extra check nothing would stop it."
    if not refusing:
        return "Nobody follows anything: nothing leaves but the class.", alone
    return f"{listed(refusing)} refuse, {listed(silent)} follow nothing: no answer leaves.", f"{frame.reason} {alone}"


def _outright(frame, question, refusing, silent):
    """Title and text where a question is asked for outright, and some answer."""
    kinds = [
        (part.name, guess)
        for part, figures, guess in zip(frame.settings.parts, frame.kinds, frame.target.outright.kinds, strict=True)
        if part.weight and figures.level
    ]
    apart = ((refusing, "refuse"), (silent, "follow nothing"))
    rest = [f"{listed(names)} {verb}" for names, verb in apart if names]
    if any(guess < 1 for _, guess in kinds):
        title = f"The miner finds the answer to “{question}” for {share(frame.target.outright.guess)} of people"
    else:
        whom = listed([name for name, _ in kinds]) if rest else "everybody"
        title = f"The miner reads the answer to “{question}” of {whom}"
    text = (
        "The guidance is orthonormal, and the paper has respondents check no more; yet it asks for one answer "
        "outright. The extra check would stop it: no single answer may weigh so much."
    )
    return "; ".join([title, *rest]) + ".", text


def arrivals(frame, people) -> str:
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
        f"<b>{mean:.1f} of {of}</b> {'answer' if of == 1 else 'answers'} came through. Rest on a square to read it."
    )


def guidance(frame, people, most: int) -> str:
    """The caption of what the miner asks for, of which at most so many directions are drawn."""
    heavy = int(frame.weight.argmax())
    question = escape(brief(people.encoding.questions[heavy]))
    if frame.settings.miner == "outright":
        return f"Picked by hand: all weight stands at <b>{question}</b>."
    if frame.settings.miner == "hidden":
        return f"Picked by hand to read <b>{question}</b>; the other shades are there to hide it."
    drawn = f", of which {most} are drawn" if frame.level > most else ""
    told = (
        f"{plural(frame.level, 'direction')} (columns{drawn}): combinations of answers, darker where they weigh more."
    )
    if _singled_out(frame):
        return (
            f"{told} It asks for one answer to <b>{question}</b> all but outright ({frame.weight[heavy]:.2f}), though "
            "nobody picked it by hand: the extra check would not accept that."
        )
    who = "respondents accept" if frame.settings.extra_check else "the extra check would accept"
    return (
        f"{told} No single answer weighs more than {frame.weight[heavy]:.2f} (<b>{question}</b>); the stroke is the "
        f"most that {who}."
    )


def level(frame) -> str:
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


def accuracy(frame, people, rival) -> str:
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


def _tables(frame) -> str:
    """The worst error in the miner's tables, beside the bound on it; above 1 that says nothing."""
    told = f"The worst share in its tables is {100 * frame.error:.0f} points off"
    if frame.error_bound > 1:
        return f"{told}; the paper's bound says nothing here."
    fails = frame.error > frame.error_bound
    return f"{told}; the paper's bound, {100 * frame.error_bound:.0f}, {'<b>fails</b>' if fails else 'holds'}."


def disclosure(frame, people) -> str:
    """The caption of what each kind gives away."""
    told = (
        f"Share of what there is to know, for a miner who knows how {count(len(people.law))} people answer, but not "
        "which of them is which. The class comes on top. "
    )
    fails = broken(frame)
    if fails:
        return f"{told}<b>The paper's bound fails</b> for {listed(fails)}."
    return f"{told}The strokes are the paper's bounds, which hold here and need not."


def target(frame, people) -> str:
    """The caption of one question."""
    question = escape(brief(people.encoding.questions[frame.target.question]))
    honest = "from everybody's clear answers" if frame.settings.malicious else "so far"
    check = " Asked outright, all refuse: the extra check is on." if frame.settings.extra_check else ""
    return (
        f"How often the answer to <b>{question}</b> is guessed, on average over all kinds; whoever answers sends the "
        f"class as it is. Honest guidance is what was learnt {honest}.{check}"
    )


def _sure(belief: float) -> str:
    return "and certain" if belief > 1 - 1e-9 else f"at {points(min(belief, 0.999))}"


def own(own, level, label) -> dict:
    """The sentence on top, for one's own answers; `label` is what the class is called."""
    n = len(own.before)
    if own.refuses:
        return {
            "title": "You would refuse this guidance, and send nothing.",
            "text": own.refuses,
            "figures": [],
            "tone": "safe",
        }
    label = brief(label, 24)
    mine = "your answer" if n == 1 else f"your {n} answers"
    title = f"From what you would send, a miner guesses {own.right_after} of {mine} right."
    if level == 0:
        title = f"You send nothing but your {label}: {own.right_after} of {mine} can be guessed from it."
    text = (
        f"Knowing only how others answer, it would guess {own.right_before}; with your {label}, which is sent as it "
        f"is, {own.right_class}. It is surest about “{brief(own.surest[0])}”, {_sure(own.surest[1])}."
    )
    if level:
        text += " Draw again to see what else chance might have sent."
    gained = own.right_after > own.right_before
    figures = [
        Figure(f"{own.right_after} of {n}", "answers guessed right", f"{own.right_before} before", toned=gained),
        Figure(f"{own.bits:.1f} bits", "learnt about you", f"of {own.entropy:.1f} there are"),
        Figure(f"{own.same} of {n}", "answers sent truly", f"{own.other} sent falsely"),
    ]
    return {"title": title, "text": text, "figures": figures, "tone": "leak" if own.share > 0.5 else "safe"}
