"""What solving a target gives, as a table and as something to apply."""

from __future__ import annotations

from typing import Any

import pandas as pd

from trustscope.scenarios.solve.solution import Solution
from trustscope.study import cell
from trustscope.study.problem import StudyProblem


class Answers:
    """What keeps a target, answer by answer.

    Attributes
    ----------
    solution : Solution
        As the page has it, with what was measured.
    table : pandas.DataFrame
        A row for each answer: whether there is one, and what was found.
    """

    def __init__(self, study: Any, solution: Solution):
        self._study, self.solution = study, solution
        self.table = pd.DataFrame(
            {"found": [one.found for one in solution.answers], "text": [one.text for one in solution.answers]},
            index=pd.Index([one.key for one in solution.answers], name="answer"),
        )

    def apply(self, answer: str | None = None) -> Any:
        """Set the study to an answer, by default the first that was found; gives the study."""
        every = {one.key: one for one in self.solution.answers}
        chosen = next((key for key, one in every.items() if one.changes), None) if answer is None else answer
        if chosen is None:
            raise StudyProblem(f"There is nothing to apply: {' '.join(one.text for one in every.values())}")
        if chosen not in every:
            raise StudyProblem(f"There is no answer for {chosen!r}; there are {', '.join(every)}.")
        if not every[chosen].changes:
            raise StudyProblem(f"There is nothing to apply: {every[chosen].text}")
        self._study.scenario = self.solution.scenario(chosen)
        return self._study

    def __repr__(self) -> str:
        return "\n".join(f"{one.title}: {one.text}" for one in self.solution.answers)

    def _repr_html_(self) -> str:
        return cell.table(self.table)


class Solved:
    """The highest trusts that keep a target, scheme by scheme.

    Attributes
    ----------
    solution : Solution
        As the page has it, with what was measured.
    table : pandas.DataFrame
        A row for each scheme: whether the target can be kept, the trust of every recipient, and what was found.
    """

    def __init__(self, study: Any, solution: Solution):
        self._study, self.solution = study, solution
        self.table = self._table()

    def _table(self) -> pd.DataFrame:
        rows = {}
        for answer in self.solution.answers:
            trusts = self.trusts_of(answer.key) if answer.found and answer.elsewhere is None else {}
            rows[answer.key] = {"found": answer.found, **trusts, "text": answer.text}
        names = [r.name for r in self._settings.recipients]
        return pd.DataFrame.from_dict(rows, orient="index", columns=["found", *names, "text"]).rename_axis("scheme")

    @property
    def found(self) -> bool:
        """Whether the scheme of the study keeps the target."""
        return self.solution.answer(self._scheme).found

    @property
    def _scheme(self) -> str:
        return str(self._settings.scheme)

    @property
    def _settings(self) -> Any:
        """What was asked for, on a page with recipients."""
        return self.solution.asked.settings

    @property
    def trusts(self) -> dict[str, float]:
        """The trust of every recipient in per cent, with the scheme that the study had."""
        return self.trusts_of(self._scheme)

    def trusts_of(self, scheme: str) -> dict[str, float]:
        """The same with another scheme; a sentence where it cannot keep the target."""
        return {r.name: r.trust for r in self._applied(scheme).settings.recipients}

    def _applied(self, scheme: str) -> Any:
        known = [answer.key for answer in self.solution.answers]
        if scheme not in known:
            raise StudyProblem(f"There is no answer for {scheme!r}; there are {', '.join(known)}.")
        answer = self.solution.answer(scheme)
        if not answer.found:
            raise StudyProblem(f"There is nothing to apply: {answer.text}")
        return self.solution.scenario(scheme)

    def apply(self, scheme: str | None = None) -> Any:
        """Set the study to what was found, with its scheme or another one; gives the study."""
        self._study.scenario = self._applied(scheme or self._scheme)
        return self._study

    def __repr__(self) -> str:
        return f"{self.table.drop(columns='text').to_string()}\n{self.solution.answer(self._scheme).text}"

    def _repr_html_(self) -> str:
        return cell.table(self.table, self.solution.answer(self._scheme).text)
