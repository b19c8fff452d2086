"""The sentence on top of the Survey dashboard, and the figures behind it."""

from trustscope.scenarios.statement import Metric
from trustscope.scenarios.survey.words import brief, broken, plural, points, singled_out
from trustscope.scenarios.words import count, listed, share

EARLY, FELL = 100, 0.015  # respondents before whom the classifier jumps about, and a loss worth telling


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
    return {"title": title, "text": text, "metrics": _metrics(frame, people), "tone": tone}


def _nobody(frame, people):
    """Before anybody was asked there is nothing to tell."""
    names = ("right about the class", "given away, on average", "directions asked for", "refused")
    return {
        "title": "Nobody has been asked yet: press play.",
        "text": f"The first {people.clear} answered in the clear, so that there is guidance. The cards show what "
        "respondents who follow it would give away.",
        "metrics": [Metric("–", name) for name in names],
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
    if singled_out(frame):
        told += (
            f" By now the guidance asks for “{brief(people.encoding.questions[heavy])}” all but outright: learnt from "
            "perturbed answers, it comes to favour single ones."
        )
    return told


def _given(frame) -> str:
    parts = [
        f"{part.name} {'refuse' if figures.refuses else 'nothing' if figures.silent else share(figures.share)}"
        for part, figures in zip(frame.settings.parts, frame.kinds, strict=True)
        if part.weight
    ]
    refused = f"; {count(frame.refused)} refused so far" if frame.refused else ""
    return f"Given away of what there is to know: {listed(parts)}{refused}."


def _metrics(frame, people):
    sends = any(f.level for part, f in zip(frame.settings.parts, frame.kinds, strict=True) if part.weight)
    fails = broken(frame)
    kept = f"bound fails for {plural(len(fails), 'kind')}" if fails else f"bound {share(frame.bound_on_average)}, kept"
    lost = 100 * (people.clear_accuracy - frame.accuracy)
    return [
        Metric(points(frame.accuracy), "right about the class", f"± {100 * frame.half:.1f} points", toned=True),
        Metric(share(frame.disclosed), "given away, on average", kept if sends else ""),
        Metric(str(frame.level), "directions asked for", f"of {frame.basis.shape[0]}"),
        Metric(f"{abs(lost):.1f} points", f"{'below' if lost >= 0 else 'above'} answers in the clear"),
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
    metrics = [
        Metric(points(target.by_class), "guessed by the class alone", f"{points(target.nothing)} by nothing"),
        Metric(points(target.honest.guess), "from honest guidance", "learnt in the clear"),
        Metric(
            "–" if found is None or not sends else points(found.guess), "picked by hand",
            "" if sends else "no answer is sent", toned=True,
        ),
        Metric(count(frame.refused), "refused", f"of {count(frame.arrived)}"),
    ]  # fmt: skip
    return {"title": title, "text": text, "metrics": metrics, "tone": tone}


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


def _sure(belief: float) -> str:
    return "and certain" if belief > 1 - 1e-9 else f"at {points(min(belief, 0.999))}"


def own(own, level, label) -> dict:
    """The sentence on top, for one's own answers; `label` is what the class is called."""
    n = len(own.before)
    if own.refuses:
        return {
            "title": "You would refuse this guidance, and send nothing.",
            "text": own.refuses,
            "metrics": [],
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
    metrics = [
        Metric(f"{own.right_after} of {n}", "answers guessed right", f"{own.right_before} before", toned=gained),
        Metric(f"{own.bits:.1f} bits", "learnt about you", f"of {own.entropy:.1f} there are"),
        Metric(f"{own.same} of {n}", "answers sent truly", f"{own.other} sent falsely"),
    ]
    return {"title": title, "text": text, "metrics": metrics, "tone": "leak" if own.share > 0.5 else "safe"}
