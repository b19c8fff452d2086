"""The key: where it is kept, how it is backed up, and that it is nowhere else."""

import errno
import json
import os
import stat

import pytest
from release_help import PASSPHRASE, ROLES, key_of, make_ledger

from trustscope.release import Ledger, Problem, chain, keystore
from trustscope.release.ledger import CONFIRMATION
from trustscope.release.store import Store


class FakeSystem:
    """A key store of the system, in memory."""

    def __init__(self):
        self.kept = {}

    def set_password(self, service, name, text):
        self.kept[service, name] = text

    def get_password(self, service, name):
        return self.kept.get((service, name))

    def delete_password(self, service, name):
        del self.kept[service, name]


def test_the_key_is_in_no_file_in_the_clear(ledger, tmp_path):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    ledger.export_key(tmp_path / "backup.key", passphrase="another passphrase")
    ledger.report(tmp_path / "r.html")
    key = key_of(ledger)
    assert len(key) == 32
    for path in tmp_path.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert key not in content
            assert key.hex().encode() not in content.lower()
            assert PASSPHRASE.encode() not in content
    assert key.hex() not in json.dumps([event.body for event in ledger.history])
    assert key.hex() not in repr(ledger)
    assert stat.S_IMODE(os.stat(ledger.folder).st_mode) == 0o700


def test_two_ledgers_have_two_keys(tmp_path, data):
    # Not by `make_ledger`, which makes the key itself.
    options = {"passphrase": PASSPHRASE, **ROLES}
    with Ledger.create(tmp_path / "a", data, **options) as a, Ledger.create(tmp_path / "b", data, **options) as b:
        assert key_of(a) != key_of(b)


def test_a_wrong_passphrase_changes_nothing(ledger, tmp_path, monkeypatch):
    monkeypatch.setenv(keystore.VARIABLE, "not that one")
    for passphrase in ("wrong passphrase", None):
        with Ledger.open(ledger.folder, passphrase=passphrase) as other:
            with pytest.raises(Problem, match="passphrase does not open"):
                other.copy("A", 60, 40, out=tmp_path / "a.parquet")
            assert len(other.history) == 1
    assert not (tmp_path / "a.parquet").exists()


def test_without_a_terminal_the_passphrase_must_be_set(ledger, monkeypatch):
    monkeypatch.delenv(keystore.VARIABLE)
    with Ledger.open(ledger.folder) as other, pytest.raises(Problem, match="set TRUSTSCOPE_PASSPHRASE"):
        other.set_policy({})


def test_a_short_passphrase_is_refused(tmp_path, data, monkeypatch):
    monkeypatch.setenv(keystore.VARIABLE, "short")
    with pytest.raises(Problem, match="at least 8"):
        Ledger.create(tmp_path / "l", data, numbers=["age"])
    assert not (tmp_path / "l").exists()


def test_backup_drill_and_import(ledger, tmp_path):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    backup = tmp_path / "backup.key"
    ledger.export_key(backup, passphrase="another passphrase")
    with pytest.raises(Problem, match="already something"):
        ledger.export_key(backup, passphrase="another passphrase")
    assert ledger.drill(backup, passphrase="another passphrase") == 1
    with pytest.raises(Problem, match="does not open"):
        ledger.drill(backup, passphrase="wrong passphrase")
    (ledger.folder / "key.json").unlink()
    with Ledger.open(ledger.folder, passphrase="another passphrase") as moved:
        with pytest.raises(Problem, match="import the key"):
            moved.copy("A", 60, 40, out=tmp_path / "b.parquet")
        moved.import_key(backup, passphrase="another passphrase")
        moved.copy("A", 60, 40, out=tmp_path / "b.parquet")
        assert [event.kind for event in moved.history][-6:-3] == ["exported", "drilled", "imported"]
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_backup_of_another_ledger_is_refused(ledger, tmp_path, data):
    with make_ledger(tmp_path / "other", data) as other:
        other.export_key(tmp_path / "other.key", passphrase="another passphrase")
    with pytest.raises(Problem, match="another ledger"):
        ledger.drill(tmp_path / "other.key", passphrase="another passphrase")
    with pytest.raises(Problem, match="no backup"):
        ledger.import_key(tmp_path / "nothing.key", passphrase="another passphrase")


def test_the_systems_key_store_is_taken_where_there_is_one(tmp_path, data, monkeypatch):
    system = FakeSystem()
    monkeypatch.setattr(keystore, "system_store", lambda: system)
    monkeypatch.delenv(keystore.VARIABLE)
    with make_ledger(tmp_path / "l", data) as ledger:
        assert ledger.record.created["store"] == "system"
        assert not (ledger.folder / "key.json").exists()
        ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
        ledger.withdraw(CONFIRMATION)
        assert not system.kept
    make_ledger(tmp_path / "m", data).close()
    system.kept.clear()
    with Ledger.open(tmp_path / "m") as ledger, pytest.raises(Problem, match="key store does not have"):
        ledger.copy("A", 60, 40, out=tmp_path / "b.parquet")


def test_a_ledger_that_could_not_be_made_leaves_no_key_behind(tmp_path, data, monkeypatch):
    system = FakeSystem()
    monkeypatch.setattr(keystore, "system_store", lambda: system)

    def refuse(*_):
        assert system.kept  # the key was there
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(Problem, match="no room left"):
        make_ledger(tmp_path / "l", data)
    assert not system.kept
    assert [path.name for path in tmp_path.iterdir()] == [data.name]


def test_a_backup_that_could_not_be_recorded_is_not_left_behind(ledger, tmp_path, monkeypatch):
    def refuse(*_):
        raise Problem("no room")

    monkeypatch.setattr(Store, "add", refuse)
    with pytest.raises(Problem, match="no room"):
        ledger.export_key(tmp_path / "backup.key", passphrase="another passphrase")
    assert not (tmp_path / "backup.key").exists()


def test_withdrawing_destroys_the_key_and_keeps_the_record(ledger, tmp_path):
    ledger.copy("A", 60, 40, out=tmp_path / "a.parquet")
    ledger.export_key(tmp_path / "backup.key", passphrase="another passphrase")
    with pytest.raises(Problem, match="confirm with the words"):
        ledger.withdraw("yes")
    assert (ledger.folder / "key.json").exists()
    ledger.withdraw(CONFIRMATION)
    assert not (ledger.folder / "key.json").exists()
    for call in (
        lambda: ledger.copy("A", 60, 40, out=tmp_path / "b.parquet"),
        lambda: ledger.set_policy({}),
        lambda: ledger.append(),
        lambda: ledger.whose(tmp_path / "a.parquet"),
        lambda: ledger.drill(tmp_path / "backup.key", passphrase="another passphrase"),
        lambda: ledger.import_key(tmp_path / "backup.key", passphrase="another passphrase"),
    ):
        with pytest.raises(Problem, match="withdrawn"):
            call()
    assert [copy.to for copy in ledger.copies] == ["A"]
    assert all(one.holds for one in ledger.check())
    assert "Withdrawn" in ledger.report()
    assert ledger.coalitions()[0].trust == 600


def test_looking_for_the_systems_key_store_never_fails(monkeypatch):
    """The real look-up answers None or a store; never raises."""
    monkeypatch.undo()
    found = keystore.system_store()
    assert found is None or hasattr(found, "get_password")
    monkeypatch.setattr(keystore, "system_store", lambda: None)
    with pytest.raises(Problem, match="no key store"):
        keystore.choose("system")
    with pytest.raises(Problem, match="kept in one of"):
        keystore.choose("cloud")


@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
def test_nobody_else_reads_the_ledger_its_key_or_a_backup(ledger, tmp_path):
    old = os.umask(0)
    try:
        ledger.export_key(tmp_path / "backup.key", passphrase="another passphrase")
        with make_ledger(tmp_path / "open", tmp_path / "survey.parquet") as fresh:
            fresh.set_policy({"floor": 5})
            (fresh.folder / keystore.FILE).chmod(0o644)  # as an older version left it
            fresh.set_policy({"floor": 6})
    finally:
        os.umask(old)
    files = [tmp_path / "backup.key", *(tmp_path / "open").iterdir()]
    assert {path.name for path in files} >= {"key.json", "ledger.sqlite", "ledger.sum", "ledger.lock", "backup.key"}
    assert {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in files} == {p.name: "0o600" for p in files}


def test_a_backup_does_not_choose_how_long_it_takes(ledger, tmp_path, monkeypatch):
    backup = tmp_path / "backup.key"
    ledger.export_key(backup, passphrase="another passphrase")
    content = json.loads(backup.read_text())
    monkeypatch.setattr(keystore, "Scrypt", None)  # nothing may be stretched at all
    backup.write_text(chain.text({**content, "cost": 2 * keystore.MOST_COST}))
    with pytest.raises(Problem, match="asks for more work than any"):
        ledger.drill(backup, passphrase="another passphrase")
    assert keystore.MOST_COST == 2**17
