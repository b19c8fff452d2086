"""Copies from a ledger: what they hold, and that nothing but key, setting and row decides it."""

import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_help import PASSPHRASE, ROLES, key_of, make_ledger, read, slow_numbers, survey, write

import trustscope as ts
from trustscope.release import Cancelled, Ledger, Problem, chain
from trustscope.release.plan import UNIT


def sha(path):
    from trustscope.release.digests import whole_file

    return whole_file(path)


def test_a_copy_is_the_path_rounded_and_recorded(ledger, data, tmp_path):
    copy = ledger.copy("Ministry", 60, 40, out=tmp_path / "copy.parquet", purpose="planning", by="Ada")
    made, table = read(tmp_path / "copy.parquet"), pq.read_table(data)
    assert made.column_names == ["age", "income", "region", "diagnosis", "year"]
    assert made.column("age").type == pa.int64()
    slow = slow_numbers(table.slice(0, 40), ledger, 60)
    np.testing.assert_array_equal(np.asarray(made.column("age"))[:40], np.rint(slow[0]))
    np.testing.assert_allclose(np.asarray(made.column("income"))[:40], np.round(slow[1], 2), atol=1e-9)
    assert made.column("year").equals(table.column("year"))
    assert (copy.to, copy.trust, copy.retention, copy.purpose, copy.by) == ("Ministry", 600, 400, "planning", "Ada")
    assert copy.sha256 == sha(tmp_path / "copy.parquet")
    assert copy.rows == 3_000
    assert [one.to for one in ledger.copies] == ["Ministry"]
    assert [event.kind for event in ledger.history] == ["created", "intended", "made", "issued"]


def test_categories_are_kept_together_at_the_retention(ledger, data, tmp_path):
    ledger.copy("A", 50, 40, out=tmp_path / "copy.parquet")
    made, table = read(tmp_path / "copy.parquet"), pq.read_table(data)
    same = [np.asarray(made.column(name)) == np.asarray(table.column(name)) for name in ("region", "diagnosis")]
    # Both kept (p), or both drawn anew and equal by chance: p + (1 - p) / 8; 5 standard deviations.
    expected = 0.4 + 0.6 / 8
    assert abs((same[0] & same[1]).mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / 3_000)


def test_order_restart_threads_and_partition_do_not_matter(tmp_path):
    table = survey(UNIT + 1_000, missing=0.01)
    whole = write(table, tmp_path / "whole.parquet")
    many = write(table, tmp_path / "many.parquet", row_group_size=17_171, compression="gzip")
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, start in enumerate(range(0, len(table), 90_001)):
        write(table.slice(start, 90_001), folder / f"{number}.parquet")
    with make_ledger(tmp_path / "ledger", whole) as ledger:
        first = [ledger.copy(str(t), t, 40, out=tmp_path / f"{t}.parquet").sha256 for t in (60, 20, 90)]
    again = []
    for place, (t, source) in enumerate([(90, many), (60, folder), (20, whole), (60, many)]):
        with Ledger.open(tmp_path / "ledger", data=source) as ledger:
            copy = ledger.copy(str(t), t, 40, out=tmp_path / f"again{place}.parquet", threads=1 + place % 2)
            assert copy.reissue
            again.append(copy.sha256)
    assert again == [first[2], first[0], first[1], first[0]]
    assert len({copy.to for copy in Ledger.open(tmp_path / "ledger").copies}) == 3


def test_forms_of_a_copy_hold_the_same_values(ledger, tmp_path):
    copies = [ledger.copy("A", 60, 40, out=tmp_path / name) for name in ("a.parquet", "b.csv", "c")]
    assert len({copy.content for copy in copies}) == 1
    tables = [read(tmp_path / name) for name in ("a.parquet", "b.csv", "c")]
    assert tables[0].equals(tables[2])
    assert tables[0].to_pylist() == tables[1].to_pylist()
    assert [file.name for file in (tmp_path / "c").iterdir()] == ["part-000000.parquet"]


def test_a_csv_file_is_released_like_a_parquet_file(tmp_path):
    table = survey(500, missing=0.05)
    for delimiter in ",;":
        path = tmp_path / f"s{ord(delimiter)}.csv"
        frame = table.to_pandas()
        frame.to_csv(path, index=False, sep=delimiter)
        with make_ledger(tmp_path / f"l{ord(delimiter)}", path) as ledger:
            copy = ledger.copy("A", 60, 40, out=tmp_path / f"c{ord(delimiter)}.csv")
            made = read(tmp_path / f"c{ord(delimiter)}.csv")
            assert copy.rows == len(made) == 500
            assert np.array_equal(made.column("income").is_null(), table.column("income").is_null())
            assert all(one.holds for one in ledger.check())


def test_asking_again_says_so_and_gives_the_same_bytes(ledger, tmp_path):
    one = ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    two = ledger.copy("A", 60, 40, out=tmp_path / "b.parquet")
    assert two.reissue == one.number
    assert "same bytes" in two.notes[0]
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert len(ledger.holders()["A"]) == 1
    less = ledger.copy("A", 30, 10, out=tmp_path / "c.parquet")
    assert "adds nothing" in less.notes[0]
    other = ledger.copy("B", 60, 40, out=tmp_path / "d.parquet")
    assert "“A”" in other.notes[0]


def test_what_comes_out_differently_is_not_issued_again(ledger, tmp_path, monkeypatch):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    from trustscope.release.recipe import Maker

    right = Maker.add_noise

    def wrong(self, first, targets, groups=None):
        right(self, first, targets, groups)
        targets[0][0] += 5

    monkeypatch.setattr(Maker, "add_noise", wrong)
    with pytest.raises(Problem, match="came out differently"):
        ledger.copy("A", 60, 40, out=tmp_path / "b.parquet")
    assert not (tmp_path / "b.parquet").exists()
    assert ledger.history[-1].kind == "abandoned"


def test_a_changed_generator_is_refused(ledger, tmp_path, monkeypatch):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    from trustscope.engine import inverse_normal

    right = inverse_normal.normals
    monkeypatch.setattr(
        inverse_normal, "normals", lambda words, out: np.multiply(right(words, out), 1 + 1e-15, out=out)
    )
    with pytest.raises(Problem, match="no longer makes the noise"):
        ledger.copy("B", 30, 40, out=tmp_path / "b.parquet")
    assert {one.name for one in ledger.check() if not one.holds} == {"generator"}


def test_the_probe_is_the_noise_of_the_copies(ledger, tmp_path):
    import hashlib

    from trustscope.engine.cipher import CipherSource
    from trustscope.release import probes
    from trustscope.release.recipe import Maker

    recipe, key = ledger.recipe(), key_of(ledger)
    state, rows = hashlib.sha256(), len(probes.ROWS)
    first = {name: [recipe.domains[name][0]] * rows for name in recipe.roles.categories}
    table = pa.table(survey(rows).to_pydict() | first)
    for part in probes.PARTS:
        maker = Maker(recipe, 370, 250, part, CipherSource(key).part_key(part))
        targets = [np.zeros(16_384) for _ in range(2)]
        maker.add_noise(part * 2**20, targets)
        state.update(np.array([t[probes.ROWS] for t in targets]).astype("<f8").tobytes())
        (codes,) = recipe.codes(maker.copy(part * 2**20, table))
        state.update(codes.astype("<i8").tobytes())
    found = probes.digests(recipe, CipherSource(key), [(600, 400), (370, 250)])
    assert found[1] == state.hexdigest()


def test_coalitions_are_of_what_is_out_and_what_if_adds_one(ledger, tmp_path):
    ledger.copy("A", 60, 20, out=tmp_path / "a.parquet")
    ledger.copy("B", 20, 40, out=tmp_path / "b.parquet")
    found = {one.members: one for one in ledger.coalitions()}
    assert set(found) == {("A",), ("B",), ("A", "B")}
    assert found["A", "B"].trust == 600
    assert found["A", "B"].retention == 400
    assert found["A", "B"].error == pytest.approx(0.4)
    assert found["B",].error == pytest.approx(0.8)
    assert found["B",].retention == 400
    more = {one.members: one for one in ledger.what_if("C", 90, 1)}
    assert more["A", "B", "C"].error == pytest.approx(0.1)
    assert len(ledger.copies) == 2
    for number in range(6):
        ledger.copy(f"R{number}", 10, 10, out=tmp_path / f"r{number}.csv")
    assert len(ledger.coalitions()) == 9


def test_progress_and_cancel(ledger, tmp_path):
    told = []
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet", progress=lambda done, total: told.append((done, total)))
    assert told == [(3_000, 3_000)]

    class Set:
        @staticmethod
        def is_set():
            return True

    for call in (
        lambda: ledger.copy("B", 50, 40, out=tmp_path / "b.parquet", cancel=Set),
        lambda: ledger.whose(tmp_path / "a.parquet", cancel=Set),
        lambda: ledger.check(cancel=Set),
        lambda: make_ledger(tmp_path / "new", tmp_path / "survey.parquet", cancel=Set),
    ):
        with pytest.raises(Cancelled):
            call()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"survey.parquet", "ledger", "a.parquet"}
    assert ledger.history[-1].kind == "abandoned"
    assert ledger.copy("B", 50, 40, out=tmp_path / "b.parquet").to == "B"


def test_the_public_face_has_the_ledger(data, tmp_path):
    assert ts.Ledger is Ledger
    with Ledger.rehearse(data, **ROLES) as rehearsal:
        folder = rehearsal.folder
        rehearsal.copy("A", 60, 40, out=tmp_path / "rehearsed.csv")
        assert not (folder / "key.json").exists()
        assert all(one.holds for one in rehearsal.check())
    assert not folder.exists()


def test_the_report_needs_nothing_else_and_tells_no_secret(ledger, tmp_path):
    ledger.copy("Ministry <b>", 60, 40, out=tmp_path / "a.parquet")
    text = ledger.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == text
    assert ledger.head in text
    assert "Ministry &lt;b&gt;" in text
    assert "<b>" not in text
    assert "http" not in text
    assert "src=" not in text
    key = key_of(ledger)
    assert key.hex() not in text
    assert PASSPHRASE not in text


def test_only_what_is_listed_leaves_the_house(ledger, tmp_path):
    ledger.copy("A", 60, 40, out=tmp_path / "a.csv")
    assert "person" not in (tmp_path / "a.csv").read_text()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two columns of a survey of more rows than are written at once."""
    table = survey(2 * UNIT + 5).select(["age", "region"])
    return write(table, tmp_path_factory.mktemp("large") / "survey.parquet", row_group_size=UNIT)


@pytest.mark.parametrize("out", ["b.parquet", "b.csv", "b"])
def test_a_large_copy_that_is_called_off_in_the_middle_leaves_nothing(large, tmp_path, out):
    """Some rows are written already when it is called off; the same copy afterwards is what it would have been."""
    cancel, told = threading.Event(), []

    def progress(done, total):
        told.append((done, total, len(list(tmp_path.glob(".b*")))))
        cancel.set()

    with make_ledger(tmp_path / "l", large, numbers=["age"], categories=["region"], keep=[], drop=[]) as ledger:
        before = {path.name for path in tmp_path.iterdir()}
        with pytest.raises(Cancelled, match="nothing of it is left behind"):
            ledger.copy("B", 50, 40, out=tmp_path / out, threads=1, progress=progress, cancel=cancel)
        assert told
        assert all(0 < done < total and hidden for done, total, hidden in told)  # it was under way, in a hidden place
        assert {path.name for path in tmp_path.iterdir()} == before
        assert [event.kind for event in ledger.history] == ["created", "intended", "abandoned"]
        assert ledger.copies == []
        first = ledger.copy("B", 50, 40, out=tmp_path / out)
        again = ledger.copy("B", 50, 40, out=tmp_path / f"again-{out}")
        assert first.content == again.content
        assert len(read(tmp_path / out)) == 2 * UNIT + 5


def test_a_ledger_is_closed_only_when_nobody_reads_it(ledger, monkeypatch):
    """A visitor leaves while a thread still looks: closing SQLite under a reader kills the whole process."""
    reading, go_on, told = threading.Event(), threading.Event(), []
    follow = chain.follow

    def slowly(*rows):
        reading.set()
        go_on.wait(60)
        return follow(*rows)

    monkeypatch.setattr(chain, "follow", slowly)
    reader = threading.Thread(target=lambda: told.append(ledger.head))
    closer = threading.Thread(target=ledger.close)
    reader.start()
    reading.wait(60)
    closer.start()
    closer.join(0.3)
    assert closer.is_alive()
    go_on.set()
    reader.join(60)
    closer.join(60)
    assert told
    with pytest.raises(Problem, match="was closed; open it again"):
        ledger.copies  # noqa: B018
