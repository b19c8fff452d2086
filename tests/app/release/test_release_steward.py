"""What a steward does besides making copies: rules and approvals, new rows, a found file, the key."""

import io
from dataclasses import replace

import pandas as pd
import pytest

from tests.app.release.helping import (
    PASSPHRASE,
    answer,
    ask,
    make,
    opened,
    press,
    send,
    unlock,
)
from trustscope.app.release import stewardship
from trustscope.app.serving import budget
from trustscope.datasets import read_parquet
from trustscope.engine.attacks.optimal import Limits
from trustscope.release import keystore, risk


def test_rules_are_set_and_hold_and_a_second_person_approves(page):
    view = opened(page, "rules")
    assert view.approve.start_text == "Approve this copy"
    unlock(page)
    view.floor.value, view.approval.value, view.ceilings.value = "25 %", "50", "Press = 40, The Bank = 60"
    press(view.set, what="start")
    assert page.model.ledger.policy == {
        "floor": 25,
        "attacker": "strongest",
        "approval": 50,
        "ceilings": {"Press": 40, "The Bank": 60},
    }
    assert "at most 40 %" in view.set.text
    ask(page, "Press", 45, 30)
    assert "above the 40 %" in answer(page)
    ask(page, "Ministry", 60, 30)
    assert "needs the approval of somebody other" in answer(page)
    assert view.approve.start_text == "Approve 60 % · 30 % for Ministry"
    page.controls.by.value = "second"
    press(view.approve, what="start")
    assert "“Ministry” is approved" in view.approve.text
    page.controls.by.value = "first"
    assert "The rules allow this copy" in answer(page)
    page.controls.by.value = "second"
    assert "needs the approval" in answer(page)
    view.floor.value, view.ceilings.value = "", "Press 40"
    press(view.set, what="start")
    assert "must be a number of per cent" in view.set.text
    assert page.model.ledger.policy["floor"] == 25


def test_new_rows_are_taken_in(page, tmp_path):
    view = opened(page, "rows")
    press(view.task, what="start")
    assert "needs its passphrase" in view.task.text
    unlock(page)
    press(view.task, what="start")
    assert "no new rows" in view.task.text
    data = pd.read_parquet(tmp_path / "survey.parquet")
    pd.concat([data, data.iloc[:20]]).to_parquet(tmp_path / "survey.parquet", index=False)
    press(view.task, what="start")
    assert view.task.text == "20 rows were added."
    assert page.picture.rows == 520
    assert "520 rows" in page.info


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_found_file_tells_whose_it_is(rehearsal, form):
    for name, trust in (("Ministry", 80), ("Press", 40)):
        ask(rehearsal, name, trust, 30)
        make(rehearsal, "")
    view = opened(rehearsal, "found")
    press(view.task, what="start")
    assert "Drop the file" in view.task.text
    found = pd.read_parquet(io.BytesIO(rehearsal.model.file(rehearsal.model.ledger.copies[1].number)[1]))
    content = found.sample(frac=0.5, random_state=1)
    content = content.to_csv(index=False).encode() if form == "csv" else content.to_parquet(index=False)
    send(view.dropper, f"leak.{form}", content)
    press(view.task, what="start")
    assert "“Press”" in view.task.text
    assert "75 rows compared" in view.task.text
    send(view.dropper, "leak.csv", b"\x00\xff nothing of the kind")
    press(view.task, what="start")
    assert "“Press”" not in view.task.text
    assert view.task.text.endswith(".")


def test_a_found_file_that_is_refused_weighs_nothing(rehearsal, monkeypatch):
    one = budget.Visitor(budget.server())
    monkeypatch.setattr(stewardship, "visitor", lambda: one)
    monkeypatch.setattr(one, "limits", replace(budget.LIMITS, uploads=1))
    view = opened(rehearsal, "found")
    send(view.dropper, "leak.csv", b"a\n1\n")
    assert one.own_bytes == 4
    send(view.dropper, "other.csv", b"a\n1\n2\n")
    assert view.task.text.startswith("You have sent 1 file")
    assert one.own_bytes == 0


def test_a_found_file_is_read_apart_from_the_server(rehearsal, monkeypatch):
    """A Parquet file could harm its reader: it goes to the guarded process, and what kills that is said."""
    ask(rehearsal, "Ministry", 80, 30)
    make(rehearsal, "")
    view, readers, apart = opened(rehearsal, "found"), [], read_parquet.read_apart
    content = rehearsal.model.file(rehearsal.model.ledger.copies[0].number)[1]

    def watched(reader, *arguments):
        readers.append(reader)
        return apart(reader, *arguments)

    monkeypatch.setattr(read_parquet, "read_apart", watched)
    send(view.dropper, "leak.parquet", content)
    press(view.task, what="start")
    assert "“Ministry”" in view.task.text
    send(view.dropper, "leak.parquet", content[:4] + bytes(len(content) - 8) + content[-4:])
    press(view.task, what="start")
    assert view.task.text == "leak.parquet is a damaged Parquet file: fetch it again, or open it and save it again."
    assert readers == ["parquet", "parquet"]


def test_a_backup_is_made_and_proved_and_withdrawing_needs_the_words(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    view = opened(page, "key")
    given = []
    view.give.give = lambda name, content, kind="": given.append(content)
    press(view.backup, what="start")
    assert "passphrase of the backup first" in view.backup.text
    unlock(page)  # it was forgotten after the copy
    press(view.secret, secret="a backup's own words")
    press(view.backup, what="start")
    assert "The backup is made" in view.backup.text
    press(view.give)
    (content,) = given
    assert PASSPHRASE.encode() not in content
    send(view.dropper, "ledger-key.json", content)
    press(view.secret, secret="another one")
    press(view.drill, what="start")
    assert "does not open" in view.drill.text
    press(view.secret, secret="a backup's own words")
    press(view.drill, what="start")
    assert view.drill.text == "The backup opens, and makes the noise of 1 copy again."
    view.typed.value = "yes"
    press(view.withdraw, what="start")
    assert "nothing was done" in view.withdraw.text
    assert (folder / "survey" / keystore.FILE).exists()
    view.typed.value = "no more copies"
    press(view.withdraw, what="start")
    assert "destroyed" in view.withdraw.text
    assert not (folder / "survey" / keystore.FILE).exists()
    assert "No further copies" in page.headline.said["title"]
    assert page.controls.make.disabled


def test_the_strongest_attacker_is_measured_on_request(page, monkeypatch):
    monkeypatch.setattr(risk, "LIMITS", Limits(references=64, probes=100, rehearsed=32))
    view = opened(page, "coalitions")
    ask(page, "Press", 20, 10)
    press(view.task, what="start")
    assert view.task.text == "Measured."
    rows = view.table.pane.object
    assert "age, within" in rows
    assert "region, the right one" in rows
    assert "the row itself, among" in rows
