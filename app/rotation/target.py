"""What can be required on the Rotation page, as rows of fields."""

from functools import partial

from trustscope.app.entries import number_field, number_text, percentage
from trustscope.app.target import Purpose
from trustscope.scenarios.solve import rotation
from trustscope.scenarios.solve.requirement import RotationRequirement
from trustscope.scenarios.words import sentence

KINDS = [
    ("known", "how many records an insider may know"),
    ("sample", "how large a competitor's sample may be"),
    ("noise", "how much noise must be added"),
]
ROOM, USUAL = 20, 50  # points by which the first limit lies above what is hit without any release


class RotationPurpose(Purpose):
    """Requirements of the Rotation page."""

    kinds = KINDS
    rule = rotation.RULE

    def solver(self, model, scenario):
        return partial(rotation.solve, model, scenario)

    def make(self, what):
        limit = USUAL
        if self._model is not None:
            limit = min(round(100 * self._model.without(self._scenario.settings).rate) + ROOM, 100)
        return RotationRequirement(what=what, limit=limit)

    def edit(self, requirement, name, value):
        return requirement.replace({"limit": round(100 * percentage(value), 9)})

    def describe(self, requirement):
        return {
            "line": sentence(rotation.short(requirement)),
            "fields": [number_field("limit", "Hits at most", number_text(requirement.limit), "%")],
        }
