"""What can be required on the Survey page, as rows of fields."""

from functools import partial

from trustscope.app.entries import number_field, number_text, percentage
from trustscope.app.target import Purpose
from trustscope.scenarios.solve import survey
from trustscope.scenarios.solve.requirement import SurveyRequirement
from trustscope.scenarios.words import count, sentence

KINDS = [("disclosure", "how much may be given away"), ("accuracy", "how well the classifier must do")]
FIRST = {"disclosure": 30.0, "accuracy": 85.0}


class SurveyPurpose(Purpose):
    """Requirements of the Survey page."""

    kinds = KINDS
    rule = survey.RULE

    def solver(self, model, scenario):
        return partial(survey.solve, model, scenario)

    def since(self, asked, now):
        # Every number of directions is a survey of its own: too long to follow each respondent.
        then, there = survey.goal_of(asked), survey.goal_of(now)
        if then == there:
            return ""
        return f"It would be {count(there)} people now: change the target or a kind of respondent to solve it anew."

    def make(self, what):
        return SurveyRequirement(what=what, limit=FIRST[what])

    def edit(self, requirement, name, value):
        return requirement.replace({"limit": round(100 * percentage(value), 9)})

    def describe(self, requirement):
        label = "At most" if requirement.what == "disclosure" else "At least"
        return {
            "line": sentence(survey.short(requirement)),
            "fields": [number_field("limit", label, number_text(requirement.limit), "%")],
        }
