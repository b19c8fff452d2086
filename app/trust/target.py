"""What can be required on the Trust page, as rows of fields."""

from dataclasses import replace
from functools import partial
from typing import Any

from trustscope.app.entries import choice_field, number, number_field, number_text, percentage
from trustscope.app.target import Purpose
from trustscope.scenarios.solve import words
from trustscope.scenarios.solve.before import before_the_noise
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.trust import figure_without, labels_of, solve
from trustscope.scenarios.trust.scenario import MEASURES
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.words import listed, number_word, sentence

KINDS = [
    ("hits", "how often a value may be guessed"),
    ("error", "how far off guesses must be"),
    ("hundredth", "what the most exposed hundredth may risk"),
    ("worst", "what the most exposed one may risk"),
    ("found", "how many may be found again"),
    ("crowd", "how large a crowd people hide in"),
    ("mean", "how exact a mean must stay"),
    ("correlation", "how exact a correlation must stay"),
    ("histogram", "how exact a histogram must stay"),
    ("accuracy", "how well a classifier must do"),
]
FIRST = {
    "error": 0.4, "hits": 0.3, "hundredth": 0.5, "worst": 0.7, "found": 0.01, "crowd": 10.0,
    "mean": 1.0, "correlation": 0.05, "histogram": 0.2, "accuracy": 0.8,
}  # fmt: skip
WITHIN = ("hits", "hundredth", "worst")  # about guesses within a distance
ROOM = 0.1  # by which the first limit on hits lies above what is guessed without any copy


def _solved(model, scenario, data):
    found = solve(model, scenario, labels_of(data, model))
    return replace(found, answers=(*found.answers, *before_the_noise(data, scenario)))


class TrustPurpose(Purpose):
    """Requirements of the Trust page; see `app.target.Purpose`."""

    kinds = KINDS
    rule = words.RULE

    _data: Any = None

    def load(self, data) -> None:
        """Other data: what classifiers can predict."""
        self._data = data

    # Labels of the classifiers

    @property
    def _predictable(self) -> list[str]:
        # Where rows with gaps were left out, the labels of those that are left cannot be told by their place.
        whole = self._data is not None and self._model is not None and self._data.rows == self._model.rows
        return list(self._data.categorical) if whole else []

    def solver(self, model, scenario):
        return partial(_solved, model, scenario, self._data)

    # Making and changing

    def make(self, what):
        settings = self._scenario.settings
        requirement = TrustRequirement(what=what, limit=FIRST[what], attribute=settings.attribute)
        if self._model is None:
            return requirement
        people = self._model.population
        if what in WITHIN:
            scale = threshold(people, settings.attribute, "absolute")
            near = settings.eps if settings.kind == "absolute" and settings.eps else scale.usual
            requirement = requirement.replace({"distance": near})
            if what != "hits":
                return requirement
            without = figure_without(self._model, settings, requirement)
            return requirement.replace({"limit": min(round(without + ROOM, 2), 1.0)})
        if what == "mean":
            return requirement.replace({"limit": threshold(people, settings.attribute, "absolute").step})
        if what == "accuracy":
            label = self._data.label if self._data.label in self._predictable else next(iter(self._predictable), "")
            return requirement.replace({"label": label})
        return requirement

    def edit(self, requirement, name, value):
        if name == "limit":
            return requirement.replace(
                {"limit": percentage(value) if requirement.what in words.SHARES else number(value)}
            )
        if name == "distance":
            return requirement.replace({"distance": number(value)})
        if name == "whom":
            return requirement.replace(self._whom(str(value), requirement))
        if name == "whose":
            return requirement.replace({"members": () if value == "every" else (int(value),)})
        fields = {field["name"]: field.get("options", []) for field in self.describe(requirement)["fields"]}
        if value not in [one for one, _ in fields.get(name, [])]:
            raise ValueError("Choose one of those in the list.")
        return requirement.replace({name: value})

    def _whom(self, value, requirement):
        if value == "any":
            return {"coalition": "any", "members": ()}
        if value == "ticked":
            members = tuple(r.number for r in self._scenario.settings.coalition)
            if not members:
                raise ValueError("Nobody is ticked: tick recipients first.")
            return {"coalition": "named", "members": members}
        if value == "named":
            return {"coalition": "named", "members": requirement.members}
        return {"coalition": "size", "size": int(value), "members": ()}

    # Fields

    def describe(self, requirement):
        if self._model is None or self._scenario.settings.eps is None:
            return {"line": "", "fields": []}
        line = words.long(requirement, self._scenario.settings, self._model.population)
        return {"line": sentence(line), "fields": self._fields(requirement, self._scenario.settings)}

    def _fields(self, requirement, settings) -> list[dict]:
        what = requirement.what
        about = words.subject(requirement, settings, self._model.population)
        at_least = words.beyond(requirement) == "at least"
        limit = number_text(100 * requirement.limit if what in words.SHARES else requirement.limit)
        unit = "%" if what in words.SHARES else about.unit if what == "mean" else ""
        fields = [number_field("limit", "At least" if at_least else "At most", limit, unit)]
        if what in WITHIN:
            near: Any = words.distance(requirement, settings)  # chosen by now: there are data
            fields.append(number_field("distance", "Guessed within", number_text(near), about.unit))
        if what not in ("error", "accuracy", "found", "crowd"):
            fields.append(
                choice_field("attribute", "Attribute", about.attribute, self._named(self._model.population.names))
            )
        if what == "correlation":
            names = [name for name in self._model.population.names if name != about.attribute]
            value = requirement.other if requirement.other in names else next(iter(names), "")
            fields.append(choice_field("other", "with", value, self._named(names)))
        if what == "accuracy":
            fields.append(
                choice_field("classifier", "Classifier", requirement.classifier, list(words.CLASSIFIERS.items()))
            )
            fields.append(choice_field("label", "predicts", requirement.label, self._named(self._predictable)))
        if requirement.protects:
            fields.append(self._coalition(requirement))
            if not requirement.of_people:
                fields.append(choice_field("attacker", "Somebody who", requirement.attacker, MEASURES.items()))
        else:
            fields.append(self._copies(requirement))
        return fields

    def _coalition(self, requirement):
        settings = self._scenario.settings
        options = [("any", "any coalition"), ("1", "anybody alone")]
        options += [(str(k), f"any {number_word(k)}") for k in range(2, len(settings.recipients))]
        ticked = tuple(r.number for r in settings.coalition)
        names = listed([r.name for r in settings.coalition]) if ticked else "nobody"
        value = str(requirement.size) if requirement.coalition == "size" else requirement.coalition
        if requirement.coalition == "named" and requirement.members == ticked:
            value = "ticked"
        elif requirement.coalition == "named":
            options.append(("named", words.coalition(requirement, settings)))
        options.append(("ticked", f"those who are ticked: {names}"))
        if value not in [one for one, _ in options]:
            options.append((value, words.coalition(requirement, settings)))
        return choice_field("whom", "Of", value, options)

    def _copies(self, requirement):
        recipients = self._scenario.settings.recipients
        options = [("every", "every copy"), *((str(r.number), f"{r.name}'s copy") for r in recipients)]
        value = str(requirement.members[0]) if requirement.members else "every"
        return choice_field("whose", "From", value, options)

    @staticmethod
    def _named(names):
        return [(name, name) for name in names]
