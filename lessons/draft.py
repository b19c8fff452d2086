"""A lesson that is being written: plain JSON, of which parts may still be missing.

An editor changes it freely; `tidied` adds what follows from the rest, `filled` computes what is true, and the reader
and the checker say what is still wrong.
"""

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, get_args

from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import MOST_STEPS, ChoiceQuestion, CurveQuestion, NumberQuestion, RankingQuestion
from trustscope.lessons.reader import LARGEST, MOST_PARTS
from trustscope.lessons.stage import merged
from trustscope.scenarios.pages import kind_of
from trustscope.scenarios.parts import HEADLINE, PARTS
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.size import is_too_much

Draft = dict[str, Any]
MOST_ROWS = 12  # points, items or options of a question that are worked out: no question has more
FULL = f"{MOST_STEPS} steps are the most that a lesson has."
FIRST_CARDS = 2  # beside the headline, of a page that becomes a step
_PATH = re.compile(r"^settings(\.[a-z_]+|\[\d{1,2}\])+$")


class DraftProblem(ValueError):
    """One sentence on why something cannot be made a part of a lesson."""


def blank() -> Draft:
    """A lesson without steps."""
    return {
        "trustscope_lesson": 1, "id": "", "title": "", "about": "", "minutes": 5, "page": "", "learnt": "", "steps": [],
    }  # fmt: skip


def with_page(draft: Draft, scenario: Scenario) -> Draft:
    """The draft with one step more, which shows what stands on a page."""
    if scenario.page not in PARTS:
        raise DraftProblem(f"A lesson cannot show this page: choose one of {', '.join(PARTS)}.")
    if scenario.data.name == OWN:
        raise DraftProblem("A lesson cannot have a file of your own in it: choose built-in data first.")
    if len(_steps(draft)) >= MOST_STEPS:
        raise DraftProblem(FULL)
    content = scenario.model_dump(mode="json", exclude_defaults=True) | {"page": scenario.page}
    closer = getattr(getattr(scenario, "view", None), "closer", "")
    cards = [one for one in PARTS[scenario.page].cards if one != HEADLINE][:FIRST_CARDS]
    step = {
        "kind": "look", "title": "", "text": "", "scenario": content,
        "cards": [HEADLINE, *cards, *([closer] if closer in PARTS[scenario.page].cards else [])], "controls": [],
    }  # fmt: skip
    return {**draft, "page": draft.get("page") or scenario.page, "steps": [*_steps(draft), step]}


def with_question(draft: Draft, place: int) -> Draft:
    """The draft with a prediction before a step, counted from 0, which then reveals it."""
    steps = copy.deepcopy(_steps(draft))
    if not 0 <= place < len(steps):
        return draft
    if len(steps) >= MOST_STEPS:
        raise DraftProblem(FULL)
    name = _free_name(draft)
    asked = {
        "kind": "predict", "title": "What do you expect?", "text": "", "scenario": steps[place].get("scenario", {}),
        "cards": [], "controls": [], "name": name,
        "question": {
            "kind": "choice", "ask": "", "options": [{"text": "", "when": ""}, {"text": "", "when": ""}], "right": "a",
            "said": {"close": "", "far": ""},
        },
    }  # fmt: skip
    for gone in ("goal", "example", "hint", "done", "name", "question"):
        steps[place].pop(gone, None)
    steps[place] |= {"kind": "reveal", "of": name}
    return {**draft, "steps": [*steps[:place], asked, *steps[place:]]}


def _free_name(draft: Draft) -> str:
    taken = [step.get("name") for step in _steps(draft)]
    return next(name for name in (f"q{number}" for number in range(1, len(taken) + 2)) if name not in taken)


def _steps(draft: Draft) -> list[Draft]:
    steps = draft.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


# What follows from the rest

_OF_KIND = {
    "try": ("goal", "example", "hint", "done"), "predict": ("name", "question"), "reveal": ("of",), "look": (),
    "explain": (),
}  # fmt: skip
_FIELDS: dict[Any, Any] = {
    "choice": ChoiceQuestion.model_fields, "number": NumberQuestion.model_fields, "curve": CurveQuestion.model_fields,
    "ranking": RankingQuestion.model_fields,
}  # fmt: skip
_AIDS = ("vary", "places")
_COMMON = ("kind", "title", "text", "scenario", "cards", "controls")


def tidied(draft: Draft, aids: bool = False) -> Draft:
    """The draft as a lesson would have it: an id, only what each kind of step has, opened cards, names of options.

    Parameters
    ----------
    aids : whether to keep what only helps to write: which setting a curve varies, and its places
    """
    found = {name: value for name, value in copy.deepcopy(draft).items() if name in (*blank(), "notes", "scenario")}
    found["steps"] = [_tidied_step(step, aids) for step in _steps(found)]
    if not found.get("id"):
        found["id"] = re.sub(r"[^a-z0-9]+", "-", str(found.get("title", "")).lower()).strip("-")[:48]
    return found


def _tidied_step(step: Draft, aids: bool) -> Draft:
    kind = step.get("kind")
    kept = {name: step[name] for name in (*_COMMON, *_OF_KIND.get(str(kind), ())) if name in step}
    _open_closer(kept)
    question = kept.get("question")
    if isinstance(question, dict):
        kept["question"] = question = {
            name: value
            for name, value in question.items()
            if name in _FIELDS.get(str(question.get("kind")), ()) or (aids and name in _AIDS)
        }
        for name in ("options", "items"):
            for place, row in enumerate(_rows(question, name)):
                row["value"] = "abcdef"[place] if place < 6 else f"o{place}"
    return kept


def _rows(question: Draft, name: str) -> list[Draft]:
    rows = question.get(name)
    return [row for row in rows[:MOST_ROWS] if isinstance(row, dict)] if isinstance(rows, list) else []


def _open_closer(step: Draft) -> None:
    """A card under "Look closer" that the step shows is opened by its scenario."""
    content, cards = step.get("scenario"), step.get("cards")
    if not isinstance(content, dict) or not isinstance(cards, list) or str(content.get("page")) not in PARTS:
        return
    view = kind_of(content["page"]).model_fields.get("view")
    field = view.annotation.model_fields.get("closer") if view is not None and view.annotation is not None else None
    closers = [one for one in cards if field is not None and one in get_args(field.annotation)]
    opened = content.get("view", {}).get("closer") if isinstance(content.get("view"), dict) else None
    if closers and opened not in closers:
        step["scenario"] = merged(content, {"view": {"closer": closers[0]}})


# What is true


def scenario_of(draft: Draft, step: Draft, *changes: Draft) -> Scenario:
    """The scenario of a step; a ValueError where there is none."""
    content = step.get("scenario")
    content = content if isinstance(content, dict) else {}
    page = content.get("page", draft.get("page"))
    common = draft.get("scenario") if page == draft.get("page") else {}
    return kind_of(page).from_dict(merged(common or {}, content, *changes) | {"page": page})


def filled(draft: Draft, facts: Facts, cancelled: Callable[[], bool] = lambda: False) -> Draft:
    """The draft with the truths of its questions computed, where that can be done.

    Parameters
    ----------
    cancelled : asked before each step whether nobody waits any more; then the others are left as they are
    """
    found = tidied(draft, aids=True)
    fillers: dict[str, Callable[[Draft, Draft, Draft, Facts], None]] = {
        "number": _fill_number, "curve": _fill_curve, "ranking": _fill_ranking, "choice": _fill_choice,
    }  # fmt: skip
    for step in found["steps"][:MOST_STEPS]:
        if cancelled():
            break
        question = step.get("question")
        if isinstance(question, dict) and str(question.get("kind")) in fillers:
            with suppress(ValueError, TypeError, ArithmeticError, KeyError, AttributeError):
                fillers[question["kind"]](found, step, question, facts)
    return found


def _fill_number(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    truth = _rounded(facts.evaluate(question["figure"], scenario_of(draft, step)))
    question["truth"] = truth
    if question.get("shown") == "share":
        question |= {"start": 0, "end": 1, "step": 0.01}
        question.setdefault("close", 0.05)
    else:
        top = _round_up(2 * abs(truth) or 1)
        question |= {"start": min(0.0, -top if truth < 0 else 0.0), "end": top, "step": top / 100}
        question.setdefault("close", _rounded(abs(truth) / 10 or 0.1))


def _fill_curve(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    """The points of a curve: `vary` says which setting, `places` its values; both stay in the draft alone."""
    path, places = str(question.get("vary", "")), question.get("places", [])
    if path and places:
        base = scenario_of(draft, step).to_dict()
        question["points"] = [
            {"x": place, "truth": 0, "scenario": _changes(base, path, place)}
            for place in sorted({*map(float, places)})[: MOST_ROWS + 1]  # the reader refuses one too many
        ]
    for point in _rows(question, "points"):
        point["truth"] = _rounded(facts.evaluate(question["figure"], scenario_of(draft, step, point["scenario"])))
    truths = [point["truth"] for point in _rows(question, "points")]
    if question.get("shown", "share") == "share":
        question |= {"y_start": 0.0, "y_end": 1.0}
    else:
        question |= {"y_start": min(0.0, *truths), "y_end": _round_up(1.2 * max(truths))}
    question.setdefault("close", _rounded((question["y_end"] - question["y_start"]) / 12))


def _fill_ranking(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    values = {row["value"]: facts.evaluate(row["figure"], scenario_of(draft, step)) for row in _rows(question, "items")}
    question["order"] = sorted(values, key=lambda one: -values[one])


def _fill_choice(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    """The right answer is the one whose expression is true."""
    true = [
        row["value"]
        for row in _rows(question, "options")
        if facts.evaluate(row["when"], scenario_of(draft, step)) is True
    ]  # fmt: skip
    if len(true) == 1:
        question["right"] = true[0]


def _changes(base: Draft, path: str, value: float) -> Draft:
    """The changes that set one setting; lists are taken whole, as lessons write them."""
    if not _PATH.match(path):
        raise ValueError(f"“{path}” is not the name of a setting")
    top, *names = _names(path)
    content: Any = copy.deepcopy(base[str(top)])
    inside = content
    for name in names[:-1]:
        inside = inside[name]
    before = inside[names[-1]]
    inside[names[-1]] = int(value) if isinstance(before, int) and float(value).is_integer() else value
    return {str(top): {names[0]: content[names[0]]}}


def _names(path: str) -> Iterator[str | int]:
    for name, place in re.findall(r"([a-z_]+)|\[(\d+)\]", path):
        yield name or int(place)


def _rounded(value: Any) -> float:
    return float(f"{float(value):.3g}")


def _round_up(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= value)


def is_small(draft: Draft) -> bool:
    """Whether a draft that a browser sent is no larger than a lesson may be; nothing of it is copied for that."""
    return not is_too_much(draft, MOST_PARTS, LARGEST)


def as_text(draft: Draft) -> str:
    """The draft as the file of a lesson."""
    return json.dumps(tidied(draft), indent=2, ensure_ascii=False) + "\n"
