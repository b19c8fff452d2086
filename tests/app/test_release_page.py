"""The Release page: the same bytes as everywhere, names and never paths, a passphrase that goes nowhere."""

import io
import json
import re
import shutil
import sys

import numpy as np
import pandas as pd
import panel as pn
import pytest
from bokeh.document import Document
from playwright.sync_api import expect

from tests.app.conftest import free_port, running
from tests.app.pages import LONG, look_closer, settled, unfold, verdict
from trustscope.app.cli import main
from trustscope.app.page import Frame
from trustscope.app.release import shelf
from trustscope.app.release.dashboard import ReleaseDashboard
from trustscope.app.serving import plan
from trustscope.release import Ledger, keystore
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.link import query_of
from trustscope.scenarios.release.scenario import ReleaseScenario, Request, Settings

PASSPHRASE = "correct horse battery staple 7319"
NASTY = "<img src=x onerror=document.title='hacked'>"
ROLES = {"numbers": ["age", "income"], "categories": ["region"], "drop": ["name"]}


def make_ledger(folder, home, **options):
    """A ledger for a small survey, whose key has a passphrase."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 500)
    data = pd.DataFrame({
        "name": [f"person {n}" for n in range(500)], "age": age,
        "income": np.round(400 * age + rng.normal(0, 900, 500)), "region": rng.choice(["north", "south", "east"], 500),
    })  # fmt: skip
    path = home / "survey.parquet"
    data.to_parquet(path, index=False)
    return Ledger.create(folder, path, passphrase=PASSPHRASE, store="file", by="steward", **(ROLES | options))


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
    monkeypatch.setattr(plan, "_used", [plan.Plan.from_options(ledgers=ledgers)])
    return ledgers


@pytest.fixture
def page(folder):
    dashboard = ReleaseDashboard()
    yield dashboard
    dashboard.stop()


@pytest.fixture
def rehearsal(monkeypatch):
    monkeypatch.setattr(plan, "_used", [])
    dashboard = ReleaseDashboard(ReleaseScenario().having({"data.name": "iris"}))
    yield dashboard
    dashboard.stop()


def press(control, **message):
    control._handle_msg({**message, "n": control.ack + 1})


def ask(page, to, trust=None, retention=None):
    page.controls.to.value = to
    for slider, value in ((page.controls.trust, trust), (page.controls.retention, retention)):
        if value is not None:
            press(slider, value=value, done=True)


def make(page, passphrase=PASSPHRASE):
    press(page.controls.secret, secret=passphrase)
    press(page.controls.make, what="start")
    return page.controls.make.text


def answer(page):
    return page.controls._answer.object


# The same bytes


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_the_page_the_api_and_the_command_make_the_same_bytes(page, folder, tmp_path, monkeypatch, form):
    for other in ("api", "command"):
        shutil.copytree(folder / "survey", tmp_path / other)
    ask(page, "Ministry", 62.5, 40)
    page.controls.form.value = form
    assert "is out (trust 62.5 %, retention 40 %" in make(page)
    with Ledger.open(folder / "survey") as ledger:
        (copy,) = ledger.copies
    with Ledger.open(tmp_path / "api", passphrase=PASSPHRASE) as ledger:
        ledger.copy("Ministry", 62.5, 40, out=tmp_path / f"api.{form}")
    monkeypatch.setenv(keystore.VARIABLE, PASSPHRASE)
    out = tmp_path / f"command.{form}"
    asked = ["--to", "Ministry", "--trust", "62.5", "--retention", "40", "--out", str(out)]
    assert main(["release", "copy", str(tmp_path / "command"), *asked]) == 0
    name, content = page.model.file(copy.number)
    assert name == f"ministry.{form}"
    assert content == (tmp_path / f"api.{form}").read_bytes() == out.read_bytes()


def test_the_same_request_is_issued_again_and_files_do_not_collide(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    ask(page, "Ministry", 60, 40)
    assert "already holds" in answer(page)
    make(page)
    with Ledger.open(folder / "survey") as ledger:
        first, again = ledger.copies
    assert first.sha256 == again.sha256
    assert again.reissue == first.number
    assert sorted(path.name for path in (folder / "survey" / "copies").iterdir()) == [
        "ministry-2.parquet",
        "ministry.parquet",
    ]
    assert len(page.holding.plot.table()) == 1  # one copy is out, twice issued


# Looking before anything is made


def test_what_if_answers_before_anything_is_made(page, folder):
    with Ledger.open(folder / "survey", passphrase=PASSPHRASE) as ledger:
        ledger.set_policy({"floor": 30})
        ledger.copy("Ministry", 50, 30, out=folder.parent / "m.csv")
    ask(page, "Press", 20, 10)
    assert "adds nothing" in page.headline.said["title"]
    ask(page, "Press", 65, 10)
    assert "would raise" in page.headline.said["title"]
    assert (page.headline.said["before"], page.headline.said["after"]) == ("50\u202f%", "65\u202f%")
    drawn = page.pooled.plot.table().set_index("who pools")
    assert drawn.loc["Ministry and Press"].to_dict() == {"with this copy": 0.65, "what is out": 0.5}
    assert drawn.loc["Press"].to_dict() == {"with this copy": 0.65, "what is out": 0}
    ask(page, "Press", 75, 10)
    assert "25.0 % of the variance, below the floor of 30 %" in answer(page)
    assert page.controls.make.disabled
    press(page.controls.secret, secret=PASSPHRASE)
    page._make_copy()  # whatever the browser sends
    assert "below the floor" in page.controls.make.text
    with Ledger.open(folder / "survey") as ledger:
        assert len(ledger.copies) == 1
        assert not any(event.body.get("to") == "Press" for event in ledger.history)


@pytest.mark.parametrize(("to", "said"), [("ministry", "looks like “Ministry”"), ("", "Name a recipient")])
def test_a_bad_request_gets_a_sentence(page, to, said):
    ask(page, "Ministry", 60, 40)
    make(page)
    ask(page, to)
    assert said in answer(page)
    assert page.controls.make.disabled


def test_names_are_shown_as_text(page):
    ask(page, NASTY, 60, 40)
    make(page)
    for view in ("copies", "coalitions", "history"):
        page.closer.opened = view
        assert "<img" not in page._views[view].table._pane.object
    ask(page, NASTY.upper(), 60, 40)
    assert "looks like" in answer(page)
    assert "<img" not in answer(page).lower()


# Names, and never paths


@pytest.mark.parametrize("name", ["..", "../secret", "way out", "no ledger", "", "survey/../../secret", "nowhere"])
def test_only_what_the_folder_lists_is_opened(folder, name, tmp_path):
    with pytest.raises(shelf.Problem, match="no ledger of this name"):
        shelf.find(folder, name)
    with pytest.raises(shelf.Problem, match="no ledger of this name"):
        shelf.find(folder, str(tmp_path / "secret"))
    assert shelf.names(folder) == ["survey"]
    if name:
        page = ReleaseDashboard(ReleaseScenario().having({"data.ledger": name}))
        assert page.headline.said["title"] == "This ledger cannot be opened."
        assert page.model is None
        assert page.controls.make.disabled
        page.stop()


def test_a_ledger_by_name_without_a_folder_is_explained(monkeypatch):
    monkeypatch.setattr(plan, "_used", [])
    page = ReleaseDashboard(ReleaseScenario().having({"data.ledger": "survey"}))
    assert "started without a folder" in page.headline.said["note"]
    page.controls.ledger.value = ""  # from there to a rehearsal
    page.controls.change(page.scenario.having({"data.ledger": "", "data.name": "iris"}))
    assert page.headline.said["title"] == "Nothing is out yet."
    page.stop()


def test_a_copy_stays_in_the_folder_whatever_the_recipient_is_called(page, folder):
    ask(page, "../../../etc/passwd", 60, 40)
    make(page)
    assert [path.name for path in (folder / "survey" / "copies").iterdir()] == ["etc-passwd.parquet"]


def test_a_changed_file_is_not_handed_out(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    path = folder / "survey" / "copies" / "ministry.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    view = page._views["copies"]
    press(view.give)
    assert "has been changed" in view._said.object
    path.unlink()
    press(view.give)
    assert "no longer where it was written" in view._said.object


# The passphrase


def document(page):
    """All that a browser is sent when it opens the page."""
    doc = Document()
    doc.add_root(pn.Column(page.sidebar, page.main).get_root(doc))
    return json.dumps(doc.to_json(), default=str)


def test_the_passphrase_goes_nowhere(page, caplog):
    caplog.set_level("DEBUG")
    ask(page, "Ministry", 60, 40)
    ask(page, "Press", 30, 20)
    press(page.controls.secret, secret=PASSPHRASE)
    assert page.controls.secret.taken() == PASSPHRASE
    for text in (document(page), query_of(page.settled), json.dumps(page.scenario.to_dict()), repr(page.controls)):
        assert PASSPHRASE not in text
    press(page.controls.make, what="start")
    assert "is out" in page.controls.make.text
    assert page.controls.secret.taken() == ""  # it is kept no longer than it is needed
    key = keystore.load("file", page.model.folder, page.model._ledger.record.created["ledger"], PASSPHRASE)
    assert key.hex() not in document(page)
    assert PASSPHRASE not in document(page) + caplog.text


def test_a_wrong_or_missing_passphrase_gets_a_sentence(page, monkeypatch):
    ask(page, "Ministry", 60, 40)
    monkeypatch.setenv(keystore.VARIABLE, PASSPHRASE)  # of the command: no visitor may use it
    assert make(page, "") == "The key of this ledger needs its passphrase: type it first."
    said = make(page, "not this one")
    assert "The passphrase does not open" in said
    assert "not this one" not in said
    assert not page.model._ledger.copies
    assert "is out" in make(page)


# Work


def test_what_is_called_off_leaves_nothing_behind(page, folder, monkeypatch):
    ask(page, "Ministry", 60, 40)
    opened = type(page.model)._with_key

    def stopping(self, passphrase):
        press(page.controls.make, what="stop")
        return opened(self, passphrase)

    monkeypatch.setattr(type(page.model), "_with_key", stopping)
    assert make(page) == "Called off: nothing of it is left behind."
    assert not page.controls.make.running
    assert list((folder / "survey" / "copies").iterdir()) == []
    assert page.scenario.settings.request.to == "Ministry"  # to be tried again
    monkeypatch.undo()


def test_what_nobody_expected_is_said_and_the_page_goes_on(rehearsal, monkeypatch):
    ask(rehearsal, "Ministry", 60, 40)

    def broken(self, *arguments, **options):
        raise RuntimeError(NASTY)

    with monkeypatch.context() as patched:
        patched.setattr(type(rehearsal.model), "copy", broken)
        assert "The log has the cause" in make(rehearsal)
        assert NASTY not in rehearsal.controls.make.text
    assert not rehearsal.controls.make.running
    assert "is out" in make(rehearsal)


def test_a_check_finds_a_tampered_ledger(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    page.closer.opened = "check"
    view = page._views["check"]
    press(view.task, what="start")
    assert "needs its passphrase" in view.task.text
    press(page.controls.secret, secret=PASSPHRASE)
    press(view.task, what="start")
    assert view.task.text.startswith("Everything holds")
    (folder / "survey" / "copies" / "ministry.parquet").write_bytes(b"something else")
    press(view.task, what="start")
    assert view.task.text.startswith("Not everything holds: issued files.")


def test_the_report_has_the_head_of_the_chain(page):
    ask(page, "Ministry", 60, 40)
    make(page)
    assert page.model._ledger.head in page.model.report()
    page.closer.opened = "report"
    assert page.model._ledger.head in page._views["report"].card._head.object


def test_a_damaged_ledger_is_said(page, folder):
    (folder / "survey" / "ledger.sqlite").write_bytes(b"no database" * 1000)
    other = ReleaseDashboard()
    assert other.headline.said["title"] == "This ledger cannot be opened."
    other.stop()


# Rehearsals


def test_a_rehearsal_does_everything_and_is_gone_afterwards(rehearsal):
    assert "Rehearsal" in rehearsal._banner.object
    assert "trustscope serve --ledgers" in rehearsal._banner.object
    assert not rehearsal.controls.secret.visible
    ask(rehearsal, "Ministry", 60, 40)
    assert "is out" in make(rehearsal, "")
    folder = rehearsal.model.folder
    identity = rehearsal.model._ledger.record.created["ledger"]
    assert (folder / "copies" / "ministry.parquet").exists()
    assert identity in keystore._memory
    rehearsal.stop()
    assert not folder.parent.exists()
    assert identity not in keystore._memory


def test_visitors_do_not_share_rehearsals(rehearsal):
    other = ReleaseDashboard(rehearsal.scenario)
    ask(rehearsal, "Ministry", 60, 40)
    make(rehearsal, "")
    other.open(other.scenario)
    assert other.headline.said["title"] == "Nothing is out yet."
    assert other.model.folder != rehearsal.model.folder
    other.stop()


@pytest.mark.parametrize("name", ["votes", "gaussian"])
def test_data_with_one_kind_of_columns(monkeypatch, name):
    monkeypatch.setattr(plan, "_used", [])
    page = ReleaseDashboard(ReleaseScenario().having({"data.name": name}))
    assert page.controls.trust.visible == (name == "gaussian")
    assert page.controls.retention.visible == (name == "votes")
    ask(page, "Ministry")
    assert "is out" in make(page, "")
    assert page.scenario.view.measure == ("numbers" if name == "gaussian" else "categories")
    page.stop()


# Controls


def test_every_control_reads_what_it_was_set_to(rehearsal):
    scenario = rehearsal.scenario.having({
        "settings": Settings(
            request=Request(to="Press", trust=12.3, retention=45.6, purpose="news"), by="A. Steward", group="media",
            form="csv",
        ),
        "view.measure": "categories", "view.closer": "history",
    })  # fmt: skip
    rehearsal.open(scenario)
    assert rehearsal.scenario == scenario
    for field in rehearsal.controls.fields:
        assert rehearsal.controls.read(field) == scenario.at(field.path), field.path


def test_trust_sends_its_recipients_here_one_after_the_other(monkeypatch):
    monkeypatch.setattr(plan, "_used", [])
    frame = Frame("", "iris")
    trust = frame.dashboard
    wanted = [(one.name, one.trust) for one in trust.scenario.settings.recipients]
    press(trust.controls.make_copies)
    page = frame.dashboard
    assert frame.bar.page == "Release"
    assert page.scenario.data.name == "iris"
    asked = (page.scenario.settings.request, *page.scenario.settings.waiting)
    assert [(one.to, one.trust) for one in asked] == wanted
    assert "Only nested copies are issued" in page.controls._carried.object
    press(page.controls.skip)
    for name, _ in wanted[1:]:
        assert f"“{name}” is out" in make(page, "")
    assert [(copy.to, copy.trust / 10) for copy in page.model._ledger.copies] == wanted[1:]
    assert not page.controls._carried.visible
    assert "together they tell no more than the best" in page.headline.said["title"]
    page.stop()


# What a steward does besides


def opened(page, key):
    page.closer.opened = key
    return page.closer.built(key)


def send(dropper, name, content):
    press(dropper, kind="piece", name=name, first=True, last=True, content=content)


def unlock(page):
    press(page.controls.secret, secret=PASSPHRASE)


def test_rules_are_set_and_hold_and_a_second_person_approves(page):
    view = opened(page, "rules")
    unlock(page)
    view.floor.value, view.approval.value, view.ceilings.value = "25 %", "50", "Press = 40, The Bank = 60"
    press(view.set, what="start")
    assert page.model._ledger.policy == {"floor": 25, "approval": 50, "ceilings": {"Press": 40, "The Bank": 60}}
    assert "at most 40 %" in view.set.text
    ask(page, "Press", 45, 30)
    assert "above the 40 %" in answer(page)
    ask(page, "Ministry", 60, 30)
    assert "needs the approval of somebody other" in answer(page)
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
    assert page.model._ledger.policy["floor"] == 25


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
    found = pd.read_parquet(io.BytesIO(rehearsal.model.file(rehearsal.model._ledger.copies[1].number)[1]))
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


# In a browser


@pytest.mark.browser
def test_the_rehearsal_in_a_browser(open_page, tmp_path):
    page = open_page("?page=release")
    expect(verdict(page)).to_contain_text("Nothing is out yet")
    expect(page.get_by_role("note")).to_contain_text("trustscope serve --ledgers FOLDER")
    for name, trust, said in (("Ministry", "60", "first one out"), ("Press", "30", "adds nothing")):
        page.get_by_role("textbox", name="Recipient").fill(name)
        page.get_by_role("textbox", name="Recipient").press("Enter")
        page.get_by_role("textbox", name="Trust, of numbers, typed").fill(trust)
        page.get_by_role("textbox", name="Trust, of numbers, typed").press("Enter")
        expect(verdict(page)).to_contain_text(said)
        page.get_by_role("button", name="Make the copy").click()
        expect(page.get_by_text(f"The copy for “{name}” is out")).to_be_visible()
    expect(verdict(page)).to_contain_text("Two copies are out")
    page.get_by_role("textbox", name="Recipient").fill("Bank")
    page.get_by_role("textbox", name="Recipient").press("Enter")
    page.get_by_role("slider", name="Trust, of numbers").fill("90")
    expect(verdict(page)).to_contain_text("The rules refuse this copy for Bank")
    expect(page.get_by_role("button", name="Make the copy")).to_be_disabled()
    expect(page.get_by_role("table", name="What every coalition of holders knows")).to_contain_text("90")
    expect(page.get_by_role("table", name="Copies that are out")).to_contain_text("Press")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the file").click()
    waiting.value.save_as(tmp_path / "press.parquet")
    assert list(pd.read_parquet(tmp_path / "press.parquet")) == [
        "Age",
        "Income",
        "Education",
        "Occupation",
        "Salary band",
    ]
    look_closer(page, "History")
    expect(page.get_by_role("table", name="Events of the ledger, the latest first")).to_contain_text("the copy is out")
    look_closer(page, "Check")
    page.get_by_role("button", name="Check everything").click()
    expect(page.get_by_text("Everything holds")).to_be_visible()
    look_closer(page, "Report")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the report").click()
    waiting.value.save_as(tmp_path / "report.html")
    assert "What was released" in (tmp_path / "report.html").read_text()
    settled(page)


@pytest.mark.parametrize("name", ["patients", "wine"])
def test_categories_sends_its_recipients_here_with_their_retention(monkeypatch, name):
    monkeypatch.setattr(plan, "_used", [])
    frame = Frame(f"page=categories&{query_of(CategoriesScenario().having({'data.name': name}))}")
    categories = frame.dashboard
    wanted = [(one.name, one.trust) for one in categories.scenario.settings.recipients if one.trust < 100]
    press(categories.controls.make_copies)
    page = frame.dashboard
    assert (page.page, page.scenario.data.name, page.scenario.settings.carried.own) == ("release", name, False)
    settings = page.scenario.settings
    assert [(one.to, one.retention) for one in (settings.request, *settings.waiting)] == wanted
    assert page.model.categories
    press(page.controls.make, what="start")
    (copy,) = page.model._ledger.copies
    assert (copy.to, copy.retention / 10) == wanted[0]
    page.stop()


@pytest.mark.browser
def test_from_trust_in_a_browser(open_page):
    page = open_page()
    unfold(page, "More")
    page.get_by_role("button", name="Make these copies").click()
    expect(page.get_by_text("Only nested copies are issued here")).to_be_visible()
    expect(page.get_by_role("textbox", name="Recipient")).to_have_value("Ministry")
    expect(verdict(page)).to_contain_text("first one out")
    page.go_back()
    expect(page.get_by_role("slider", name="Trust in Ministry")).to_be_visible()


@pytest.mark.browser
def test_a_ledger_and_its_passphrase_in_a_browser(browser, tmp_path, monkeypatch):
    """What the server sends, and what it logs at its most talkative, never holds the passphrase."""
    monkeypatch.setattr(keystore, "COST", 2**4)
    ledgers = tmp_path / "ledgers"
    ledgers.mkdir()
    make_ledger(ledgers / "survey", tmp_path).close()
    port, log = free_port(), tmp_path / "log.txt"
    options = [
        "--port",
        str(port),
        "--no-open",
        "--ledgers",
        str(ledgers),
        "--log-level",
        "debug",
        "--log-file",
        str(log),
    ]
    heard = []
    with running([sys.executable, "-m", "trustscope", "serve", *options], port) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
        page.on("response", lambda response: heard.append(response.url))
        page.goto(f"{address}?page=release")
        expect(verdict(page)).to_contain_text("Nothing is out yet")
        page.get_by_role("textbox", name="Recipient").fill("Ministry")
        page.get_by_role("textbox", name="Recipient").press("Enter")
        expect(page.get_by_text("The rules allow this copy")).to_be_visible()
        field = page.get_by_label("Passphrase of the ledger's key")
        assert field.get_attribute("type") == "password"
        field.fill("a wrong one")
        page.get_by_role("button", name="Make the copy").click()
        expect(page.get_by_text("The passphrase does not open")).to_be_visible()
        field.fill(PASSPHRASE)
        page.get_by_role("button", name="Make the copy").click()
        expect(page.get_by_text("The copy for “Ministry” is out")).to_be_visible()
        expect(verdict(page)).to_contain_text("One copy is out; Ministry holds it")
        expect(field).to_have_value("")
        expect(page).to_have_url(re.compile("page=release"))
        assert PASSPHRASE not in page.url + page.content()
        context.close()
    texts = [one if isinstance(one, str) else one.decode(errors="replace") for one in heard]
    assert any("is out" in text for text in texts)
    assert not any(PASSPHRASE in text for text in texts)
    assert log.read_text()
    assert PASSPHRASE not in log.read_text()
    with Ledger.open(ledgers / "survey") as ledger:
        assert [copy.to for copy in ledger.copies] == ["Ministry"]
