"""The document for a board, the sheet for a recipient, and what a copy must say of itself."""

import datetime
import html
import re
import subprocess
import sys

import numpy as np
import pytest
from release_help import make_ledger, read, survey, write

from trustscope.release import Problem
from trustscope.release.analysis import Terms
from trustscope.release.record import Copy
from trustscope.release.terms import complete, is_over

TODAY = datetime.date(2026, 5, 1)


def test_a_copy_needs_purpose_contact_and_expiry(terms, ledger, tmp_path):
    with pytest.raises(Problem, match=r"what the copy is for .* and whom to ask about it .* and until when"):
        ledger.copy("A", 60, 40, out=tmp_path / "a.csv")
    with pytest.raises(Problem, match="“soon”"):
        ledger.copy("A", 60, 40, out=tmp_path / "a.csv", **{**terms, "expires": "soon"})
    with pytest.raises(Problem, match="which is over"):
        ledger.copy("A", 60, 40, out=tmp_path / "a.csv", **{**terms, "expires": "2020-01-01"})
    assert not (tmp_path / "a.csv").exists()
    copy = ledger.copy("A", 60, 40, out=tmp_path / "a.csv", **terms)
    assert (copy.purpose, copy.contact, copy.expires) == tuple(terms.values())
    ledger.set_policy({"contact": "the  office", "days": 10})
    copy = ledger.copy("A", 60, 40, out=tmp_path / "b.csv", purpose="again")
    assert copy.contact == "the office"
    assert complete({"days": 10}, purpose="p", contact="c", today=TODAY)["expires"] == "2026-05-11"
    assert is_over("2026-04-30", TODAY)
    assert not is_over("2026-05-01", TODAY)
    assert not is_over("")


def test_copies_of_older_ledgers_have_neither():
    old = Copy(1, "A", 500, None, "", "me", "", "a.csv", "csv", 1, 3)
    assert (old.contact, old.expires) == ("", "")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A ledger with two copies, its report and a sheet; no figure is looked at closely."""
    folder = tmp_path_factory.mktemp("report")
    rows = 20_000
    ledger = make_ledger(folder / "ledger", write(survey(rows), folder / "data.parquet"))
    ledger.set_policy({"approval": 50, "ceilings": {"<b>Press</b>": 30}}, by="Ada")
    terms = {"purpose": "health <plan>", "contact": "data@office.example", "expires": "9999-12-31"}
    ledger.approve("Ministry", 60, 40, by="Bob")
    ledger.copy("Ministry", 60, 40, out=folder / "m.parquet", by="Ada", **terms)
    ledger.copy("<b>Press</b>", 20, 10, out=folder / "p.csv", fingerprint=True, by="Ada", **terms)
    return ledger, folder


def test_the_report_is_for_a_board(made, monkeypatch):
    ledger, _ = made
    text = ledger.report()
    first, technical, record = re.split(r'<h1 class="next">', text)
    for there in ("Ministry", "health &lt;plan&gt;", "9999-12-31", "data@office.example", "signature",
                  "Bob approved a copy for “Ministry” (trust 60 %, retention 40 %)", "<svg",
                  "Above 50 % trust or retention a second person must approve."):  # fmt: skip
        assert there in first
    assert re.search(r"Of 100 people so many are guessed: age, within 5: \d+ \(\d+ without any copy\); income", first)
    assert (
        "The strongest attacker sees whole rows of the copies and knows the kept columns year of everybody" in technical
    )
    assert "not a proof that nobody can do better" in technical
    assert "differential privacy" in technical
    assert "take (1 − p)/m off" in technical
    assert all(copy.sha256 in record for copy in ledger.copies)
    assert all(event.digest in record for event in ledger.history)
    assert "<b>Press" not in text
    assert "No coalition gets below" not in text
    assert '{"' not in text


def test_the_report_says_where_risk_cannot_be_measured(made, monkeypatch):
    ledger, _ = made
    monkeypatch.setattr(ledger, "_data", lambda record: (_ for _ in ()).throw(Problem("There is no data here.")))
    (ledger.folder / "ledger.risk").unlink(missing_ok=True)
    assert "could not be measured: There is no data here." in ledger.report()
    assert "has not been measured yet" in ledger.report(measure=False)


def test_a_sheet_is_about_one_copy_alone(made):
    ledger, _ = made
    text = ledger.sheet("Ministry")
    copy = ledger.copies[0]
    assert copy.sha256 in text
    assert "0.6 × (var(y) − 1² / 12)" in text
    assert "kept with probability 0.4, together with" in text
    assert "Press" not in text
    assert "year</td><td>kept" in text
    marked = Terms.of(ledger.copies[1])
    assert marked.retention == pytest.approx(0.099)
    assert marked.trust == pytest.approx(1 / (1 + 4 * (1 + 1 / 400)))
    with pytest.raises(Problem, match="No copy is out for “Nobody”; there are copies for Ministry"):
        ledger.sheet("Nobody")


@pytest.mark.parametrize("to", ["Ministry", "<b>Press</b>"])
def test_the_script_of_a_sheet_corrects_for_the_noise(made, to):
    """Every figure within 5 standard errors of that of the data: a false alarm in 100 000 runs or fewer."""
    ledger, folder = made
    copy = next(one for one in ledger.copies if one.to == to)
    script = html.unescape(re.search(r"<pre>(.*?)</pre>", ledger.sheet(to), re.S)[1])
    (folder / "script.py").write_text(script)
    run = subprocess.run([sys.executable, folder / "script.py", copy.out], capture_output=True, text=True, check=True)
    data = read(folder / "data.parquet")
    found = re.findall(r"(\w+): mean (\S+) ± (\S+), variance (\S+)", run.stdout)
    assert [name for name, *_ in found] == ["age", "income"]
    rows = len(data)
    for name, mean, error, variance in found:
        truth = np.array(data.column(name).to_pylist(), dtype=float)
        assert abs(float(mean) - truth.mean()) < 5 * float(error)
        slack = 5 * truth.var() * 1.5 / Terms.of(copy).trust / np.sqrt(rows)
        assert abs(float(variance) - truth.var()) < slack
        # Uncorrected, the variance would be far off.
        assert truth.var() / Terms.of(copy).trust - truth.var() > slack
    shares = re.findall(r"(\w+) = (\w+): (\S+) ± (\S+)", run.stdout)
    assert len(shares) == 6
    for name, value, share, error in shares:
        truth = np.mean(np.array(data.column(name).to_pylist()) == value)
        assert abs(float(share) - truth) < 5 * float(error)
    assert f'assert found == "{copy.sha256}", "not the copy that was issued"' in script
    if to == "Ministry":  # what refuses another file is the same line in all scripts
        (folder / "other.csv").write_text("x")
        wrong = subprocess.run(
            [sys.executable, folder / "script.py", folder / "other.csv"], capture_output=True, text=True
        )
        assert "not the copy that was issued" in wrong.stderr
