"""A server's folder with a ledger, the page that opens it, and a rehearsal."""

import shutil

import pytest

from tests.app.release.helping import make_ledger
from trustscope.app.release.dashboard import ReleaseDashboard
from trustscope.app.serving import plan
from trustscope.release import keystore, terms
from trustscope.scenarios.release.scenario import ReleaseScenario


@pytest.fixture(autouse=True)
def _few_words(monkeypatch):
    """Ask for no purpose, contact and expiry: `test_the_terms_of_a_copy` gives them."""
    monkeypatch.setattr(terms, "REQUIRED", ())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A server's folder with one ledger, `survey`; something that must not be reached lies beside it."""
    monkeypatch.setattr(keystore, "COST", 2**4)
    monkeypatch.delenv(keystore.VARIABLE, raising=False)
    ledgers = tmp_path / "ledgers"
    ledgers.mkdir()
    make_ledger(ledgers / "survey", tmp_path).close()
    shutil.copytree(ledgers / "survey", tmp_path / "secret")
    (ledgers / "way out").symlink_to(tmp_path / "secret")
    (ledgers / "no ledger").mkdir()
    served = plan.Plan.from_options(ledgers=ledgers)
    monkeypatch.setattr(plan, "current", lambda: served)
    return ledgers


@pytest.fixture
def page(folder):
    dashboard = ReleaseDashboard()
    yield dashboard
    dashboard.stop()


@pytest.fixture
def rehearsal(monkeypatch):
    monkeypatch.setattr(plan, "current", lambda: None)
    dashboard = ReleaseDashboard(ReleaseScenario().replace({"data.name": "iris"}))
    yield dashboard
    dashboard.stop()
