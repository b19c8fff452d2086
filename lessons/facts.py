"""What is so: figures and settings of scenarios, looked up by name."""

import json
from typing import Any

from trustscope.lessons.expression import STATE, evaluate
from trustscope.lessons.lesson import Lesson
from trustscope.lessons.stage import scenario_at
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.metrics import Metrics, as_json, compute_metrics
from trustscope.scenarios.scenario import Scenario


class Facts:
    """Figures of scenarios over all rows, computed only when they are asked for; the last `most` are remembered."""

    def __init__(self, most: int = 200) -> None:
        self._known = Memo(most)

    def figures(self, scenario: Scenario) -> Metrics:
        """All figures of a scenario; not always with the tables of its page."""
        key = json.dumps(scenario.to_dict(), sort_keys=True)
        return self._known(key, lambda: compute_metrics(scenario, tables=False))

    def value(self, scenario: Scenario, name: str) -> Any:
        """A setting or a figure of a scenario; a ValueError where there is none of this name."""
        if name.split(".")[0] in STATE:
            try:
                return scenario.at(name)
            except AttributeError as problem:
                raise ValueError(f"the page {scenario.page} has no setting “{name}”") from problem
        try:
            found = self.figures(scenario).of(name).value
        except KeyError as problem:
            raise ValueError(f"the page {scenario.page} has no figure “{name}”") from problem
        if found is None:
            raise ValueError(f"the figure “{name}” has no value here")
        return as_json(found)

    def evaluate(self, expression: str, scenario: Scenario, lesson: Lesson | None = None) -> Any:
        """The value of an expression in a scenario; `at(2, ...)` looks at step 2 of the lesson."""

        def look_up(name: str, step: int | None) -> Any:
            if step is None:
                return self.value(scenario, name)
            if lesson is None or not 1 <= step <= len(lesson.steps):
                raise ValueError(f"there is no step {step}")
            return self.value(scenario_at(lesson, step - 1), name)

        return evaluate(expression, look_up)
