"""kill -9 and power cuts: a few random moments (all: python -m tests.release.soak), and every step of the way."""

import os
import signal

import pytest

from tests.release import killing, power
from trustscope.release import Ledger, writing

# What the next call says; after the announcement alone there is nothing to finish.
STEPS = {
    ("commit", 1): "removed",  # announced
    ("sum", 1): "removed",
    ("write", 0): "removed",  # in the middle of the file
    ("write", 1): "removed",
    ("commit", 2): "finished",  # digest recorded, not yet renamed
    ("sum", 2): "finished",
    ("rename", 0): "finished",
    ("rename", 1): "finished",  # in its place, not yet recorded as issued
    ("sum", 3): "",  # all is recorded
}


def test_a_kill_at_every_step(tmp_path):
    scene = killing.Scene(tmp_path)
    for place, (step, expected) in enumerate(STEPS.items()):
        out = tmp_path / f"copy-{place}.parquet"
        process = killing.context().Process(target=killing.work_until, args=(step, scene.folder, out))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL, step
        said = scene.verify(step)
        assert expected in said, step
        assert bool(said) == bool(expected), step
        assert out.exists() == (expected != "removed"), step
    assert len(set(scene.expected)) == 3


def test_a_kill_at_random_moments(tmp_path):
    endings = killing.moments(8, tmp_path, say=None)
    assert sum(endings.values()) == 8


def test_a_verifier_that_sees_nothing_would_be_noticed(tmp_path):
    scene = killing.Scene(tmp_path)
    victim = tmp_path / "first-80.parquet"
    whole = victim.read_bytes()
    victim.write_bytes(whole[:-1])
    with pytest.raises(AssertionError):
        scene.verify("cut")
    victim.write_bytes(whole)
    (tmp_path / ".half.parquet.trustscope-9").write_bytes(b"x")
    with pytest.raises(AssertionError):
        scene.verify("left over")
    os.unlink(tmp_path / ".half.parquet.trustscope-9")
    scene.verify("whole")


# Where a synced file is, is asked of Linux.
linux = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")


@linux
def test_power_cuts(tmp_path):
    endings = power.moments(12, tmp_path, say=None)
    assert sum(endings.values()) == 12
    assert {done for _, done in endings} == {True, False}


@linux
@pytest.mark.parametrize("forgotten", ["contents", "names"])
def test_a_copy_that_is_not_synced_would_be_noticed(tmp_path, monkeypatch, forgotten):
    scene = killing.Scene(tmp_path, power.ROWS)
    if forgotten == "contents":
        monkeypatch.setattr(writing._Digested, "sync", lambda self: None)
    else:
        monkeypatch.setattr(writing, "sync_folder", lambda folder: None)
    disk = power.perform(scene, "copy")
    with pytest.raises(AssertionError):
        power.cut(scene, disk, "copy", disk.moments[-1], "strict")


def test_sqlite_is_told_to_sync(tmp_path):
    scene = killing.Scene(tmp_path, power.ROWS)
    with Ledger.open(scene.folder, passphrase=killing.PASSPHRASE) as ledger:
        base = ledger._store._base
        assert base.execute("pragma synchronous").fetchone() == (3,)  # extra
        assert base.execute("pragma journal_mode").fetchone() == ("delete",)
