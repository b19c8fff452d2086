"""kill -9: a few random moments (all of them: python -m tests.release.soak), and every step of the way."""

import os
import signal

import pytest

from tests.release import killing

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
