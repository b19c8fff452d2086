"""A small survey and a ledger for it."""

import pytest
from release_help import PASSPHRASE, TERMS, make_ledger, survey, write

from trustscope.engine.attacks.optimal import Limits, learned, mixed, mixed_people, people, strongest
from trustscope.release import keystore, risk
from trustscope.release import terms as _terms


@pytest.fixture(scope="module")
def module_patch():
    """Patches that hold for what tests of a file share, too."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module", autouse=True)
def _cheap_passphrases(module_patch):
    """Stretch passphrases little: the tests open hundreds of key files; and never touch the system's key store."""
    module_patch.setattr(keystore, "COST", 2**4)
    module_patch.setattr(keystore, "system_store", lambda: None)
    module_patch.setenv(keystore.VARIABLE, PASSPHRASE)


@pytest.fixture(autouse=True)
def _few_words(monkeypatch, request):
    """Ask for no purpose, contact and expiry, but where these are tested."""
    if "terms" not in request.fixturenames:
        monkeypatch.setattr(_terms, "REQUIRED", ())


@pytest.fixture(scope="module", autouse=True)
def _quick_risks(module_patch):
    """Measure risks on few people, with little rehearsal: tests compare them within their standard errors."""
    module_patch.setattr(risk, "LIMITS", Limits(references=256, probes=500, rehearsed=128, drawn=512))
    for module, name, few in (
        (people, "PEOPLE", 64), (people, "EXPOSED", 16), (mixed_people, "DRAWS", 2), (mixed_people, "FRESH", 8),
        (mixed_people, "LOOKED_FOR", 2**18), (strongest, "SMOOTHING", ((0.0, 0.0), (0.0, 0.25), (1.0, 1.0))),
        (mixed, "CATEGORIES", (0.1, 1.0)), (mixed, "NUMBERS", (0.25, 1.0)), (mixed, "OWN", (0.0,)),
        (learned, "ROUNDS", 60),
    ):  # fmt: skip
        module_patch.setattr(module, name, few)


@pytest.fixture
def terms():
    """Asked for by tests in which a copy needs its purpose, contact and expiry."""
    return TERMS


@pytest.fixture
def data(tmp_path):
    return write(survey(3_000), tmp_path / "survey.parquet")


@pytest.fixture
def ledger(tmp_path, data):
    with make_ledger(tmp_path / "ledger", data) as made:
        yield made
