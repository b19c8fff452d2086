"""The figures of Xiao et al. (2009), against closed forms, enumeration and each other."""

import numpy as np
import pytest

from trustscope.engine.experiments import xiao
from trustscope.engine.utility import Cancelled

AT = [1, 5, 10, 30]
CHECKED = {"independent": [0.096, 0.415, 0.713, 0.984], "nested": [0.096, 0.227, 0.255, 0.302]}
SMALL = {"small": np.array([0.4, 0.3, 0.2, 0.1])}


def test_figure_4_holds_four_laws():
    table = xiao.figure_4()
    assert table.groupby("distribution")["share"].sum().to_numpy() == pytest.approx(1)
    assert table.groupby("distribution").size().to_dict() == xiao.DISTRIBUTIONS
    with pytest.raises(ValueError, match="must be one of"):
        xiao.distribution("age")


# Figures 5 and 6


@pytest.mark.parametrize("scheme", ["nested", "multi_pert"])
def test_together_they_know_no_more_than_charlie(scheme):
    """The worst of at most 64 combinations; 5 times the distance of chance is passed with less than 1e-6."""
    table = xiao.figure_5(SMALL, draws=400_000, scheme=scheme)
    assert len(table) == 4
    assert table["exact_distance"].iloc[0] < 1e-12
    assert table["distance"].iloc[0] < 5 * table["chance"].iloc[0]
    np.testing.assert_allclose(table["exact_together"], table["exact_alone"], atol=1e-12)
    np.testing.assert_allclose(table["together"], table["exact_together"], atol=0.1)


def test_independent_copies_tell_more_and_the_test_can_tell():
    table = xiao.figure_5(SMALL, draws=400_000, scheme="independent")
    assert table["exact_distance"].iloc[0] > 0.3
    assert table["distance"].iloc[0] > 5 * table["chance"].iloc[0]
    np.testing.assert_allclose(table["together"], table["exact_together"], atol=0.1)


def test_every_copy_is_uniform_perturbation():
    counts = {"small": xiao.simulate(SMALL["small"], draws=400_000)}
    assert counts["small"].sum() == 400_000
    table = xiao.figure_6(SMALL, counts=counts)
    assert table["theory"].sum() == pytest.approx(1)
    assert table["distance"].iloc[0] < 5 * table["chance"].iloc[0]
    shifted = {"small": np.roll(counts["small"], 1, axis=1)}
    wrong = xiao.figure_6(SMALL, counts=shifted)
    assert wrong["distance"].iloc[0] > 50 * wrong["chance"].iloc[0]
    assert xiao.figure_5(SMALL, counts=counts)["draws"].eq(400_000).all()


def test_the_laws_of_the_paper_are_simulated_too():
    table = xiao.figure_5(["occupation"], draws=200_000, least=100)
    assert len(table) == 27
    assert table["exact_distance"].iloc[0] < 1e-12
    with pytest.raises(ValueError, match="too many to count"):
        xiao.simulate(np.full(100, 0.01), draws=10)


def test_simulations_report_and_stop(monkeypatch):
    monkeypatch.setattr("trustscope.engine.experiments.xiao.simulation.BATCH", 1000)
    seen = []
    xiao.figure_6(SMALL, draws=2500, progress=lambda *step: seen.append(step))
    assert [step[:2] for step in seen] == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(Cancelled) as stop:
        xiao.simulate(SMALL["small"], draws=5000, progress=seen.append, cancelled=lambda: True)
    assert stop.value.result.sum() == 0


# Figure 7


@pytest.fixture(scope="module")
def figure_7():
    return xiao.figure_7(key=7)


@pytest.mark.parametrize("scheme", CHECKED)
def test_figure_7_has_the_checked_figures(figure_7, scheme):
    curve = figure_7[figure_7["scheme"] == scheme].set_index("copies")
    # The levels were selected for this, so it guards against change; the limit does not depend on them.
    # The nested theory is exact; the independent one is simulated, standard error 0.003 at the most.
    np.testing.assert_allclose(curve["theory"].loc[AT], CHECKED[scheme], atol=0.001 if scheme == "nested" else 0.012)
    assert curve["limit"].iloc[0] == pytest.approx(0.323, abs=0.001)
    error = np.hypot(curve["standard_error"], curve["theory_error"])
    assert ((curve["reconstruction"] - curve["theory"]).abs() / error).max() < 5


def test_figure_7_tells_the_schemes_apart(figure_7):
    last = figure_7[figure_7["copies"] == 30].set_index("scheme")
    assert last.loc["independent", "reconstruction"] - last.loc["nested", "reconstruction"] > 0.6
    nested = figure_7[figure_7["scheme"] == "nested"]
    changes = nested["reconstruction"].diff().fillna(1) != 0
    better = nested["best"].diff().fillna(1) > 0
    assert changes.equals(better)


def test_figure_7_takes_other_data_and_stops():
    table = xiao.figure_7([0, 1, 1, 2] * 50, 3, levels=[0.5, 0.2], draws=500)
    assert len(table) == 4
    with pytest.raises(ValueError, match="how many values"):
        xiao.figure_7([0, 1])
    calls = iter([False] * 4 + [True])
    with pytest.raises(Cancelled) as stop:
        xiao.figure_7([0, 1] * 50, 2, levels=[0.5, 0.2], draws=100, cancelled=lambda: next(calls))
    assert stop.value.result["scheme"].tolist() == ["independent"] * 2
    assert len(xiao.paper_levels(40)) == 40


# Figure 8


def test_figure_8_keeps_its_bound_in_every_order():
    table = xiao.figure_8(copies=(1, 10, 60), rows=1500)
    assert len(table) == 3 * 2 * 3
    # Means over 1 500 records whose spread is at most that of 7 redraws: 5 standard errors.
    assert ((table["values"] - table["expected"]).abs() < 5 * np.sqrt(7 / 1500)).all()
    assert (table["values"] <= 1.1 * table["bound"]).all()
    assert (table["seconds"] > 0).all()
    # Of the same 10 000 levels the first 60: at random they span most, from the top down least.
    last = table[(table["copies"] == 60) & (table["method"] == "multi_pert")].set_index("order")
    for column in ("bound", "values"):
        assert last.loc["random", column] > last.loc["ascending", column] > last.loc["descending", column]


def test_figure_8_stops_and_refuses():
    with pytest.raises(Cancelled) as stop:
        xiao.figure_8(copies=(1,), rows=10, cancelled=lambda: True)
    assert len(stop.value.result) == 0
    with pytest.raises(ValueError, match="At least one copy"):
        xiao.figure_8(copies=(0,), rows=10)
