"""A release in terms of differential privacy: figures of its best copy, in its report."""

import re

import numpy as np
import pytest

from tests.release.release_help import make_ledger, survey, write
from trustscope.engine.measures import differential
from trustscope.release.differential import privacy_losses, three_digits


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dp")
    return make_ledger(folder / "ledger", write(survey(400), folder / "data.parquet"))


def test_figures_are_those_of_the_best_copy(ledger):
    recipe = ledger.recipe()
    alone = list(privacy_losses(recipe, (500, 300)))
    age = alone[0]
    assert age.what.startswith("age: two values one standard deviation (")
    # Noise of the data's own covariance at level 1: one standard deviation, given income.
    inverse = np.linalg.inv(recipe.covariance)
    assert age.mu == pytest.approx(recipe.deviations[0] * np.sqrt(inverse[0, 0]), rel=1e-6)
    assert differential.delta_of_epsilon(age.mu, age.epsilon) == pytest.approx(1e-6, rel=1e-6)
    assert alone[-1].what == "region, diagnosis: any two of 8 combinations of values"
    assert alone[-1].epsilon == pytest.approx(np.log(1 + 8 * 0.3 / 0.7))


def test_the_original_has_no_bound_and_nothing_is_said_of_nothing(ledger):
    assert {three_digits(one.epsilon) for one in privacy_losses(ledger.recipe(), (1000, 1000))} == {"∞"}
    assert not list(privacy_losses(ledger.recipe(), (None, None)))
    assert [one.mu for one in privacy_losses(ledger.recipe(), (None, 300))] == [None]


def test_the_report_has_it(ledger, tmp_path):
    assert "differential privacy" not in ledger.report()
    ledger.copy("Ministry", 50, 30, out=tmp_path / "one.parquet")
    text = ledger.report()
    assert "In terms of differential privacy" in text
    figure = r'<td class="figure">(.*?)</td>'
    shown = re.findall(rf"<tr><td>([^<]*)</td>{figure}{figure}{figure}</tr>", text)
    rows = [row for row in shown if "apart" in row[0] or "any two" in row[0]]
    assert len(rows) == 3
    assert float(rows[0][2]) == pytest.approx(float(rows[0][1]) ** 2 / 2, rel=0.02)
    assert rows[2][1:3] == ("–", "–")
