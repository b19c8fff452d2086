"""Steps before the noise in a ledger: settled once, read through everywhere, told in the report."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.release.release_help import PASSPHRASE, make_ledger, survey, write
from trustscope.app.cli import main
from trustscope.engine.preparation import Step
from trustscope.release import Ledger, Problem, steps

BEFORE = (
    ("income", Step("top", share=0.1)),
    ("income", Step("logarithm", unit=100.0)),
    ("age", Step("bottom", limit=30.0)),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steps")
    data = write(survey(600, missing=0.05), folder / "data.parquet")
    return folder, data, make_ledger(folder / "ledger", data, before=BEFORE)


def expected(path):
    """The numbers as they are after the steps, worked out by hand."""
    table = pq.read_table(path).to_pandas()
    income = table["income"].to_numpy()
    known = np.sort(income[~np.isnan(income)])
    bound = known[-int(np.ceil(0.1 * len(known)))]
    return np.log1p(np.minimum(income, bound) / 100), np.maximum(table["age"].to_numpy(), 30), bound


def test_quantiles_are_settled_once_and_kept_exactly(place):
    _, data, ledger = place
    income, age, bound = expected(data)
    recipe = ledger.recipe()
    assert recipe.steps[0] == ("income", Step("top", limit=bound, share=0.1))
    assert recipe.covariance[1, 1] == pytest.approx(np.nanvar(income, ddof=1))
    assert recipe.covariance[0, 0] == pytest.approx(np.var(age, ddof=1))
    assert steps.from_record(json.loads(json.dumps(recipe.record()))) == recipe.steps
    assert recipe.schema.field("age").type == pa.int64()
    assert recipe.schema.field("income").type == pa.float64()


def test_copies_are_of_the_numbers_after_the_steps(place):
    folder, data, ledger = place
    income, age, _ = expected(data)
    ledger.copy("Press", 99, 40, out=folder / "press.parquet")
    copy = pq.read_table(folder / "press.parquet").to_pandas()
    assert np.array_equal(np.isnan(copy["income"]), np.isnan(income))
    assert np.nanmax(np.abs(copy["income"] - income)) < 6 * np.sqrt(1 / 99) * np.nanstd(income)
    assert np.abs(copy["age"] - age).max() < 6 * np.sqrt(1 / 99) * age.std() + 1
    assert all(one.holds for one in ledger.check())
    text = ledger.report()
    assert "Before the noise" in text
    assert "income: whatever is above" in text
    assert "Press" in repr(ledger.whose(folder / "press.parquet"))


def test_new_rows_are_coded_at_the_old_bound(tmp_path):
    table = survey(500)
    data = write(table, tmp_path / "data.parquet")
    ledger = make_ledger(tmp_path / "ledger", data, before=(("income", Step("top", share=0.2)),))
    bound = ledger.recipe().steps[0][1].limit
    richer = survey(40, key=9)
    richer = richer.set_column(2, "income", pa.array(np.full(40, 9e6)))
    write(pa.concat_tables([table, richer]), data)
    assert ledger.append() == 40
    assert ledger.recipe().steps[0][1].limit == bound
    ledger.copy("A", 99, 40, out=tmp_path / "a.parquet")
    released = pq.read_table(tmp_path / "a.parquet").column("income").to_numpy()[500:]
    assert released.max() < bound + 6 * np.sqrt(1 / 99) * ledger.recipe().deviations[1]


def test_a_ledger_without_steps_is_recorded_as_before(tmp_path):
    ledger = make_ledger(tmp_path / "ledger", write(survey(50), tmp_path / "data.csv"))
    assert "steps" not in ledger.record.created["recipe"]
    assert "Before the noise" not in ledger.report()


def test_the_command_takes_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUSTSCOPE_PASSPHRASE", PASSPHRASE)
    write(survey(300), tmp_path / "data.csv")
    roles = ["--numbers", "age,income", "--categories", "region,diagnosis", "--keep", "year", "--drop", "name"]
    order = ["release", "init", "ledger", "--data", "data.csv", *roles, "--key-store", "file", "--quiet"]
    assert main([*order, "--before", "income=top:1%", "--before", "age=round:5"]) == 0
    assert "age: rounded to multiples of 5 before noise is added." in capsys.readouterr().out
    assert [name for name, _ in Ledger.open("ledger", passphrase=PASSPHRASE).recipe().steps] == ["income", "age"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("trim:1", "is no step before the noise; give"), ("top:much", "is no step"), ("round:0", "grid must be"),
     ("top:100%", "between 0 and 1")],
)  # fmt: skip
def test_what_is_no_step_gets_a_sentence(text, sentence):
    with pytest.raises(Problem, match=sentence):
        steps.from_text(text)


def test_steps_are_for_numbers(tmp_path):
    data = write(survey(50), tmp_path / "data.csv")
    with pytest.raises(Problem, match="not listed under numbers"):
        make_ledger(tmp_path / "ledger", data, before=(("region", Step("round", grid=5.0)),))
    with pytest.raises(Problem, match="no step for a number here"):
        make_ledger(tmp_path / "ledger", data, before=(("age", Step("drop")),))
