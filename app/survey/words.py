"""What the Survey dashboard says, in plain words."""

from html import escape

from app.words import count, listed, share
from widgets.verdict import Figure

ORDER_WORDS = {
    "magnitude": ("by magnitude", "The directions that tell the classes apart most come first, whichever they favour."),
    "signed": ("signed", "The paper's order, to compare: what favours the second class comes last, however strong."),
}
MINER_WORDS = {
    "honest": ("honest", "The guidance is learnt from what was sent so far."),
    "outright": ("asks outright", "Guidance picked by hand: it asks for the answer to one question and nothing else."),
    "hidden": ("hides it", "Guidance picked by hand: the strongest that is known to pass the extra check."),
}
CHECK_WORDS = "Respondents refuse guidance in which a single answer weighs too much. The paper has no such check."
RIVAL_WORDS = "Noise on every answer (Agrawal and Srikant), as much as gives away the same on average."
SENT = (
    ("the truth", "#12809c", "block"),
    ("another answer", "#d9541e", "block"),
    ("several", "#8a6fd1", "block"),
    ("none", "#aeb8c4", "area"),
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


def verdict(frame, people) -> dict:
    """The sentence on top, for the survey."""
    if frame.settings.malicious:
        return _malicious(frame, people)
    first, second = (brief(name, 24) for name in people.names)
    what = f"{first} from all others" if second.startswith("not ") else f"{first} from {second}"
    if not frame.arrived:
        tone, title = "quiet", "Nobody has been asked yet: press play."
    elif frame.accuracy <= people.majority + 0.01:
        tone, title = "leak", f"What was sent does not tell {what}."
    else:
        tone = "safe" if people.clear_accuracy - frame.accuracy <= 0.05 else "quiet"
        title = f"The miner tells {what} for {share(frame.accuracy)} of people."
    text = (
        f"Answers in the clear would make it {share(people.clear_accuracy)}; always naming the commoner class, "
        f"{share(people.majority)}. {_given(frame)}"
    )
    if frame.settings.order == "signed":
        text += " In signed order, what favours the second class comes last: compare with magnitude."
    return {"title": title, "text": text, "figures": _figures(frame), "tone": tone}


def _given(frame) -> str:
    parts = [
        f"{part.name} {'refuse' if figures.refuses else share(figures.share)}"
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if part.weight
    ]
    refused = f"; {count(frame.refused)} refused so far" if frame.refused else ""
    return f"Given away of what there is to know: {listed(parts)}{refused}."


def _figures(frame):
    half = f"± {100 * frame.half:.1f} points"
    most = max(figures.bound for figures in frame.kinds)
    broken = any(figures.share > figures.bound + 3 * _error(figures) for figures in frame.kinds)
    return [
        Figure(points(frame.accuracy), "right about the class", half, toned=True),
        Figure(share(frame.disclosed), "given away, on average", _bound(most, broken, share)),
        Figure(str(frame.level), "directions asked for", f"of {frame.basis.shape[0]}"),
        Figure(
            f"{frame.error:.2f}",
            "worst error in its tables",
            _bound(frame.error_bound, frame.error > frame.error_bound, "{:.2f}".format),
        ),
    ]


def _bound(bound, broken, told):
    """The paper's bound, and whether it holds; above 1 it says nothing."""
    return f"bound {told(bound)}, {'broken' if broken else 'kept' if bound <= 1 else 'empty'}"


def _error(figures):
    return 0.0 if figures.disclosure is None else figures.disclosure.standard_error


def _malicious(frame, people):
    target = frame.target
    question = brief(people.encoding.questions[target.question])
    reads = frame.settings.miner == "outright"
    answering = [
        (part, figures)
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if part.weight and figures.level
    ]
    found = target.outright if reads else target.hidden
    refusing = [
        part.name
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if part.weight and figures.refuses
    ]
    if not answering:
        title = "Everybody refuses: nothing leaves."
        text = f"{frame.reason} Without the extra check the miner would read the answer to “{question}” of everybody."
        tone = "safe"
    elif reads:
        title = f"The miner reads the answer to “{question}”" + (
            " of everybody." if not refusing else f" of those who accept anything; {listed(refusing)} refuse."
        )
        text = (
            "The guidance is orthonormal, and the paper has respondents check no more; yet it asks for one answer "
            "outright. The extra check would stop it: no single answer may weigh so much."
        )
        tone = "leak"
    elif found is None:
        title, tone = "There is nothing to hide this question among.", "quiet"
        text = "With so few questions, no guidance passes the check and still asks for this one."
    else:
        title = f"The guidance passes, and finds “{question}” for {share(found.guess)} of people."
        text = (
            f"Knowing nothing, {share(target.nothing)} would be guessed right; honest guidance finds it for "
            f"{share(target.honest.guess)} of those who follow as many directions, and asking outright for all."
        )
        tone = "safe" if found.guess < target.honest.guess else "leak"
    figures = [
        Figure(points(target.nothing), "guessed knowing nothing"),
        Figure(points(target.honest.guess), "from honest guidance", f"for {target.level} directions"),
        Figure(
            "–" if found is None or not answering else points(found.guess), "picked by hand", "nothing is sent"
            if not answering else "", toned=True,
        ),
        Figure(count(frame.refused), "refused", f"of {count(frame.arrived)}"),
    ]  # fmt: skip
    return {"title": title, "text": text, "figures": figures, "tone": tone}


def arrivals(frame, people) -> str:
    """The caption of those who arrive."""
    shown = [p for p in frame.people if p.kind >= 0]
    if not shown:
        return f"The first {people.clear} answer in the clear, so that there is guidance at all."
    if all(p.sent is None for p in shown):
        return f"{escape(frame.reason)} So they refuse: <b>nothing is sent</b>."
    kept = [sum(a == b for a, b in zip(p.truth, p.sent, strict=True)) for p in shown if p.sent is not None]
    mean, of = sum(kept) / len(kept), len(people.encoding.questions)
    squares = "Squares are questions" if of > 20 else "Letters are true answers"
    return (
        f"{squares}, colours what was sent of them: of the last {len(kept)}, <b>{mean:.1f} of {of}</b> answers came "
        "through. Rest on a square to read it."
    )


def guidance(frame, people) -> str:
    """The caption of what the miner asks for."""
    encoding = people.encoding
    heavy = int(frame.weight.argmax())
    question = escape(brief(encoding.questions[heavy]))
    if frame.settings.malicious:
        return f"Picked by hand: every shade stands at <b>{question}</b>, or at questions that cancel out."
    if frame.settings.extra_check:
        stroke = "the stroke is the most that respondents accept"
    else:
        stroke = "the stroke is what the extra check would accept"
    return (
        f"{frame.level} directions (columns), darker where they weigh a question more. No single answer weighs more "
        f"than {frame.weight[heavy]:.2f} (<b>{question}</b>); {stroke}."
    )


def level(frame) -> str:
    """The caption of the level's line."""
    x, y = frame.levels
    if frame.settings.malicious:
        return "What the miner's own tables would ask for; what it sends was picked by hand."
    first, now = y[0], y[-1]
    change = "stays at" if first == now else "fell from" if now < first else "rose from"
    told = f"{change} {first}" + ("" if first == now else f" to <b>{now}</b>")
    return f"After {count(x[-1])} answers the miner's level {told}. Dashed: the most that each kind follows."


def accuracy(frame, people, rival) -> str:
    """The caption of the accuracy's line."""
    tried = f"tried on {count(len(people.test[1]))} people"
    text = f"<b>{points(frame.accuracy)}</b> ± {100 * frame.half:.1f} points, {tried}."
    if rival is None:
        return f"{text} Answers in the clear at the start only begin the guidance."
    if isinstance(rival, str):
        return f"{text} {rival}"
    better = frame.accuracy - rival.accuracy
    word = "about as good" if abs(better) < 0.02 else "worse" if better > 0 else "better"
    return f"{text} Noise that gives away as much ({share(rival.disclosed)}) reaches {points(rival.accuracy)}: {word}."


def disclosure(frame) -> str:
    """The caption of what each kind gives away."""
    broken = [
        part.name
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if figures.share > figures.bound + 3 * _error(figures)
    ]
    told = "Share of all that there is to know about a respondent's answers. "
    if broken:
        return f"{told}<b>The paper's bound fails</b> for {listed(broken)}."
    return f"{told}The strokes are the paper's bounds, which hold here and need not."


def target(frame, people) -> str:
    """The caption of one question."""
    figures = frame.target
    question = escape(brief(people.encoding.questions[figures.question]))
    hidden = "" if figures.hidden is None else f", and {share(figures.hidden.guess)} if it must pass the extra check"
    return (
        f"How often the answer to <b>{question}</b> is guessed, from respondents who follow {figures.level} "
        f"direction{'s' if figures.level > 1 else ''}: asked outright always{hidden}."
    )


def _sure(belief: float) -> str:
    return "and certain" if belief > 0.9995 else f"at {points(belief)}"


def own(own, level) -> dict:
    """The sentence on top, for one's own answers."""
    n = len(own.before)
    if own.refuses:
        return {
            "title": "You would refuse this guidance, and send nothing.",
            "text": own.refuses,
            "figures": [],
            "tone": "safe",
        }
    gained = own.right_after - own.right_before
    title = f"From what you would send, a miner guesses {own.right_after} of your {n} answers right."
    if level == 0:
        title = f"You send nothing but your class: {own.right_before} of your {n} answers are guessed right anyway."
    text = (
        f"Knowing only how others answer, it would guess {own.right_before}. It is surest about "
        f"“{brief(own.surest[0])}”, {_sure(own.surest[1])}. Draw again to see what else chance might have sent."
    )
    figures = [
        Figure(f"{own.right_after} of {n}", "answers guessed right", f"{own.right_before} before", toned=gained > 0),
        Figure(f"{own.bits:.1f} bits", "learnt about you", f"of {own.entropy:.1f} there are"),
        Figure(f"{own.same} of {n}", "answers sent truly", f"{own.other} sent falsely"),
    ]
    return {"title": title, "text": text, "figures": figures, "tone": "leak" if own.share > 0.5 else "safe"}
