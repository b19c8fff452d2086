"""A ledger that was tampered with is found out, every time."""

import hostile
import numpy as np
import pytest

from trustscope.release import Ledger, Problem

TRIES = 60


def detected(folder):
    """What a check finds wrong, or None."""
    try:
        with Ledger.open(folder) as opened:
            wrong = [one for one in opened.check() if not one.holds]
    except Problem as problem:
        return str(problem)
    return wrong[0].sentence if wrong else None


@pytest.fixture
def made(ledger, tmp_path):
    issued = [tmp_path / f"{name}.csv" for name in "abc"]
    for trust, path in zip((80, 60, 20), issued, strict=True):
        ledger.copy(path.stem, trust, 40, out=path)
    ledger.close()
    place = tmp_path / "kept"
    place.mkdir()
    hostile.kept(ledger.folder, issued, place)
    return ledger.folder, issued, place


def test_every_try_is_detected(made):
    folder, issued, place = made
    rng = np.random.default_rng(1)
    for number in range(TRIES):
        assert detected(folder) is None
        did = hostile.WAYS[number % len(hostile.WAYS)](rng, folder, issued)
        assert detected(folder), did
        hostile.restored(folder, issued, place)


def test_a_history_that_was_cut_short_is_detected(made):
    folder, issued, _ = made

    class Last:
        """Chooses the last event, and to remove it."""

        def integers(self, limit):
            return limit - 1

    assert "remove of event 10" in hostile.edit(Last(), folder, issued)
    assert "last event was not noted" in detected(folder)


def test_an_edited_history_makes_no_copy(made, tmp_path):
    folder, issued, _ = made
    hostile.edit(np.random.default_rng(3), folder, issued)
    with Ledger.open(folder) as opened, pytest.raises(Problem, match="has been changed"):
        opened.copy("d", 30, 40, out=tmp_path / "d.csv")
    assert not (tmp_path / "d.csv").exists()


def test_a_digest_left_behind_by_a_crash_is_no_alarm(ledger, tmp_path):
    before = (ledger.folder / "ledger.sum").read_bytes()
    ledger.set_policy({"floor": 5})
    (ledger.folder / "ledger.sum").write_bytes(before)
    assert "as after a crash" in ledger.check()[0].sentence
    assert all(one.holds for one in ledger.check())
    ledger.set_policy({"floor": 6})
    assert "written last" in ledger.check()[0].sentence
