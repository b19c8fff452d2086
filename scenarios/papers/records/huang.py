"""Huang, Du and Chen 2005: experiments 1 to 4."""

from collections.abc import Callable, Sequence

import pandas as pd

from trustscope.engine.experiments import huang
from trustscope.scenarios.papers.judge import ends, falling, holds, rising
from trustscope.scenarios.papers.record import Experiment, Finder, Finding, Parameter
from trustscope.scenarios.words import plain

__all__ = ["RECORDS"]

NAMES = {
    "noise_distribution": "the noise alone (NDR)",
    "univariate": "each attribute by itself (UDR)",
    "principal_components": "principal components (PCA)",
    "bayes": "Bayes estimate (BE)",
    "spectral_filter": "spectral filter (SF)",
}
ROWS = Parameter("rows", "Rows", 5_000, 10_000, low=50, high=100_000)
REPETITIONS = Parameter("repetitions", "Repetitions", 2, 10, low=1, high=100)
SEES = ("principal_components", "bayes", "spectral_filter")


def _errors(table: pd.DataFrame, varied: str) -> pd.DataFrame:
    return table.pivot_table(index=varied, columns="attacker", values="error")


def _all_move(varied: str, direction: Callable[[pd.Series], bool], which: Sequence[str] = SEES) -> Finder:
    def measure(table: pd.DataFrame) -> Finding:
        errors = _errors(table, varied)
        if len(errors) < 2:
            return None
        text = "; ".join(f"{NAMES[name].split('(')[-1][:-1]} {ends(errors[name])}" for name in which)
        return text, all(direction(errors[name]) for name in which)

    return measure


def _bayes_first(varied: str) -> Finder:
    """It holds where the covariance is estimated well enough; `huang/always-better` shows where it is not."""

    def measure(table: pd.DataFrame) -> Finding:
        errors = _errors(table, varied)
        others = errors[["univariate", "principal_components", "spectral_filter"]].min(axis=1)
        worst = (errors["bayes"] / others).max()
        return f"at most {worst:.2f} of the best other", worst < 1.02

    return measure


def _univariate(varied: str, within: float) -> Finder:
    def measure(table: pd.DataFrame) -> Finding:
        errors = _errors(table, varied)["univariate"]
        return f"{plain(errors.min())} to {plain(errors.max())}", errors.max() / errors.min() - 1 < within

    return measure


def on_theory(table: pd.DataFrame) -> Finding:
    """Attackers whose error has a closed form that estimating a covariance hardly changes."""
    known = table[table["attacker"].isin(["noise_distribution", "univariate", "principal_components"])]
    worst = (known["error"] / known["theory"] - 1).abs().max()
    return f"at most {100 * worst:.1f} % apart", worst < 0.06


def crossing(table: pd.DataFrame) -> Finding:
    noise = table[table["attacker"] == "noise_distribution"]["theory"].iloc[0]
    errors = _errors(table, "small")
    gap = errors["principal_components"] - errors["univariate"]
    after = gap.index[gap > 0]
    before = gap.index[gap <= 0]
    if not len(after) or not len(before):
        return None
    at = huang.crossing(noise)
    text = f"between {plain(before.max())} and {plain(after.min())}; theory {plain(at)}"
    return text, before.max() <= at <= after.min()


def bayes_joins_univariate(table: pd.DataFrame) -> Finding:
    errors = _errors(table, "small")
    ratio = errors["bayes"] / errors["univariate"]
    if len(ratio) < 2:
        return None
    return f"BE at {ends(ratio)} of UDR's error", rising(ratio) and ratio.iloc[-1] > 0.8


def filter_near_components(table: pd.DataFrame) -> Finding:
    errors = _errors(table, "small").iloc[0]
    ratio = errors["spectral_filter"] / errors["principal_components"]
    return f"{ratio:.2f} times PCA's error at {plain(float(_errors(table, 'small').index[0]))}", 0.9 < ratio < 1.15


def filter_behind(table: pd.DataFrame) -> Finding:
    errors = _errors(table, "attributes")
    ratio = (errors["spectral_filter"] / errors["principal_components"]).loc[errors.index > 5]
    return f"{ratio.min():.1f} to {ratio.max():.1f} times PCA's error", bool((ratio > 1).all())


def own_shape(table: pd.DataFrame) -> Finding:
    errors = _errors(table, "similarity")
    others = ("principal_components", "bayes")
    text = "; ".join(f"{NAMES[n].split('(')[-1][:-1]} {ends(errors[n])}" for n in others)
    return f"opposite to own shape: {text}", all(rising(errors[n]) for n in others)


def filter_turns(table: pd.DataFrame) -> Finding:
    part = _errors(table, "similarity")["spectral_filter"]
    lowest = float(part.index[int(part.argmin())])
    return (
        f"lowest at similarity {plain(lowest)}, {plain(part.iloc[0])} at the opposite end",
        lowest > part.index[0],
    )


def better_than_white(table: pd.DataFrame) -> Finding:
    errors = _errors(table, "similarity")
    if not {0.0, 1.0} <= set(errors.index):
        return None
    bayes = errors["bayes"]
    white, own = float(bayes.loc[0.0]), float(bayes.loc[1.0])
    return (
        f"BE {plain(white)} with white noise, {plain(own)} with the data's shape",
        own > white,
    )


RECORDS = (
    Experiment(
        "huang/exp1", "More attributes on the same components", "Experiment 1, Figure 1",
        "With the number of principal components fixed, more attributes mean more correlation, and every attacker who uses "
        "correlations comes closer; one who looks at each attribute by itself does not.",
        huang.figure_1,
        (
            holds("errors of PCA, BE and SF fall", "they fall", _all_move("attributes", falling), "in this order"),
            holds("UDR hardly changes", "almost the same", _univariate("attributes", 0.1), "10 %"),
            holds("BE is the best of all", "the best", _bayes_first("attributes"), "2 %"),
            holds("SF is behind PCA", "worse", filter_behind, "exact"),
            holds("errors follow Theorems 4.1, 5.1 and 5.2", "by theory", on_theory, "6 %"),
        ),
        (Parameter("attributes", "Attributes", (5, 10, 50, 100), (5, *range(10, 101, 10)), low=5, high=200),
         ROWS, REPETITIONS),
    ),
    Experiment(
        "huang/exp2", "More principal components", "Experiment 2, Figure 2",
        "With 100 attributes, fewer principal components mean more correlation, and the attackers come closer.",
        huang.figure_2,
        (
            holds("errors of PCA, BE and SF rise", "they rise", _all_move("components", rising), "in this order"),
            holds("BE is the best of all", "the best", _bayes_first("components"), "2 %"),
        ),
        (Parameter("components", "Components", (2, 20, 50, 100), (2, *range(10, 101, 10)), low=1, high=100),
         ROWS, REPETITIONS),
    ),
    Experiment(
        "huang/exp3", "When the small eigenvalues grow", "Experiment 3, Figure 3",
        "As the eigenvalues outside the principal components grow, PCA and SF throw away more data than noise and in the "
        "end do worse than looking at each attribute by itself; the Bayes estimate approaches that error instead.",
        huang.figure_3,
        (
            holds("errors of PCA, BE and SF rise", "they rise", _all_move("small", rising), "in this order"),
            holds("past a certain point PCA is worse than UDR", "from some point on", crossing,
                  "the theory lies between"),
            holds("BE approaches UDR", "comes close", bayes_joins_univariate, "above 80 %"),
            holds("SF is close to PCA where the small eigenvalues are small", "close", filter_near_components,
                  "0.9 to 1.15 times"),
            holds("UDR hardly changes", "no effect", _univariate("small", 0.12), "12 %"),
        ),
        (Parameter("small", "Small eigenvalues", (1.0, 10.0, 25.0, 50.0), (1.0, *map(float, range(5, 51, 5))), low=0.1,
                   high=399), ROWS, REPETITIONS),
    ),
    Experiment(
        "huang/exp4", "Noise of the data's own shape", "Experiment 4, Figure 4",
        "The more the noise's correlations resemble the data's, the less can be reconstructed; beyond white noise the data "
        "are nearly given away, except to the spectral filter.",
        huang.figure_4,
        (
            holds("the closer to the data's own shape, the larger the errors", "highest error", own_shape, "in this order"),
            holds("noise of the data's shape is better than white noise", "better", better_than_white, "exact"),
            holds("SF is the exception: it turns up again at the opposite end", "the exception", filter_turns, "exact"),
        ),
        (Parameter("similarities", "Shapes of the noise", (1.0, 0.5, 0.0, -0.5, -1.0),
                   tuple(float(t) / 10 for t in range(10, -11, -1)), low=-1, high=1),
         Parameter("rows", "Rows", 2_000, low=50, high=100_000), REPETITIONS),
    ),
)  # fmt: skip
