"""A lesson that is being written: plain JSON, of which parts may still be missing.

An editor changes it freely; `tidied` adds what follows from the rest, `filled` computes what is true, and the reader
and the checker say what is still wrong.
"""

import copy
import json
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain
from string import ascii_lowercase
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
_HOPELESS = (TypeError, ArithmeticError, LookupError, AttributeError)  # of a draft with parts that cannot be used
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


def with_example(draft: Draft, place: int, other: int) -> Draft:
    """The draft in which the example of a step leads to what another step shows; both are counted from 0.

    Also what the other step leaves as it is by default is written, where this step has something else.
    """
    steps = copy.deepcopy(_steps(draft))
    if not (0 <= place < len(steps) and 0 <= other < len(steps)):
        return draft
    try:
        here, there = (scenario_of(draft, steps[one]).to_dict() for one in (place, other))
    except ValueError as problem:
        raise DraftProblem(f"What one of the two steps shows cannot be used: {problem}") from problem
    if here["page"] != there["page"]:
        raise DraftProblem(f"Step {other + 1} shows another page: choose a step that shows the page {here['page']}.")
    steps[place]["example"] = _difference(here, there)
    return {**draft, "steps": steps}


def _difference(before: Draft, after: Draft) -> Draft:
    """What to change; lists are taken whole, as lessons write them."""
    found: Draft = {}
    for name, value in after.items():
        old = before.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := _difference(old, value):
                found[name] = inner
        elif value != old:
            found[name] = value
    return found


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


def tidied(draft: Draft, aids: bool = False, taken: Collection[str] = ()) -> Draft:
    """The draft as a lesson would have it: an id, only what each kind of step has, opened cards, names of options.

    Parameters
    ----------
    aids : whether to keep what only helps to write: which setting a curve varies, and its places
    taken : ids that other lessons have: one that follows from the title is none of them
    """
    found = {name: value for name, value in copy.deepcopy(draft).items() if name in (*blank(), "notes", "scenario")}
    found["steps"] = [_tidied_step(step, aids) for step in _steps(found)]
    if not found.get("id"):
        found["id"] = _free_id(str(found.get("title", "")), taken)
    return found


def _free_id(title: str, taken: Collection[str]) -> str:
    """An id that no other lesson has, also from a title without any letters that a link can have."""
    letters = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:44].strip("-") or "lesson"
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(one for one in chain([plain], numbered) if one not in taken)


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
            _name_rows(_rows(question, name))
    return kept


def _name_rows(rows: list[Draft]) -> None:
    """Give each row a name of its own; one that has a name keeps it, for `right` and `order` speak of it."""
    named: set[str] = set()
    nameless = []
    for row in rows:
        value = row.get("value")
        if isinstance(value, str) and value and value not in named:
            named.add(value)
        else:
            nameless.append(row)
    free = (name for name in ascii_lowercase if name not in named)  # more than there can be rows
    for row in nameless:
        row["value"] = next(free)


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


def filled(
    draft: Draft, facts: Facts, cancelled: Callable[[], bool] = lambda: False
) -> tuple[Draft, list[str]]:  # fmt: skip
    """The draft with the truths of its questions computed, and sentences where that cannot be done.

    Parameters
    ----------
    cancelled : asked before each step whether nobody waits any more; then the others are left as they are
    """
    found = tidied(draft, aids=True) | {"id": draft.get("id", "")}  # an id that follows from the title still does
    problems = []
    fillers: dict[str, Callable[[Draft, Draft, Draft, Facts], None]] = {
        "number": _fill_number, "curve": _fill_curve, "ranking": _fill_ranking, "choice": _fill_choice,
    }  # fmt: skip
    for number, step in enumerate(found["steps"][:MOST_STEPS], 1):
        if cancelled():
            break
        question = step.get("question")
        if isinstance(question, dict) and str(question.get("kind")) in fillers:
            try:
                fillers[question["kind"]](found, step, question, facts)
            except ValueError as problem:
                problems.append(f"step {number}: what is true was not computed: {str(problem).rstrip('.')}.")
            except _HOPELESS:  # said by the reader and the checker
                continue
    return found, problems


def _fill_number(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    before = [question.get("truth")]
    question["truth"] = truth = _rounded(facts.evaluate(_figure(question), scenario_of(draft, step)))
    _suggest(question, partial(_slider, question), before, [truth])


def _figure(question: Draft) -> str:
    figure = question.get("figure")
    if not isinstance(figure, str) or not figure.strip():
        raise ValueError("no figure is named")
    return figure


def _suggest(question: Draft, suggested: Callable[[list[float]], Draft], before: list[Any], now: list[float]) -> None:
    """Set what follows from the truths, and leave what was set by hand: whatever did not follow from those before."""
    try:
        earlier = suggested(before)
    except (ValueError, *_HOPELESS):  # nothing was computed before
        earlier = {}
    for name, value in suggested(now).items():
        stands = question.get(name)
        if stands == earlier.get(name) or not _holds(name, stands, now):
            question[name] = value


def _holds(name: str, value: Any, truths: list[float]) -> bool:
    """Whether a number can stand: an axis that the truth leaves cannot."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    if name.endswith("start"):
        return value <= min(truths)
    return value >= max(truths) if name.endswith("end") else value > 0


def _slider(question: Draft, truths: list[float]) -> Draft:
    (truth,) = truths
    if question.get("shown") == "share":
        return {"start": 0, "end": 1, "step": 0.01, "close": 0.05}
    top = _round_up(2 * abs(truth) or 1)
    close = _rounded(abs(truth) / 10 or 0.1)
    return {"start": -top if truth < 0 else 0.0, "end": top, "step": top / 100, "close": close}


def _fill_curve(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    """The points of a curve: `vary` says which setting, `places` its values; both stay in the draft alone."""
    before = [point.get("truth") for point in _rows(question, "points")]
    wanted = _points(draft, step, question)
    if wanted is not None:
        question["points"] = [point | {"truth": 0} for point in wanted]
    for point in _rows(question, "points"):
        changed = scenario_of(draft, step, point["scenario"])
        point["truth"] = _rounded(facts.evaluate(_figure(question), changed))
    truths = [point["truth"] for point in _rows(question, "points")]
    if truths:
        _suggest(question, partial(_axis, question), before, truths)


def _points(draft: Draft, step: Draft, question: Draft) -> list[Draft] | None:
    """The places of a curve and what to change there, as it is asked for; None where only its points are known."""
    path, places = str(question.get("vary") or "").strip(), question.get("places") or []
    if not path and not places:
        return None
    if not path:
        raise ValueError("name the setting that varies")
    base = scenario_of(draft, step).to_dict()
    return [
        {"x": place, "scenario": _changes(base, path, place)}
        for place in sorted({*map(float, places)})[: MOST_ROWS + 1]  # the reader refuses one too many
    ]


def stale(draft: Draft) -> list[str]:
    """Sentences about curves that are not computed at the values that are asked for."""
    found = []
    for number, step in enumerate(tidied(draft, aids=True)["steps"][:MOST_STEPS], 1):
        question = step.get("question")
        if not isinstance(question, dict) or question.get("kind") != "curve":
            continue
        try:
            wanted = _points(draft, step, question)
        except ValueError as problem:
            found.append(f"step {number}: {str(problem).rstrip('.')}.")
            continue
        except _HOPELESS:  # said by the reader
            continue
        known = [{"x": point.get("x"), "scenario": point.get("scenario")} for point in _rows(question, "points")]
        if wanted is not None and wanted != known:
            found.append(f"step {number}: the curve is not computed at its values yet: choose “Compute what is true”.")
    return found


def _axis(question: Draft, truths: list[float]) -> Draft:
    if question.get("shown", "share") == "share":
        start, end = 0.0, 1.0
    else:
        start, end = min(0.0, *truths), _round_up(1.2 * max(truths))
    return {"y_start": start, "y_end": end, "close": _rounded((end - start) / 12)}


def _fill_ranking(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    values = {
        row["value"]: facts.evaluate(_figure(row), scenario_of(draft, step, row.get("scenario") or {}))
        for row in _rows(question, "items")
    }
    question["order"] = sorted(values, key=lambda one: -values[one])


def _fill_choice(draft: Draft, step: Draft, question: Draft, facts: Facts) -> None:
    """The right answer is the one whose expression is true."""
    true = [
        row["value"]
        for row in _rows(question, "options")
        if facts.evaluate(row["when"], scenario_of(draft, step, row.get("scenario") or {})) is True
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
    try:
        for name in names[:-1]:
            inside = inside[name]
        before = inside[names[-1]]
    except (LookupError, TypeError) as problem:
        raise ValueError(f"the page {base['page']} has no setting “{path}”") from problem
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


def as_text(draft: Draft, taken: Collection[str] = ()) -> str:
    """The draft as the file of a lesson."""
    return json.dumps(tidied(draft, taken=taken), indent=2, ensure_ascii=False) + "\n"


def kept_text(draft: Draft) -> str:
    """The draft as a browser keeps it: with all that helps to write, and nothing that follows from the rest."""
    return json.dumps(draft, ensure_ascii=False)


def is_blank(draft: Draft) -> bool:
    """Whether there is nothing in it that anybody could miss."""
    return not any(draft.get(name) for name in ("title", "about", "learnt", "steps"))
