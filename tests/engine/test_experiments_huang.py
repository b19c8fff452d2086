"""Experiments 1 to 4 of Huang et al. (2005) as tables: their shape, their message, and stopping them."""

import numpy as np
import pandas as pd
import pytest

from trustscope.engine.attacks.reconstruction import ATTACKERS
from trustscope.engine.experiments import huang
from trustscope.engine.utility import Cancelled

COMMON = ["attacker", "error", "standard_error", "theory", "estimated_theory", "guess", "rows", "repetitions"]


def by_attacker(table, varied):
    return table.pivot_table(index=varied, columns="attacker", values="error")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("figure", "options", "varied"),
    [
        (huang.figure_1, {"attributes": (5, 30)}, ["attributes"]),
        (huang.figure_2, {"components": (2, 100)}, ["components"]),
        (huang.figure_3, {"small": (1, 50)}, ["small"]),
        (huang.figure_4, {"similarities": (1, 0)}, ["similarity", "dissimilarity", "dissimilarity_rms"]),
    ],
)
def test_tables_are_tidy_and_keyed(figure, options, varied):
    table = figure(**options, rows=300, repetitions=2)
    assert list(table) == varied + COMMON
    assert len(table) == 2 * len(ATTACKERS)
    assert table.drop(columns=["theory", "estimated_theory"]).notna().all(axis=None)
    assert (table["theory"].isna() == (table["attacker"] == "spectral_filter")).all()
    pd.testing.assert_frame_equal(table, figure(**options, rows=300, repetitions=2))
    assert not table["error"].equals(figure(**options, rows=300, repetitions=2, key=2)["error"])


def test_more_attributes_on_the_same_components_help_those_who_see_correlations():
    table = by_attacker(huang.figure_1(), "attributes")
    for name in ("principal_components", "bayes", "spectral_filter"):
        assert table[name].is_monotonic_decreasing
    assert table["univariate"].between(18.4, 20.6).all()
    assert table["bayes"].loc[10] < table["principal_components"].loc[10] < table["univariate"].loc[10]


def test_fewer_components_help_them_too():
    table = by_attacker(huang.figure_2(repetitions=1), "components")
    for name in ("principal_components", "bayes", "spectral_filter"):
        assert table[name].is_monotonic_increasing
    # The mean variance is fixed, the univariate error is not.
    assert table["univariate"].loc[2] < 18 < 19.5 < table["univariate"].loc[100]


def test_past_the_crossing_principal_components_lose():
    table = by_attacker(huang.figure_3(small=(10, 25), repetitions=1), "small")
    assert table["principal_components"].loc[10.0] < table["univariate"].loc[10.0]
    assert table["principal_components"].loc[25.0] > table["univariate"].loc[25.0]
    assert (table["bayes"] < table["univariate"]).all()


def test_the_datas_own_shape_resists_best():
    table = huang.figure_4(similarities=(1, 0, -1), repetitions=1)
    errors = by_attacker(table, "similarity")
    for name in ("principal_components", "bayes"):
        assert errors[name].is_monotonic_increasing
    assert errors["spectral_filter"].loc[-1.0] > errors["spectral_filter"].loc[0.0]
    assert table.sort_values("similarity")["dissimilarity_rms"].is_monotonic_decreasing


def test_theory_fits_what_is_measured():
    table = huang.figure_1(rows=4000, attributes=(10, 40))
    one = table[table["attacker"].isin(["noise_distribution", "univariate", "bayes"])]
    assert np.allclose(one["error"], one["estimated_theory"], rtol=0.03)
    assert not np.allclose(one["error"], one["guess"], rtol=0.5)


def test_data_have_the_eigenvalues_asked_for():
    values = huang.principal_eigenvalues(20, 4, small=2.0)
    assert values.mean() == pytest.approx(100)
    data, covariance = huang.gaussian_data(values, 50_000, key=3)
    np.testing.assert_allclose(np.linalg.eigvalsh(covariance)[::-1], values, rtol=1e-9)
    # 210 second moments within 6 standard errors: a false alarm in 1e-6.
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2)
    assert np.all(np.abs(np.cov(data.T) - covariance) < 6 * scale / np.sqrt(50_000))


def test_the_crossing_solves_its_equation():
    for noise in (5.0, 25.0, 100.0, 300.0):
        e = huang.crossing(noise)
        a = 0.2 * 400 + 0.8 * e
        assert 0.2 * noise + 0.8 * e == pytest.approx(a * noise / (a + noise))
    assert huang.crossing(2000.0) == 0
    assert huang.crossing(components=100) == 0


def test_progress_and_stopping():
    seen = []
    huang.figure_1(attributes=(5, 6), rows=50, repetitions=2, progress=lambda *step: seen.append(step))
    assert [step[:2] for step in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    steps = iter([False, False, False, True])
    with pytest.raises(Cancelled) as stop:
        huang.figure_1(attributes=(5, 6), rows=50, repetitions=2, cancelled=lambda: next(steps))
    assert set(stop.value.result["attributes"]) == {5}


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="1 to 10 components"):
        huang.principal_eigenvalues(10, 11)
    with pytest.raises(ValueError, match="whole variance"):
        huang.principal_eigenvalues(10, 1, small=200.0)
    with pytest.raises(ValueError, match="at least two rows"):
        huang.figure_1(rows=1)
