"""What whole numbers, dates and times cannot hold is refused and foretold, never wrapped around."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from release_help import make_ledger, read, write

from trustscope.release import Problem, limits, making
from trustscope.release.recipe import Maker, Recipe
from trustscope.release.temporal import as_counts, as_type

ROWS = 400
TIMES = [f"timestamp[{unit}]" for unit in ("s", "ms", "us", "ns")]


def column(kind):
    """A column of which copies at trust 0.1 leave what its type can hold."""
    rng = np.random.default_rng(3)
    if kind == "int64":
        return pa.array(rng.integers(-(2**62), 2**62, ROWS))
    if kind == "uint64":
        return pa.array(rng.integers(0, 2**63, ROWS).astype(np.uint64) * np.uint64(2))
    return pa.array(rng.integers(-(2**60), 2**60, ROWS)).cast(
        pa.timestamp("ns", "Europe/Berlin" if "zone" in kind else None)
    )


def ledger_of(tmp_path, values):
    data = write(pa.table({"x": values}), tmp_path / "data.parquet")
    return make_ledger(tmp_path / "ledger", data, numbers=["x"], categories=[], keep=[], drop=[])


@pytest.mark.parametrize(
    ("kind", "holds"),
    [("int64", "64 bits"), ("uint64", "64 bits"), *((kind, "from 1677 to 2262") for kind in ("ns", "ns with a zone"))],
)
@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.filterwarnings("error")
def test_a_copy_that_leaves_its_type_is_refused_and_not_recorded(tmp_path, kind, holds, form):
    with ledger_of(tmp_path, column(kind)) as ledger:
        (said,) = ledger.answer("A", 0.1).notes
        assert f"of {ROWS} values of “x” may leave what" in said
        assert holds in said
        with pytest.raises(Problem, match=rf"column “x” in row \d+ leaves what .*{holds}.*Give more trust"):
            ledger.copy("A", 0.1, out=tmp_path / f"a.{form}")
        assert [event.kind for event in ledger.history] == ["created", "intended", "abandoned"]
        assert not ledger.copies
        assert {path.name for path in tmp_path.iterdir()} == {"data.parquet", "ledger"}
        if kind != "uint64":  # its data begin beyond the ends
            assert not ledger.answer("A", 99).notes
            assert not ledger.copy("A", 99, out=tmp_path / f"a.{form}").notes


def test_a_guess_that_was_too_careful_is_not_in_the_record_of_the_copy(tmp_path):
    # Two values have no tails: at this trust, the end is four standard deviations of the noise away.
    with ledger_of(tmp_path, pa.array([-(2**62), 2**62] * (ROWS // 2))) as ledger:
        assert "may leave" in ledger.answer("A", 95).notes[0]
        assert not ledger.copy("A", 95, out=tmp_path / "a.csv").notes


def test_values_at_the_ends_are_held_and_beyond_them_refused():
    for type_ in (pa.int64(), pa.date32(), pa.date64(), *map(pa.type_for_alias, TIMES)):
        least, most = limits.ends(type_)
        inside = np.array([least, most])
        limits.check("x", inside, type_, 0)
        if type_ != pa.int64():
            kept = np.asarray(as_counts(as_type(inside, type_, None)).cast(pa.float64(), safe=False))
            assert np.allclose(kept, inside, rtol=1e-15, atol=0)
        beyond = np.array([0.0, 2 * most])
        with pytest.raises(Problem, match="“x” in row 12 leaves"):
            limits.check("x", beyond, type_, 10)
    assert limits.ends(pa.float64()) is None


def test_copies_from_before_are_still_compared_with(tmp_path):
    """`whose` makes what older versions wrote, wrapped around as it was."""
    with ledger_of(tmp_path, column("int64")) as ledger:
        recipe = Recipe.from_record(ledger.record.created["recipe"])
        table = read(tmp_path / "data.parquet")
        made = Maker(recipe, 1, None, 0, bytes(32)).copy(0, table, wrap=True).column("x").to_numpy()
        assert np.mean(made == np.iinfo(np.int64).min) > 0.5
        # A file is held against copies under other keys too, which may leave what theirs did not.
        ledger.copy("A", 95, out=tmp_path / "a.csv")
        assert ledger.whose(tmp_path / "a.csv").named


def test_dates_that_nobody_can_say_are_foretold(tmp_path):
    born = [datetime.date(1900 + number % 100, 1, 1) for number in range(ROWS)]
    with ledger_of(tmp_path, pa.array(born)) as ledger:
        assert not ledger.answer("A", 50).notes
        copy = ledger.copy("A", 0.1, out=tmp_path / "a.parquet")
        (said,) = copy.notes
        assert "dates of “x” lie before the year 1 or after the year 9999" in said
        days = np.asarray(read(tmp_path / "a.parquet").column("x").cast(pa.int32()))
        outside = np.sum((days < -719_162) | (days > 2_932_896))
        foretold = int(said.split()[1])
        # Binomial: five standard deviations.
        assert abs(outside - foretold) <= 5 * np.sqrt(foretold) + 1


def test_parts_made_elsewhere_are_refused_too(tmp_path):
    """A part of a copy, as one task of a cluster makes it."""
    with ledger_of(tmp_path, column("int64")) as ledger:
        record = ledger.record
        recipe = ledger.recipe()
        job = making.Job(recipe, ledger._data(record), ROWS, ledger._store.units(record.versions), 1)
        with pytest.raises(Problem, match="leaves what whole numbers"):
            list(making.part_copy(job, 0, bytes(32)))
