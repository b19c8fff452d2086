"""Guided perturbation against randomisation at equal disclosure, on five functions: Figure 3 (Zhang et al. 2005)."""

import numpy as np
import pandas as pd

from engine.measures import degree_of_disclosure
from engine.survey import Encoding, Kind, Mix, Survey, guidance_of, probabilities
from engine.utility import Cancelled, Ticker, corrected, noise_for_disclosure, randomise, tuple_tree

from .data import FUNCTIONS, derived_key, people

__all__ = ["figure_3"]

LAWS = ("gaussian", "uniform")
QUICK_ROWS, PAPER_ROWS = 10_000, 100_000
QUICK_TEST, PAPER_TEST = 2_000, 5_000
QUICK_LAW, PAPER_LAW = 1_500, 10_000
DRAWS, INTERVALS, CLEAR = 300, 20, 200
COLUMNS = ["function", "method", "accuracy", "standard_error", "disclosure", "setting", "majority", "rows", "test_rows"]


def figure_3(
    *,
    functions=FUNCTIONS,
    disclosure=0.25,
    bins=4,
    rows=None,
    test_rows=None,
    key=1,
    paper_size=False,
    progress=None,
    cancelled=None,
):
    """Accuracy of a decision tree by function and method, all methods disclosing as much (Figure 3).

    Respondents mix two neighbouring levels so that they disclose the wanted share on average; the noise of the
    randomisation is scaled until it does. The law of the answers, for both, is the empirical one of some of the
    training tuples. Randomised values are corrected by class into 20 intervals of equal width.

    Quartiles limit what guided perturbation can reach ("clear" is a tree on the tuples as they are): the first
    function splits the ages at 40 and 60, which lie within quartiles, so it cannot pass 5/6.

    Parameters
    ----------
    functions : sequence of int
        Out of 1 to 5.
    disclosure : float
        The share that is disclosed.
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
        tuples, disclosure (measured), setting (mean level, or scale of the noise in standard deviations), majority
        (share of the commoner class), rows, test_rows.
    """
    rows = rows or (PAPER_ROWS if paper_size else QUICK_ROWS)
    test_rows = test_rows or (PAPER_TEST if paper_size else QUICK_TEST)
    law_rows = min(rows, PAPER_LAW if paper_size else QUICK_LAW)
    functions = list(functions)
    ticker = Ticker(len(functions) * (2 + len(LAWS)), progress, cancelled)
    records, scales = [], {}
    try:
        for function in functions:
            # The same people for every function: only their classes differ, so the noise is scaled once.
            case = _Case(function, rows, test_rows, law_rows, bins, key)
            for method in ("clear", "guided", *LAWS):
                ticker.check()
                found, shared, setting = case.run(method, disclosure, scales)
                spread = np.sqrt(found * (1 - found) / test_rows)
                records.append((function, method, found, spread, shared, setting, case.majority, rows, test_rows))
                ticker.step(f"function {function}, {method}")
    except Cancelled as stop:
        stop.result = pd.DataFrame(records, columns=COLUMNS)
        raise
    return pd.DataFrame(records, columns=COLUMNS)


class _Case:
    """People of one function, and every method on them."""

    def __init__(self, function, rows, test_rows, law_rows, bins, key):
        self.frame, self.classes = people(function, rows, key=derived_key(key, "training"))
        self.test, self.truth = people(function, test_rows, key=derived_key(key, "test"))
        self.encoding = Encoding.fit(self.frame, bins=bins)
        self.tuples = self.encoding.encode(self.frame)
        self.law_rows, self.key = law_rows, derived_key(key, "survey", function)
        share = np.mean(self.truth)
        self.majority = float(max(share, 1 - share))

    def run(self, method, disclosure, scales):
        """Accuracy, disclosure and setting of a method."""
        if method == "clear":
            return self._tree(self.tuples), 1.0, np.nan
        if method == "guided":
            return self._guided(disclosure)
        return self._randomised(method, disclosure, scales)

    def _tree(self, tuples):
        tree = tuple_tree(tuples, self.classes, key=self.key)
        return float(tree.score(self.encoding.encode(self.test).astype(np.float32), self.truth))

    def _guided(self, disclosure):
        low, high, share, shared = self._levels(disclosure)
        mix = Mix((Kind("low", 1 - share, low), Kind("high", share, high)))
        # mu = 0: respondents decide, not the miner. The paper has no extra check.
        survey = Survey(
            self.encoding,
            self.tuples,
            self.classes,
            mix=mix,
            mu=0.0,
            most_level=high,
            clear=min(CLEAR, len(self.tuples) // 2),
            extra_check=False,
            key=self.key,
        )
        batch = survey.ask(len(self.tuples))
        tree = tuple_tree(batch.sent, self.classes[batch.rows], key=self.key)
        found = tree.score(self.encoding.encode(self.test).astype(np.float32), self.truth)
        return float(found), shared, (1 - share) * low + share * high

    def _levels(self, disclosure):
        """Two neighbouring levels, and the share of the higher, that disclose so much on average."""
        signs = np.where(self.classes == 0, 1.0, -1.0)[:, None]
        basis = guidance_of((signs * self.tuples).T @ self.tuples.astype(float), 0.0).basis
        law, before = self.tuples[: self.law_rows], 0.0
        for level in range(1, basis.shape[1] + 1):
            found = degree_of_disclosure(
                law, lambda tuples, level=level: probabilities(tuples, basis[:, :level]), draws=DRAWS, key=self.key
            ).share
            if found >= disclosure:
                share = (disclosure - before) / (found - before)
                return level - 1, level, float(share), disclosure
            before = found
        return level, level, 1.0, before

    def _randomised(self, law, disclosure, scales):
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
        return float(tuple_tree(codes, self.classes, key=self.key).score(tested, self.truth)), measured.share, scale


def _ends(values):
    return values.min(axis=0), values.max(axis=0)
