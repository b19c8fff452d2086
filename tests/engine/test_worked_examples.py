"""The examples that the papers work out, and Table 2 of Li et al. measured."""

import numpy as np
import pytest

from trustscope.engine.experiments import li, xiao
from trustscope.engine.experiments.li import algorithms


def test_alice_and_bob():
    table = li.example().set_index("who")
    assert table.loc[["Alice", "Bob"], "nested"].tolist() == pytest.approx([0.5, 0.8])
    assert table.loc["together", "nested"] == pytest.approx(0.5)
    assert table.loc["together", "independent"] == pytest.approx(4 / 9)


def test_examples_of_uniform_perturbation():
    table = xiao.examples().set_index("short")
    assert np.allclose(table["exact"], table["printed"], atol=5e-4)
    assert table.loc["v", "exact"] == pytest.approx(0.17826, abs=5e-6)


def test_table_2_measured():
    """Five gains within 5 standard errors: a false alarm in 1e-5. The linear attack is fitted, so gains are above 0."""
    table = li.measured_table_2(rows=5000)
    gain = (table["alone"] - table["together"]) / table["standard_error"]
    assert (gain[table["resists_collusion"]] < 5).all()
    assert (gain[~table["resists_collusion"]] > 20).all()
    assert np.allclose(table["alone"], table["expected_alone"], atol=0.02)


def test_table_2_sees_a_wrong_algorithm(monkeypatch):
    def doubled(data, levels, *, rng):
        return np.stack([data + rng.standard_normal(len(data)) * np.sqrt(s * data.var()) for s in levels])

    monkeypatch.setattr(algorithms, "sequential", doubled)
    table = li.measured_table_2(rows=5000).set_index("algorithm")
    wrong = table.loc["2, sequential"]
    assert (wrong["alone"] - wrong["together"]) / wrong["standard_error"] > 20
