"""The figures and tables of Li et al. (2012), against closed forms and against each other.

False-alarm rates are stated where a test could fail by chance; keys are fixed, so in fact it never flickers.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris

from trustscope.engine.attacks import llse
from trustscope.engine.experiments import li
from trustscope.engine.gaussian import GaussianRelease
from trustscope.engine.utility import Cancelled

AT = [1, 5, 10, 30]
PRINTED = {"independent": [0.3085, 0.0903, 0.0457, 0.0175], "nested": [0.3085, 0.2418, 0.2256, 0.2256]}


@pytest.fixture(scope="module")
def figure_2():
    return li.figure_2(key=7)


def curve(table, attacker, scheme, column="error", sample=0, attribute="Age"):
    chosen = (table["attacker"] == attacker) & (table["scheme"] == scheme) & (table["sample"] == sample)
    return table[chosen & (table["attribute"] == attribute)].set_index("copies")[column]


# Tables 2 and 3, Figure 1


def test_table_3_has_the_printed_moments():
    table = li.table_3(key=3)
    assert list(table["attribute"]) == ["Age", "Income"]
    np.testing.assert_allclose(table["mean"], [50.06, 16.57], rtol=1e-12)
    np.testing.assert_allclose(table["variance"], [303.03, 219.92], rtol=1e-12)
    np.testing.assert_allclose(table["printed_variance"], table["variance"])


def test_table_3_takes_other_data():
    table = li.table_3(np.array([[1.0, 2.0], [3.0, 6.0]]))
    assert list(table["mean"]) == [2.0, 4.0]
    assert list(table["variance"]) == [2.0, 8.0]
    assert table["printed_mean"].isna().all()


def test_the_draw_is_keyed_plausible_and_the_two_are_correlated():
    draw = li.census(5000, key=1)
    assert draw.equals(li.census(5000, key=1))
    assert not draw.equals(li.census(5000, key=2))
    assert draw["Age"].between(15, 90).all()
    assert (draw["Income"] > -1).all()
    assert draw["Income"].skew() > 1
    assert 0.2 < draw.corr().loc["Age", "Income"] < 0.4


def test_figure_1_counts_every_row_once():
    table = li.figure_1(bins=25, key=1)
    for _, part in table.groupby("attribute"):
        assert len(part) == 25
        assert part["count"].sum() == 10_000
        assert (part["density"] * (part["right"] - part["left"])).sum() == pytest.approx(1)


def test_large_data_are_cut_and_bad_data_refused():
    large = np.random.default_rng(0).standard_normal((12_000, 1))
    assert li.figure_1(large)["count"].sum() == 10_000
    assert li.figure_1(large, paper_size=True)["count"].sum() == 12_000
    for bad in (np.array([[1.0], [np.nan]]), np.ones((1, 2)), np.ones((5, 0))):
        with pytest.raises(ValueError):
            li.figure_1(bad)
    with pytest.raises(ValueError, match="two rows"):
        li.census(1)


def test_table_2_has_the_theorems_and_the_bridge():
    table = li.table_2().set_index("algorithm")
    assert table.loc["1, parallel", "time"] == table.loc["2, sequential", "time"] == "O(N³ + MN²)"
    assert table.loc["3, on demand", ["time", "space"]].tolist() == ["O(M³ + N³)", "O(M² + N²)"]
    assert "bridge, on demand" in table.index
    assert list(table.index[~table["resists_collusion"]]) == ["independent noise"]


# Figure 2


@pytest.mark.parametrize("scheme", PRINTED)
def test_theory_of_figure_2(figure_2, scheme):
    theory = curve(figure_2, "perfect", scheme, "theory")
    np.testing.assert_allclose(theory.loc[AT], PRINTED[scheme], atol=5e-5)
    np.testing.assert_array_equal(
        curve(figure_2, "perfect", scheme, "level"), np.random.default_rng(2).uniform(0.25, 1, 30)
    )


def far_from_theory(table):
    """Largest distance of measurement from theory, in standard errors of the measurement.

    240 figures, but highly dependent; 4.9 standard errors keep false alarms below 240 × 1e-6 = 0.024 %.
    """
    known = table[table["theory"].notna() & table["sample"].eq(0)]
    return ((known["error"] - known["theory"]).abs() / known["standard_error"]).max()


def test_figure_2_measures_what_theory_says_and_not_another_scheme(figure_2):
    assert len(figure_2) == 2 * 2 * 30 * (2 + 2 * 3)
    assert far_from_theory(figure_2) < 4.9
    other = {"nested": "independent", "independent": "nested"}
    index = ["attribute", "scheme", "copies", "attacker", "sample"]
    theory = figure_2.set_index(index)["theory"]
    looked_up = pd.MultiIndex.from_frame(figure_2.assign(scheme=figure_2["scheme"].map(other))[index])
    swapped = figure_2.assign(theory=theory.loc[looked_up].to_numpy())
    assert far_from_theory(swapped) > 50


def test_nested_copies_together_are_worth_the_best_one_and_independent_ones_more(figure_2):
    for attribute in ("Age", "Income"):
        nested, alone = (
            curve(figure_2, attacker, "nested", attribute=attribute) for attacker in ("perfect", "best copy")
        )
        np.testing.assert_allclose(nested, alone, rtol=1e-12)
        joint, alone = (
            curve(figure_2, attacker, "independent", attribute=attribute) for attacker in ("perfect", "best copy")
        )
        assert joint.loc[1] == alone.loc[1]
        assert (joint.loc[5:] < 0.6 * alone.loc[5:]).all()


def test_a_general_solve_gains_nothing_from_nested_copies_either():
    """The best linear weights fitted to the data themselves, not those of the theory."""
    x = li.census(10_000, key=5)["Age"].to_numpy()
    levels = li.paper_levels(6)

    def gain(scheme):
        release = GaussianRelease(x, scheme=scheme, key=5)
        copies = np.stack([release.copy(level=level) for level in levels], axis=1)
        centred, target = copies - copies.mean(axis=0), x - x.mean()
        joint = target - centred @ np.linalg.lstsq(centred, target)[0]
        best = centred[:, [int(np.argmin(levels))]]
        alone = target - best @ np.linalg.lstsq(best, target)[0]
        return 1 - joint.var() / alone.var()

    # Five useless regressors: the gain is about chi-squared(5) / rows; 31 is passed once in 1e5 draws.
    assert gain("nested") < stats.chi2.isf(1e-5, 5) / 10_000
    assert gain("independent") > 0.5


def test_the_structured_attacker_is_nearly_perfect_and_the_raw_one_gets_worse(figure_2):
    for sample in (400, 800, 1200):
        structured = curve(figure_2, "structured", "independent", sample=sample)
        perfect = curve(figure_2, "perfect", "independent")
        np.testing.assert_allclose(structured, perfect, rtol=0.02)
        raw = curve(figure_2, "raw", "independent", sample=sample)
        assert raw.loc[1] == pytest.approx(structured.loc[1], rel=0.02)
        assert raw.loc[30] > raw.loc[10:20].min()
        assert raw.loc[30] > 3 * structured.loc[30]
    raw = [curve(figure_2, "raw", "independent", sample=sample).loc[30] for sample in (400, 800, 1200)]
    assert raw == sorted(raw, reverse=True)


def test_the_raw_attacker_with_30_copies_and_400_rows():
    """0.267 on average; one key has a standard deviation of 0.05 to 0.07, the mean of 24 one of 0.012."""
    levels, errors = li.paper_levels(), []
    for key in range(24):
        x = li.census(4000, key=key).to_numpy()
        release = GaussianRelease(x, scheme="independent", key=key)
        copies = [release.copy(level=level) for level in levels]
        rows = np.random.default_rng(key).choice(len(x), 400, replace=False)
        estimate = llse.reconstruct_raw(copies, levels=levels, sample=rows)
        errors.append(((estimate - x) ** 2).mean(axis=0) / x.var(axis=0))
    standard_error = np.std(np.mean(errors, axis=1), ddof=1) / np.sqrt(24)
    assert standard_error < 0.015
    assert np.mean(errors) == pytest.approx(0.267, abs=3 * standard_error)


def test_figure_2_is_keyed_takes_data_and_stops():
    data = np.random.default_rng(1).standard_normal((500, 1)) * [3.0]
    options = {"data": data, "levels": [0.5, 0.9, 0.3], "samples": [50]}
    steps = []
    table = li.figure_2(**options, key=4, progress=lambda *step: steps.append(step))
    assert set(table["attribute"]) == {"attribute 1"}
    assert [step[:2] for step in steps] == [(i, 6) for i in range(1, 7)]
    pd.testing.assert_frame_equal(table, li.figure_2(**options, key=4))
    assert not table["error"].equals(li.figure_2(**options, key=5)["error"])
    count = []
    with pytest.raises(Cancelled) as stop:
        li.figure_2(**options, key=4, progress=lambda *step: count.append(step), cancelled=lambda: len(count) == 2)
    pd.testing.assert_frame_equal(stop.value.result, table.head(len(stop.value.result)))
    assert set(stop.value.result["copies"]) == {1, 2}
    with pytest.raises(ValueError, match="two rows"):
        li.figure_2(**{**options, "samples": [1]})


# Figure 3


def test_figure_3_cumulates_and_agrees_with_figure_2(figure_2):
    table = li.figure_3(key=7)
    assert len(table) == 2 * 2 * 4 * 60
    for (attribute, scheme, copies), part in table.groupby(["attribute", "scheme", "copies"]):
        assert (np.diff(part["cumulative"]) >= 0).all()
        np.testing.assert_allclose(part["cumulative"], part["share"].cumsum())
        assert part["cumulative"].iloc[-1] > 0.995
        # The mean square from the bins is that of the same attack in Figure 2, up to the width of a bin.
        middle = (part["left"] + part["right"]) / 2
        error = (part["share"] * middle**2).sum() / li.MOMENTS[attribute][1]
        assert error == pytest.approx(curve(figure_2, "perfect", scheme, attribute=attribute).loc[copies], rel=0.05)


def test_figure_3_nested_curves_stay_and_independent_ones_rise():
    table = li.figure_3(key=7)
    near = table[np.isclose(table["right"], 0.1 * table.groupby("attribute")["right"].transform("max"))]
    near = near.set_index(["attribute", "scheme", "copies"])["cumulative"].sort_index()
    for attribute in ("Age", "Income"):
        nested, independent = near[attribute, "nested"], near[attribute, "independent"]
        assert (np.diff(independent) > 0.02).all()
        assert nested.loc[30] == nested.loc[10]  # the best copy came before
        assert (independent > nested).all()


def test_figure_3_checks_the_numbers_of_copies():
    with pytest.raises(ValueError, match="between 1 and 2"):
        li.figure_3(levels=[0.5, 0.6], copies=(5,))


# Figure 4


@pytest.fixture(scope="module")
def accuracies():
    """Iris, 12 releases, the copy at s = 0.25 made between the data and a later one."""
    table = li.figure_4({"Iris": load_iris(return_X_y=True)}, levels=[0.6, 0.25], repetitions=12, key=2)
    return table.pivot_table(index="repetition", columns=["level", "model", "scheme"], values="accuracy")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("model", "scheme", "figure"),
    [
        ("tree", "nested", 0.753),
        ("tree", "independent", 0.752),
        ("svm", "nested", 0.801),
        ("svm", "independent", 0.794),
    ],
)
def test_accuracy_on_iris_copies(accuracies, model, scheme, figure):
    """Within 3 standard errors (0.27 % false alarms each); the standard deviation over keys is about 0.04."""
    values = accuracies[0.25, model, scheme]
    assert 0.02 < values.std() < 0.06
    standard_error = values.std() / np.sqrt(len(values))
    assert abs(values.mean() - figure) < 3 * standard_error
    # Another level is told apart, so the test has power.
    assert abs(accuracies[0.6, model, scheme].mean() - figure) > 6 * standard_error


@pytest.mark.parametrize("model", ["tree", "svm"])
def test_schemes_leave_the_same_utility_in_law(accuracies, model):
    """Two-sample t and Kolmogorov-Smirnov tests at 0.1 % each; they reject another level."""
    for level in (0.25, 0.6):
        nested, independent = accuracies[level, model, "nested"], accuracies[level, model, "independent"]
        assert stats.ttest_ind(nested, independent, equal_var=False).pvalue > 1e-3
        assert stats.ks_2samp(nested, independent).pvalue > 1e-3
        assert not np.array_equal(nested, independent)
    assert stats.ks_2samp(accuracies[0.25, model, "nested"], accuracies[0.6, model, "nested"]).pvalue < 1e-3


def test_figure_4_has_both_sets_and_the_original():
    table = li.figure_4(levels=[0.5], models="tree", folds=3, key=1)
    assert len(table) == 2 * 3
    assert set(table.loc[table["level"] == 0, "scheme"]) == {"original"}
    assert set(table["rows"]) == {150, 569}
    pd.testing.assert_frame_equal(table, li.figure_4(levels=[0.5], models="tree", folds=3, key=1))


def test_figure_4_stops_and_keeps_what_it_has():
    steps = []
    with pytest.raises(Cancelled) as stop:
        li.figure_4(folds=3, progress=lambda *step: steps.append(step), cancelled=lambda: len(steps) >= 3, key=1)
    assert len(stop.value.result) == 3
    assert steps[0][1] == 2 * (1 + 2 * 4) * 2


# Figure 5


def test_figure_5_times_every_method_in_every_setting():
    steps = []
    table = li.figure_5(copies=(4, 9), rows=500, repetitions=2, key=1, progress=lambda *step: steps.append(step))
    assert len(table) == 2 * 3 * 3
    assert set(table["method"]) == {"algorithm 3", "bridge", "independent"}
    assert sorted(set(zip(table["copies"], table["released"], strict=True))) == [
        (4, 1),
        (4, 2),
        (4, 3),
        (9, 2),
        (9, 4),
        (9, 6),
    ]
    assert (table["new"] == table["copies"] - table["released"]).all()
    assert (table["fastest"] > 0).all()
    assert (table["seconds"] >= table["fastest"]).all()
    assert steps[-1][:2] == (12, 12)
    with pytest.raises(ValueError, match="four"):
        li.figure_5(copies=(3,))
    with pytest.raises(Cancelled):
        li.figure_5(cancelled=lambda: True)
