"""What can be required on the Categories page, as rows of fields."""

from functools import partial

from trustscope.app.entries import number_field, number_text, percentage
from trustscope.app.target import Purpose
from trustscope.scenarios.solve import categories
from trustscope.scenarios.solve.requirement import CategoriesRequirement
from trustscope.scenarios.words import sentence

KINDS = [
    ("rho", "how far a belief may rise"),
    ("delta", "by how much any belief may grow"),
    ("right", "how often a best guess may be right"),
    ("shares", "how exact shares must stay"),
]
ROOM = 10.0  # points by which the first limit on guesses lies above what is right without any copy


class CategoriesPurpose(Purpose):
    """Requirements of the Categories page."""

    kinds = KINDS
    rule = categories.RULE

    def solver(self, model, scenario):
        return partial(categories.solve, model, scenario)

    def make(self, what):
        promise = self._scenario.settings.promise
        limits = {"rho": promise.rho2, "delta": promise.delta, "right": 50.0, "shares": 1.0}
        limit = limits[what]
        if what == "right" and self._model is not None:
            limit = min(round(100 * self._model.without(self._scenario.settings).right + ROOM), 100)
        return CategoriesRequirement(what=what, limit=limit, before=promise.rho1)

    def edit(self, requirement, name, value):
        share = 100 * percentage(value)
        if name == "before" and not 0.1 <= share <= 99.9:
            raise ValueError("A belief beforehand lies between 0.1 and 99.9 %.")
        return requirement.replace({name: round(share, 9)})

    def describe(self, requirement):
        at_most = {"rho": "Never more than", "delta": "At most", "right": "At most", "shares": "Standard error"}
        fields = [number_field("limit", at_most[requirement.what], number_text(requirement.limit), "%")]
        if requirement.what == "rho":
            fields.insert(0, number_field("before", "Believed less than", number_text(requirement.before), "%"))
        return {"line": sentence(categories.short(requirement)), "fields": fields}
