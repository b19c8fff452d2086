"""The figures of the Survey page: all that its headline and its cards say, of everybody who has answered."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from trustscope.datasets import Dataset
from trustscope.scenarios.figures import SHARE, Figure, Figures, said
from trustscope.scenarios.solve.required import on_survey
from trustscope.scenarios.survey.loading import fetch, load
from trustscope.scenarios.survey.model import Picture, own_codes
from trustscope.scenarios.survey.model import Progress as Answering
from trustscope.scenarios.survey.rival import Rival
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.survey.verdict import guess_in_force, headline
from trustscope.scenarios.whole import Cancel, Progress, Whole, last

RECORDS = {"Respondents arriving", "Your own answers"}  # cards that show single records
GUESSES = {
    "nothing": "knowing nothing", "class": "knowing the class", "honest": "honest guidance",
    "outright": "asked outright", "hidden": "within the check",
}  # fmt: skip


def whole(
    scenario: SurveyScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Whole:  # fmt: skip
    """The scenario with as many answers as it says, all views open."""
    data = fetch(scenario, own)
    model = load(data, scenario)
    fitted = model.fitted(scenario)
    steps = model.passes(fitted.having({"view.closer": "own"}), None)
    picture = last(steps, progress, cancel, lambda p: p.arrived / max(p.goal, 1) if isinstance(p, Answering) else 1.0)
    return Whole(fitted, data, model, picture)


def figures_of(found: Whole) -> Figures:
    """What the page says of it."""
    picture, people = found.picture, found.model.people
    frame = picture.frame
    own = found.scenario.view.own
    return said(
        "survey", headline(frame, people), (*_figures(picture, people), *on_survey(found)), tables(picture, people, own)
    )


# Figures


def _figures(picture: Picture, people) -> Iterator[Figure]:
    frame, target = picture.frame, picture.frame.target
    yield Figure("arrived", "respondents who arrived", frame.arrived)
    yield Figure("received", "answers received", frame.received)
    yield Figure("refused", "respondents who refused", frame.refused)
    yield Figure("question", "the question that is watched", people.encoding.questions[target.question])
    for name, label in GUESSES.items():
        if (guess := guesses(target)[name]) is not None:
            yield Figure(f"guess.{name}", f"how often its answer is guessed, {label}", guess, SHARE)
    yield Figure("guess", "how often its answer is guessed under the guidance in force", guess_in_force(frame), SHARE)
    yield Figure(
        "accuracy", "share of people whose class the miner finds", frame.accuracy, SHARE, measured=frame.accuracy,
        tolerance=frame.half,
    )  # fmt: skip
    yield Figure("accuracy.clear", "the same from answers in the clear", people.clear_accuracy, SHARE)
    yield Figure("accuracy.majority", "the same by naming the larger class", people.majority, SHARE)
    yield Figure("disclosed", "what respondents give away on average", frame.disclosed, SHARE)
    for part, kind in zip(frame.settings.parts, frame.kinds, strict=True):
        held = None if not kind.level else not kind.broken
        yield Figure(
            f"disclosed.{part.name}", f"what {part.name} give away; the theory is the paper's bound", kind.share, SHARE,
            kind.bound if kind.level else None, kind.share, 3 * kind.error, held,
        )  # fmt: skip
        yield Figure(f"level.{part.name}", f"directions that {part.name} follow", kind.level)
    yield Figure("level", "directions that honest guidance asks for", frame.level)
    yield Figure(
        "error", "the worst error in the miner's tables; the theory is the paper's bound", frame.error,
        theory=frame.error_bound, measured=frame.error, tolerance=0.0,
        agrees=None if frame.error_bound > 1 else frame.error <= frame.error_bound,
    )  # fmt: skip
    if isinstance(picture.rival, Rival):
        yield Figure("rival.accuracy", "what noise reaches that gives away as much", picture.rival.accuracy, SHARE)
        yield Figure("rival.disclosed", "what that noise gives away", picture.rival.disclosed, SHARE)


def guesses(target) -> dict[str, float | None]:
    """How often the watched answer is guessed, by who knows what."""
    hidden = None if target.hidden is None else target.hidden.guess
    return {
        "nothing": target.nothing, "class": target.by_class, "honest": target.honest.guess,
        "outright": target.outright.guess, "hidden": hidden,
    }  # fmt: skip


# Tables


def tables(picture: Picture, people, own) -> dict[str, pd.DataFrame]:
    """A table for each card."""
    frame = picture.frame
    made = {
        "Respondents arriving": _arrivals(frame, people),
        "How often one answer is guessed": [
            {"the miner": GUESSES[name], "guessed right": guess}
            for name, guess in guesses(frame.target).items() if guess is not None
        ],
        "How good the classifier gets": _accuracy(picture, people),
        "What each kind gives away": _disclosure(picture),
        "Your own answers": _own(picture, people, own),
        "What the miner asks for": _guidance(frame, people),
        "How much is asked for": dict(zip(("answers received", "directions"), map(list, frame.levels), strict=True)),
    }  # fmt: skip
    return {title: pd.DataFrame(rows) for title, rows in made.items()}


def _arrivals(frame, people) -> list[dict]:
    names = [part.name for part in frame.settings.parts]
    answers = people.encoding.answers

    def text(question, code):
        return {-1: "none", -2: "several"}.get(code) or str(answers[question][code])

    rows = []
    for person in frame.people:
        row = {"respondent": person.number, "kind": names[person.kind] if person.kind >= 0 else "in the clear",
               "follows": person.level, "refused": person.sent is None}  # fmt: skip
        for j, question in enumerate(people.encoding.questions):
            row[f"{question}, true"] = text(j, person.truth[j])
            row[f"{question}, sent"] = None if person.sent is None else text(j, person.sent[j])
        rows.append(row)
    return rows


def _accuracy(picture, people) -> pd.DataFrame:
    x, y = picture.frame.accuracies
    half = 1.96 * np.sqrt(np.maximum(np.multiply(y, 1 - np.array(y)), 0) / len(people.test[1]))
    table = pd.DataFrame({"respondents": x, "guided": y, "half width": half})
    if isinstance(picture.rival, Rival):
        rival = pd.DataFrame({"respondents": picture.rival.x, "randomised": picture.rival.y})
        table = table.merge(rival, how="outer", on="respondents").sort_values("respondents", ignore_index=True)
    return table.assign(**{"answers in the clear": people.clear_accuracy, "larger class": people.majority})


def _disclosure(picture) -> list[dict]:
    frame = picture.frame
    rows = [
        {"kind": part.name, "follows": kind.level, "given away": kind.share, "standard error": kind.error,
         "the paper's bound": kind.bound if kind.level else None, "refuses": bool(kind.refuses)}
        for part, kind in zip(frame.settings.parts, frame.kinds, strict=True)
    ]  # fmt: skip
    rows.append({"kind": "all, on average", "given away": frame.disclosed})
    if isinstance(picture.rival, Rival):
        rows.append({"kind": "randomised", "given away": picture.rival.disclosed})
    return rows


def _own(picture, people, own) -> list[dict]:
    result, encoding = picture.own, people.encoding
    codes = own_codes(people, own.answers)
    sent = {-1: "none", -2: "several"}
    return [
        {"question": question, "answer": str(encoding.answers[j][codes[j]]),
         "sent": "refused" if result.refuses
         else sent.get(int(result.sent[j])) or str(encoding.answers[j][int(result.sent[j])]),
         "believed before": float(result.before[j]), "believed after": float(result.after[j])}
        for j, question in enumerate(encoding.questions)
    ]  # fmt: skip


def _guidance(frame, people) -> dict:
    encoding = people.encoding
    shades = np.sqrt(np.add.reduceat(frame.basis**2, encoding.starts, axis=0))
    made = {"question": list(encoding.questions), "heaviest answer": frame.weight}
    return made | {f"direction {c + 1}": shades[:, c] for c in range(shades.shape[1])}
