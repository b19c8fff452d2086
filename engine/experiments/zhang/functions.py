"""Guided perturbation against randomisation at equal disclosure, on five functions: Figure 3 (Zhang et al. 2005)."""

from functools import partial
from typing import cast

import numpy as np
import pandas as pd

from trustscope.engine import keys
from trustscope.engine.arrays import Bits, Floats, Integers, Several
from trustscope.engine.experiments.zhang.data import FUNCTIONS, people
from trustscope.engine.measures import degree_of_disclosure
from trustscope.engine.measures.disclosure import Disclosure
from trustscope.engine.survey import Encoding, Guidance, Kind, Mix, Survey, probabilities
from trustscope.engine.utility import Ticker, corrected, keeping, noise_for_disclosure, randomise, tuple_tree
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.errors import TrustscopeError

__all__ = ["figure_3"]

LAWS = ("gaussian", "uniform")
QUICK_ROWS, PAPER_ROWS = 10_000, 100_000
QUICK_TEST, PAPER_TEST = 2_000, 5_000
QUICK_LAW, PAPER_LAW = 1_500, 10_000
DRAWS, INTERVALS, CLEAR = 500, 20, 200
# How often the guidance is examined while a survey runs.
LOOKS = 5
# The most surveys that are run to meet the wanted share of disclosure, and how near to it is near enough.
ROUNDS, NEAR = 5, 0.005
COLUMNS = [
    *("function", "method", "accuracy", "standard_error", "disclosure", "disclosure_error"),
    *("setting", "majority", "rows", "test_rows"),
]


def figure_3(
    *,
    functions: Several = FUNCTIONS,
    disclosure: float = 0.25,
    definitions: int = 2000,
    bins: int = 4,
    rows: int | None = None,
    test_rows: int | None = None,
    key: int = 1,
    paper_size: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelling | None = None,
) -> pd.DataFrame:
    """Accuracy of a decision tree by function and method, all methods disclosing as much (Figure 3).

    Respondents mix two neighbouring levels, and surveys are repeated until they disclose the wanted share on average,
    measured on the guidance that was sent; the noise of the randomisation is scaled until it does. The law of the
    answers, for both, is the empirical one of some of the training tuples. The first 200 tuples come in the clear to
    start the guidance; no tree is trained on them. Randomised values are corrected by class into 20 intervals of
    equal width, and their disclosure is a lower bound (`engine.utility.randomisation_disclosure`).

    Quartiles limit what guided perturbation can reach ("clear" is a tree on the tuples as they are): the first
    function splits the ages at 40 and 60, which lie within quartiles, so it cannot pass 5/6.

    Parameters
    ----------
    functions : sequence of int
        Out of 1 to 5.
    disclosure : float
        The share that is disclosed, above 0 and below 1.
    definitions : {2000, 1993}
        Whose functions, as in `people`.
    bins : int
        Intervals of a numeric question; the paper has 4.
    rows, test_rows : int, optional
        Training and test tuples: 10 000 and 2 000, or 100 000 and 5 000 at paper size.
    key : int
    progress, cancelled : callable, optional
        See `engine.experiments.zhang`; a step is one method on one function.

    Returns
    -------
    DataFrame
        function, method ("clear", "guided", "gaussian", "uniform"), accuracy and its standard_error over the test
        tuples, disclosure (measured), disclosure_error (its standard error), setting (mean level, or scale of the noise
        in standard deviations), majority (share of the commoner class), rows, test_rows.
    """
    if not 0 < disclosure < 1:
        raise TrustscopeError(f"The share that is disclosed must lie between 0 and 1, but it is {disclosure}.")
    rows = rows or (PAPER_ROWS if paper_size else QUICK_ROWS)
    test_rows = test_rows or (PAPER_TEST if paper_size else QUICK_TEST)
    law_rows = min(rows, PAPER_LAW if paper_size else QUICK_LAW)
    functions = list(functions)
    ticker = Ticker(len(functions) * (2 + len(LAWS)), progress, cancelled)
    records: list[tuple[object, ...]] = []
    scales: dict[str, tuple[float, Disclosure]] = {}
    with keeping(lambda: pd.DataFrame(records, columns=COLUMNS)):
        for function in functions:
            # The same people for every function: only their classes differ, so the noise is scaled once.
            case = Case(function, definitions, rows, test_rows, law_rows, bins, key)
            for method in ("clear", "guided", *LAWS):
                ticker.check()
                found, shared, setting = case.run(method, disclosure, scales)
                spread = np.sqrt(found * (1 - found) / test_rows)
                records.append((function, method, found, spread, *shared, setting, case.majority, rows, test_rows))
                ticker.step(f"function {function}, {method}")
    return pd.DataFrame(records, columns=COLUMNS)


# Accuracy, disclosure with its standard error, and setting of a method.
_Result = tuple[float, tuple[float, float], float]


class Case:
    """People of one function, and every method on them.

    Parameters
    ----------
    function, definitions, rows, test_rows, bins, key
        As in `figure_3`, of one function.
    law_rows : int
        People of whom the noise that discloses as much is found.
    """

    def __init__(
        self, function: int, definitions: int, rows: int, test_rows: int, law_rows: int, bins: int, key: int
    ) -> None:
        training, test = (keys.derive(key, "zhang", part) for part in ("training", "test"))
        self.frame, self.classes = people(function, rows, definitions=definitions, key=training)
        self.test, self.truth = people(function, test_rows, definitions=definitions, key=test)
        self.encoding = Encoding.fit(self.frame, bins=bins)
        self.tuples = self.encoding.encode(self.frame)
        self.law_rows, self.key = law_rows, keys.derive(key, "zhang", "survey", function)
        share = np.mean(self.truth)
        self.majority = float(max(share, 1 - share))

    def run(self, method: str, disclosure: float, scales: dict[str, tuple[float, Disclosure]]) -> _Result:
        """Accuracy, disclosure with its standard error, and setting of a method; `scales` keeps the noise of laws."""
        if method == "clear":
            return self._tree(self.tuples, self.classes), (1.0, 0.0), np.nan
        if method == "guided":
            return self._guided(disclosure)
        return self._randomised(method, disclosure, scales)

    def _tree(self, tuples: Bits, classes: Integers) -> float:
        tree = tuple_tree(tuples, classes, key=self.key)
        return float(tree.score(self.encoding.encode(self.test).astype(np.float32), self.truth))

    def _guided(self, disclosure: float) -> _Result:
        # What is sent changes the guidance, and the guidance what is disclosed.
        level, runs = self.encoding.dimension * disclosure / 2, []
        while True:
            runs.append(run := GuidedSurvey(self, level))
            if len(runs) == ROUNDS or abs(run.shared[0] - disclosure) < NEAR:
                break
            level = runs[-1].level_for(disclosure) if len(runs) == 1 else _secant(runs[-2], runs[-1], disclosure)
            level = float(np.clip(level, 0, self.encoding.dimension))
        best = min(runs, key=lambda run: abs(run.shared[0] - disclosure))
        return self._tree(best.sent, best.classes), best.shared, best.level

    def _randomised(self, law: str, disclosure: float, scales: dict[str, tuple[float, Disclosure]]) -> _Result:
        values = self.frame.astype(float).to_numpy()
        if law not in scales:
            part = slice(self.law_rows)
            codes = self.encoding.to_codes(self.tuples[part])
            scales[law] = noise_for_disclosure(values[part], codes, disclosure, law=law, draws=DRAWS)
        scale, measured = scales[law]
        released, variances = randomise(values, scale, law=law, key=self.key)
        edges = [np.linspace(low, high, INTERVALS + 1)[1:-1] for low, high in zip(*_ends(values), strict=True)]
        codes = corrected(released, self.classes, variances, edges, law=law)
        tested = self.test.astype(float).to_numpy()
        tested = np.column_stack([np.searchsorted(e, tested[:, j], side="right") for j, e in enumerate(edges)])
        found = tuple_tree(codes, self.classes, key=self.key).score(tested, self.truth)
        return float(found), (measured.share, measured.standard_error), scale


class GuidedSurvey:
    """One survey whose respondents follow a level on average: what was sent, and what it disclosed.

    A level of 2.3 stands for respondents of whom 30 % follow three columns and the others two.

    Parameters
    ----------
    case : Case
    level : float

    Attributes
    ----------
    sent : numpy.ndarray, shape (rows, dimension)
        What was sent, without the first answers, which are clear.
    classes : numpy.ndarray, shape (rows,)
    looks : list of numpy.ndarray, shape (dimension, k*)
        The guidance, as it was at some moments of the survey.
    shared : tuple of float
        The share that is disclosed, and its standard error.
    """

    def __init__(self, case: Case, level: float) -> None:
        self.case, self.level = case, level
        self._known: dict[int, tuple[float, float]] = {0: (0.0, 0.0)}
        low, share = int(level), level - int(level)
        clear = min(CLEAR, len(case.tuples) // 2)
        # mu = 0: respondents decide, not the miner. The paper has no extra check.
        survey = Survey(
            case.encoding,
            case.tuples,
            case.classes,
            mix=Mix((Kind("low", 1 - share, low), Kind("high", share, low + 1))),
            mu=0.0,
            clear=clear,
            extra_check=False,
            key=case.key,
        )
        survey.ask(clear)
        asked, self.looks = [], []
        for count in np.diff(np.linspace(clear, len(case.tuples), LOOKS + 1).astype(int)):
            # In the middle of those whom it stands for.
            asked.append(survey.ask(count // 2))
            guidance = cast("Guidance", survey.miner.guidance())  # there is one: some answers have come
            self.looks.append(guidance.basis)
            asked.append(survey.ask(count - count // 2))
        self.sent = np.vstack([batch.sent for batch in asked])
        self.classes = case.classes[np.concatenate([batch.rows for batch in asked])]
        # What was disclosed by the guidance that was sent, and its standard error; the same draws at both levels.
        (one, error), (two, other) = self._at(low), self._at(low + 1)
        self.shared = (1 - share) * one + share * two, (1 - share) * error + share * other

    def level_for(self, disclosure: float) -> float:
        """The mean level at which so much would be disclosed by the same guidance."""
        low = int(self.level)
        while low and self._at(low)[0] > disclosure:
            low -= 1
        while low < self.case.encoding.dimension and self._at(low + 1)[0] < disclosure:
            low += 1
        below, above = self._at(low)[0], self._at(low + 1)[0]
        return low + float(np.clip((disclosure - below) / max(above - below, 1e-9), 0, 1 - 1e-9))

    def _at(self, level: int) -> tuple[float, float]:
        if level not in self._known:
            law, found = self.case.tuples[: self.case.law_rows], []
            for look, basis in enumerate(self.looks):
                chances = partial(probabilities, basis=basis[:, :level])
                own = keys.derive(self.case.key, "zhang", "disclosure", look)
                found.append(degree_of_disclosure(law, chances, draws=DRAWS, key=own))
            error = np.sqrt(sum(one.standard_error**2 for one in found)) / len(found)
            self._known[level] = float(np.mean([one.share for one in found])), float(error)
        return self._known[level]


def _secant(one: GuidedSurvey, two: GuidedSurvey, disclosure: float) -> float:
    """The mean level that two surveys let expect for a disclosure."""
    gained = two.shared[0] - one.shared[0]
    if abs(gained) < 1e-6:
        return two.level_for(disclosure)
    return two.level + (disclosure - two.shared[0]) * (two.level - one.level) / gained


def _ends(values: Floats) -> tuple[Floats, Floats]:
    return values.min(axis=0), values.max(axis=0)
