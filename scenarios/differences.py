"""What differs between scenarios, in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trustscope.scenarios.preparation import words as preparation
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.solve import categories, rotation, survey, words
from trustscope.scenarios.words import counted, listed

# What the settings are called on the pages, where their own names do not say it.
NAMES = {
    "data.name": "data",
    "data.columns": "columns",
    "data.column": "sensitive column",
    "data.preparation": "before the noise",
    "data.label": "class",
    "data.value": "value of the class",
    "data.ledger": "ledger",
    "settings.scheme": "noise of the copies",
    "settings.attackers": "attackers",
    "settings.sample": "rows that they estimate from",
    "settings.attribute": "attribute",
    "settings.eps": "how close a guess must come",
    "settings.kind": "what must be guessed",
    "settings.similarity": "shape of the noise",
    "settings.informed": "they know mean and covariance",
    "settings.prior": "what is known beforehand",
    "settings.promise.rho1": "promise: believed before, %",
    "settings.promise.rho2": "promise: believed after, %",
    "settings.promise.delta": "promise: points gained",
    "settings.standardised": "standardised",
    "settings.shifted": "shifted",
    "settings.known": "known columns",
    "settings.then": "records found afterwards",
    "settings.block": "which sample",
    "settings.dimensions": "released columns",
    "settings.mu": "share left over (μ)",
    "settings.update_every": "answers between two updates",
    "settings.order": "order of the directions",
    "settings.extra_check": "additional check",
    "settings.rival": "randomised answers beside it",
    "settings.request.to": "recipient",
    "settings.request.trust": "trust of the copy",
    "settings.request.retention": "retention of the copy",
    "settings.by": "issued by",
    "view.arrived": "respondents",
    "view.opened": "experiment",
}
CALLED = {("rotation", "settings.known"): "known records"}  # where a page has something else under the same name
VIEWS = {"survey": ("arrived",), "papers": ("opened",)}  # what is looked at changes the figures on these pages
REQUIRED: dict[str, Callable[[Any, Any], str]] = {  # a requirement in words
    "trust": words.long,
    "categories": lambda one, settings: categories.short(one),
    "rotation": lambda one, settings: rotation.short(one),
    "survey": lambda one, settings: survey.short(one),
}
TOLD = 2  # differences that a sentence names; of the others it says how many


def settings_of(scenario: Scenario) -> dict[str, str]:
    """Everything that figures depend on, by name, each as a text."""
    content = scenario.to_dict()
    for name in ("requirements", "locked"):
        content["settings"].pop(name, None)
    view = {name: content["view"][name] for name in VIEWS.get(scenario.page, ())}
    content["data"].pop("preparation", None)
    parts = {"data": content["data"], "seed": content["seed"], "settings": content["settings"], "view": view}
    found: dict[str, str] = {}
    _collect(scenario.page, "", parts, found)
    if scenario.data.name == OWN and scenario.data.file is not None:
        found["data"] = scenario.data.file.name
    return found | _prepared(scenario) | _target(scenario)


def _prepared(scenario: Scenario) -> dict[str, str]:
    """The steps before the noise in words, on pages that have them."""
    steps = getattr(scenario.data, "preparation", None)
    return {} if steps is None else {NAMES["data.preparation"]: preparation.line(steps) or "–"}


def _target(scenario: Scenario) -> dict[str, str]:
    """The requirements in words, and whose trust is held."""
    settings = scenario.at("settings")
    tell = REQUIRED.get(scenario.page)
    told = [] if tell is None else [tell(one, settings) for one in settings.requirements]
    found = {f"requirement {number}": text for number, text in enumerate(told, start=1)}
    held = [r.name for r in getattr(settings, "recipients", ()) if r.number in getattr(settings, "locked", ())]
    return found | ({"already hold their copy": listed(held)} if held else {})


def _collect(page: str, path: str, value: Any, found: dict[str, str]) -> None:
    if path == "data.file":
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _collect(page, f"{path}.{name}" if path else name, inner, found)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) and "name" in one for one in value):
        taken = {*NAMES.values(), "seed"}  # somebody may be called as a setting is
        found.update({f"“{n}”" if (n := one["name"]) in taken else n: _described(one) for one in value})
    elif path == "settings.values":  # of an experiment: pairs of a name and a value
        found.update({str(name): _text(one) for name, one in value})
    else:
        found[_called(page, path)] = _text(value)


def _called(page: str, path: str) -> str:
    return CALLED.get((page, path)) or NAMES.get(path) or path.rpartition(".")[2].replace("_", " ")


def _described(one: Mapping[str, Any]) -> str:
    """A recipient, or a kind of respondents."""
    if "trust" in one:
        return f"{one['trust']:g} %{'' if one.get('member', True) else ', apart'}"
    return ", ".join(f"{name} {_text(value)}" for name, value in one.items() if name not in ("name", "number"))


def _text(value: Any) -> str:
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(_text, value)) if isinstance(value, list | tuple) else str(value)


def differences(scenarios: Sequence[Scenario]) -> list[tuple[str, tuple[str, ...]]]:
    """Every setting in which these scenarios differ: its name, and a text for each of them.

    A recipient or a kind that one of them does not have stands as "–". Of scenarios of several pages only settings
    that two of them have are compared.
    """
    every = [settings_of(one) for one in scenarios]
    least = 1 if len({one.page for one in scenarios}) == 1 else 2
    names = [name for name in dict.fromkeys(name for one in every for name in one)
             if sum(name in one for one in every) >= least]  # fmt: skip
    rows = [(name, tuple(one.get(name, "–") for one in every)) for name in names]
    return [(name, texts) for name, texts in rows if len(set(texts)) > 1]


def changed(now: Scenario, then: Scenario) -> str:
    """What differs, as a part of a sentence: "noise of the copies was independent and Bank was 40 %"."""
    found = [f"{name} was {texts[1]}" for name, texts in differences([now, then])]
    if not found:
        return ""
    more = len(found) - TOLD
    parts = found[:TOLD] if more <= 1 else [*found[:TOLD], f"{counted(more, 'more setting')} differed"]
    return listed(parts if more != 1 else found)
