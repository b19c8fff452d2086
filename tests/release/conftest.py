"""A small survey and a ledger for it."""

import pytest
from release_help import PASSPHRASE, make_ledger, survey, write

from trustscope.release import keystore


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch):
    """Stretch passphrases little: the tests open hundreds of key files; and never touch the system's key store."""
    monkeypatch.setattr(keystore, "COST", 2**4)
    monkeypatch.setattr(keystore, "system_store", lambda: None)
    monkeypatch.setenv(keystore.VARIABLE, PASSPHRASE)


@pytest.fixture
def data(tmp_path):
    return write(survey(3_000), tmp_path / "survey.parquet")


@pytest.fixture
def ledger(tmp_path, data):
    with make_ledger(tmp_path / "ledger", data) as made:
        yield made
