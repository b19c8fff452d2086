"""What can be looked at on the Survey page: the tables of its cards, how they are drawn, and what is said of them."""

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.looks import Axis, Look, Looks, Mark, with_looks
from trustscope.scenarios.cards import Card
from trustscope.scenarios.frontier import frontier_card
from trustscope.scenarios.grid import map_card
from trustscope.scenarios.survey import help as texts
from trustscope.scenarios.survey import words
from trustscope.scenarios.survey.model import Model, SurveyResult
from trustscope.scenarios.survey.rival import Rival
from trustscope.scenarios.survey.target import TargetFigures
from trustscope.scenarios.survey.verdict import LITTLE, guess_in_force

GUESSES = {
    "nothing": "knowing nothing", "class": "knowing the class", "honest": "honest guidance",
    "outright": "asked outright", "hidden": "within the check",
}  # fmt: skip
FROM = 4  # where axes begin that grow tenfold from tick to tick: they have no 0
DIRECTIONS = 12  # of the guidance, that a page has room for
MOST_QUESTIONS = 30  # questions with a row of their own


def _growing(label: str, most: float) -> Axis:
    """An axis of how many came, on which every number has its place; of many only powers of ten are written."""
    high = max(most, 50.0)
    steps = (1, 2, 5) if high < 2_000 else (1,)
    ticks = [step * 10.0**power for power in range(6) for step in steps]
    return Axis(label, log=True, low=FROM, high=high, ticks=tuple(one for one in ticks if FROM <= one <= high))


def guesses(target: TargetFigures) -> dict[str, float | None]:
    """How often the watched answer is guessed, by who knows what."""
    hidden = None if target.hidden is None else target.hidden.guess
    return {
        "nothing": target.nothing, "class": target.by_class, "honest": target.honest.guess,
        "outright": target.outright.guess, "hidden": hidden,
    }  # fmt: skip


def _arrivals(picture: SurveyResult, model: Model) -> pd.DataFrame:
    frame, encoding = picture.frame, model.people.encoding
    names = [part.name for part in frame.settings.parts]

    def text(question: int, code: int) -> str:
        return {-1: "none", -2: "several"}.get(code) or str(encoding.answers[question][code])

    rows = []
    for person in frame.people:
        row = {"respondent": person.number, "kind": names[person.kind] if person.kind >= 0 else "in the clear",
               "follows": person.level, "refused": person.sent is None}  # fmt: skip
        for j, question in enumerate(encoding.questions):
            row[f"{question}, true"] = text(j, person.truth[j])
            row[f"{question}, sent"] = None if person.sent is None else text(j, person.sent[j])
        rows.append(row)
    return pd.DataFrame(rows)


def _target(picture: SurveyResult, model: Model) -> pd.DataFrame:
    found = guesses(picture.frame.target)
    # Measured on guidance of other answers, it is not what an honest miner has been told so far.
    names = GUESSES | ({"honest": "honest, from clear answers"} if picture.frame.settings.malicious else {})
    table = pd.DataFrame([{"the miner": names[name], "guessed right": guess}
                          for name, guess in found.items() if guess is not None])  # fmt: skip
    return with_looks(table, Looks("the miner", {"guessed right": Look(colours.GUESS, mark="block")},
                                   Axis("guessed right", share=True, low=0.0, high=1.0)))  # fmt: skip


def _twenty(picture: SurveyResult, model: Model) -> pd.DataFrame:
    frame, encoding = picture.frame, model.people.encoding
    seen, question = frame.twenty, frame.target.question
    if seen is None:
        return pd.DataFrame()
    answers = [str(encoding.answers[question][code]) for code in seen.truth]
    gained = guess_in_force(frame) > frame.target.by_class + LITTLE
    table = pd.DataFrame({"person": seen.numbers, encoding.questions[question]: answers,
                          "class alone": seen.before, "what is sent": seen.after})  # fmt: skip
    after = Look(colours.GUESS if gained else colours.SCHEMES["nested"], mark="dot")
    return with_looks(table, Looks("person", {"class alone": Look(colours.ORIGINAL, mark="dot"),
                                              "what is sent": after}))  # fmt: skip


def _accuracy(picture: SurveyResult, model: Model) -> pd.DataFrame:
    people, rival = model.people, picture.rival
    x, y = picture.frame.accuracies
    half = 1.96 * np.sqrt(np.maximum(np.multiply(y, 1 - np.array(y)), 0) / len(people.test[1]))
    table = pd.DataFrame({"respondents": x, "guided": y, "half width": half})
    looks = {"guided": Look(colours.RECIPIENTS[0], width=2.2)}
    low = min(people.majority, *y)
    if isinstance(rival, Rival):
        other = pd.DataFrame({"respondents": rival.x, "randomised": rival.y})
        table = table.merge(other, how="outer", on="respondents").sort_values("respondents", ignore_index=True)
        looks["randomised"] = Look(colours.GUESS, dash="dashed", width=2.2)
        low = min(low, *rival.y)
    table = table.assign(**{"answers in the clear": people.clear_accuracy, "larger class": people.majority})
    return with_looks(table, Looks(
        "respondents", looks,
        _growing("respondents who arrived", float(table["respondents"].max())),
        Axis("class found", share=True, low=max(float(np.floor((low - 0.05) * 10) / 10), 0.0), high=1.0),
        levels=(Mark(people.clear_accuracy, "answers in the clear", colours.SCHEMES["nested"]),
                Mark(people.majority, "larger class", colours.ORIGINAL, "dotted")),
        more={"from": FROM, "around": ("guided", "half width")},
    ))  # fmt: skip


def _disclosure(picture: SurveyResult, model: Model) -> pd.DataFrame:
    frame = picture.frame
    rows = [
        {"kind": part.name, "follows": kind.level, "given away": kind.share, "standard error": kind.error,
         "the paper's bound": kind.bound if kind.level else None, "refuses": bool(kind.refuses)}
        for part, kind in zip(frame.settings.parts, frame.kinds, strict=True)
    ]  # fmt: skip
    rows.append({"kind": "all, on average", "given away": frame.disclosed})
    if isinstance(picture.rival, Rival):
        rows.append({"kind": "randomised", "given away": picture.rival.disclosed})
    return with_looks(pd.DataFrame(rows), Looks(
        "kind",
        {"given away": Look(colours.GUESS, mark="block"),
         "the paper's bound": Look(colours.NEUTRAL, mark="dot", marker="diamond")},
        Axis("share of what there is to know", share=True, low=0.0, high=1.0),
    ))  # fmt: skip


def _own(picture: SurveyResult, model: Model) -> pd.DataFrame:
    result, encoding = picture.own, model.people.encoding
    if result is None:
        return pd.DataFrame()
    sent = {-1: "none", -2: "several"}
    table = pd.DataFrame([
        {"question": question, "answer": str(encoding.answers[j][picture.own_answers[j]]),
         "sent": "refused" if result.refuses
         else sent.get(int(result.sent[j])) or str(encoding.answers[j][int(result.sent[j])]),
         "believed before": float(result.before[j]), "believed after": float(result.after[j])}
        for j, question in enumerate(encoding.questions)
    ])  # fmt: skip
    return with_looks(table, Looks(
        "question",
        {"believed after": Look(colours.ATTACKERS["bayes"], "belief after", mark="block"),
         "believed before": Look(colours.NEUTRAL, "before", mark="dot", marker="diamond")},
        Axis("belief in the answer", share=True, low=0.0, high=1.0), more={"drawn": MOST_QUESTIONS},
    ))  # fmt: skip


def _guidance(picture: SurveyResult, model: Model) -> pd.DataFrame:
    frame, encoding = picture.frame, model.people.encoding
    shades = np.sqrt(np.add.reduceat(frame.basis**2, encoding.starts, axis=0))
    table = pd.DataFrame({"question": list(encoding.questions), "heaviest answer": frame.weight}
                         | {f"direction {c + 1}": shades[:, c] for c in range(shades.shape[1])})  # fmt: skip
    return with_looks(table, Looks(
        "question", {"heaviest answer": Look(colours.GUESS, "heaviest answer of the question", mark="block")},
        Axis("weight", low=0.0, high=1.0), uprights=(Mark(frame.bound, "what the extra check accepts"),),
        more={"drawn": MOST_QUESTIONS, "shades": shades},
    ))  # fmt: skip


def _level(picture: SurveyResult, model: Model) -> pd.DataFrame:
    frame = picture.frame
    table = pd.DataFrame(dict(zip(("answers received", "directions"), map(list, frame.levels), strict=True)))
    top = max(max(frame.levels[1]), *(part.level or 0 for part in frame.settings.parts)) + 1
    return with_looks(table, Looks(
        "answers received", {"directions": Look(colours.SCHEMES["nested"], "asked for", width=2.2)},
        _growing("answers received", float(frame.levels[0][-1])),
        Axis("directions", low=0.0, high=float(top)),
        levels=tuple(
            Mark(part.level, part.name, part.colour) for part in frame.settings.parts if part.level is not None
        ),
        more={"from": FROM},
    ))  # fmt: skip


CARDS = (
    Card("arrivals", "Respondents arriving", _arrivals, lambda p, m: words.arrivals(p.frame, m.people),
         "charts.written", texts.ARRIVALS, live="arrivals", opens=True, records=True),
    Card("target", "How often one answer is guessed", _target, lambda p, m: words.target(p.frame, m.people),
         "charts.bars", texts.TARGET, live="bars", opens=True, short=lambda p, m: words.watched(p.frame, m.people)),
    Card("twenty", "Twenty people", _twenty, lambda p, m: words.twenty(p.frame.twenty),
         "charts.people", texts.TWENTY, live="twenty", records=True, within="target"),
    Card("accuracy", "How good the classifier gets", _accuracy,
         lambda p, m: words.accuracy(p.frame, m.people, p.rival), "charts.curves", texts.ACCURACY, live="lines",
         short=lambda p, m: words.told_right(p.frame)),
    Card("disclosure", "What each kind gives away", _disclosure, lambda p, m: words.disclosure(p.frame, m.people),
         "charts.bars", texts.DISCLOSURE, live="bars", short=lambda p, m: words.given_away()),
    Card("own", "Your own answers", _own, None, "charts.bars", texts.OWN, live="questionnaire", records=True),
    Card("guidance", "What the miner asks for", _guidance,
         lambda p, m: words.guidance(p.frame, m.people, DIRECTIONS),
         "charts.bars", texts.GUIDANCE, expert=True, live="heat"),
    Card("level", "How much is asked for", _level, lambda p, m: words.level(p.frame),
         "charts.curves", texts.LEVEL, expert=True, live="lines"),
    frontier_card(texts.TRADEOFF),
    map_card(texts.MAP),
)  # fmt: skip
