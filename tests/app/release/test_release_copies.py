"""The Release page makes copies: the same bytes as everywhere, looked at before they are made, and called off."""

import asyncio
import shutil
import tempfile
import threading

import pytest

from tests.app.release.helping import NASTY, PASSPHRASE, answer, ask, make, opened, press
from trustscope.app.cli import main
from trustscope.app.page import Frame
from trustscope.app.release import shelf
from trustscope.app.release.dashboard import ReleaseDashboard
from trustscope.app.serving import plan
from trustscope.release import Ledger, Problem, keystore, lock
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.link import query_of
from trustscope.scenarios.release.scenario import ReleaseScenario, Request, Settings
from trustscope.widgets.controls.give import Give

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
    assert len(page.holding.plot.frame["labels"]) == 1  # one copy is out, twice issued


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
    drawn = page.pooled.plot.lengths(("with this copy", "what is out"), ["Ministry and Press", "Press"])
    assert drawn == {"with this copy": [0.65, 0.65], "what is out": [0.5, 0]}
    ask(page, "Press", 75, 10)
    assert "at most 25.0 % of the variance, that of the best linear guess, below the floor of 30 %" in answer(page)
    assert page.controls.make.disabled
    press(page.controls.secret, secret=PASSPHRASE)
    page.controls.make.starts += 1  # whatever the browser sends
    assert "below the floor" in page.controls.make.text
    with Ledger.open(folder / "survey") as ledger:
        assert len(ledger.copies) == 1
        assert not any(event.body.get("to") == "Press" for event in ledger.history)


@pytest.mark.parametrize(("trust", "said"), [(99.9, "99.9\u202f%"), (0.1, "0.1\u202f%"), (37.1, "37.1\u202f%")])
def test_the_bars_say_neither_all_nor_nothing_of_what_is_not(page, trust, said):
    ask(page, "Press", trust, 40)
    assert page.pooled.plot.texts == [said]
    assert [text for _, text in page.pooled.plot.scale] == ["0\u202f%", "50\u202f%", "100\u202f%"]


@pytest.mark.parametrize(("to", "said"), [("ministry", "looks like “Ministry”"), ("", "Name a recipient")])
def test_a_bad_request_gets_a_sentence(page, to, said):
    ask(page, "Ministry", 60, 40)
    make(page)
    ask(page, to)
    assert said in answer(page)
    assert page.controls.make.disabled


def test_a_ledger_that_another_page_writes_to(page, folder):
    ask(page, "Ministry", 60, 40)
    with lock.hold(folder / "survey"):
        said = make(page)
    assert said == "The ledger is in use by another program or page; try again when that has ended."
    make(page)
    with Ledger.open(folder / "survey") as ledger:
        assert [copy.to for copy in ledger.copies] == ["Ministry"]


def test_names_are_shown_as_text(page):
    ask(page, NASTY, 60, 40)
    make(page)
    for view in ("copies", "coalitions", "history"):
        page.closer.opened = view
        assert "<img" not in page.views()[view].table.pane.object
    ask(page, NASTY.upper(), 60, 40)
    assert "looks like" in answer(page)
    assert "<img" not in answer(page).lower()


# Work


def test_what_is_called_off_leaves_nothing_behind(page, folder, monkeypatch):
    ask(page, "Ministry", 60, 40)
    copied = Ledger.copy

    def stopping(self, *arguments, **options):
        press(page.controls.make, what="stop")
        return copied(self, *arguments, **options)

    monkeypatch.setattr(Ledger, "copy", stopping)
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


@pytest.mark.parametrize("key", ["copies", "report"])
def test_a_file_is_fetched_beside_the_loop_and_the_page_says_so(rehearsal, monkeypatch, key):
    """The ledger may be in use for long: whoever asks for a file then keeps nobody waiting."""
    ask(rehearsal, "Ministry", 60, 40)
    make(rehearsal, "")
    view, given = opened(rehearsal, key), []
    monkeypatch.setattr(Give, "give", lambda button, *file: given.append(file))
    before, free = view.give.text, threading.Event()
    name = {"copies": "file", "report": "report"}[key]
    made = getattr(rehearsal.model, name)
    monkeypatch.setattr(rehearsal.model, name, lambda *asked: free.wait(10) and made(*asked))

    async def main():
        press(view.give)
        assert view.give.text.endswith("…")
        press(view.give)  # once is enough
        assert given == []
        free.set()
        async with asyncio.timeout(60):
            while view.give.text != before:
                await asyncio.sleep(0.001)

    asyncio.run(main())
    ((name, content, *_),) = given
    assert name == {"copies": "ministry.parquet", "report": "release-report.html"}[key]
    assert len(content) > 1000


# Rehearsals


def test_a_rehearsal_does_everything_and_is_gone_afterwards(rehearsal):
    assert "Rehearsal" in rehearsal.banner.object
    assert "trustscope serve --ledgers" in rehearsal.banner.object
    assert not rehearsal.controls.secret.visible
    ask(rehearsal, "Ministry", 60, 40)
    assert "is out" in make(rehearsal, "")
    folder = rehearsal.model.folder
    identity = rehearsal.model.ledger.record.created["ledger"]
    assert (folder / "copies" / "ministry.parquet").exists()
    assert keystore.load("memory", folder, identity)
    rehearsal.stop()
    assert not folder.parent.exists()
    with pytest.raises(Problem, match="key of this rehearsal is gone"):
        keystore.load("memory", folder, identity)


@pytest.mark.parametrize("moment", ["before its folder is made", "when its ledger stands"])
def test_a_rehearsal_of_somebody_who_left_while_it_began_is_gone(monkeypatch, tmp_path, moment):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rehearsals, ledgers = shelf.Rehearsals(), []
    made, ruled = tempfile.mkdtemp, Ledger.set_policy

    def make(*arguments, **options):
        if moment.startswith("before"):
            rehearsals.close()
        return made(*arguments, **options)

    def rule(ledger, *arguments, **options):
        ledgers.append((ledger.folder, ledger.record.created["ledger"]))
        if moment.startswith("when"):
            rehearsals.close()
        return ruled(ledger, *arguments, **options)

    monkeypatch.setattr(tempfile, "mkdtemp", make)
    monkeypatch.setattr(Ledger, "set_policy", rule)
    with pytest.raises(Problem, match="The rehearsal has ended"):
        rehearsals.open("iris")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Problem, match="key of this rehearsal is gone"):
        keystore.load("memory", *ledgers[0])


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
    monkeypatch.setattr(plan, "current", lambda: None)
    page = ReleaseDashboard(ReleaseScenario().replace({"data.name": name}))
    assert page.controls.trust.visible == (name == "gaussian")
    assert page.controls.retention.visible == (name == "votes")
    ask(page, "Ministry")
    assert "is out" in make(page, "")
    assert page.scenario.view.measure == ("numbers" if name == "gaussian" else "categories")
    page.stop()


# Controls


def test_every_control_reads_what_it_was_set_to(rehearsal):
    scenario = rehearsal.scenario.replace({
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
    monkeypatch.setattr(plan, "current", lambda: None)
    frame = Frame("", "iris")
    trust = frame.dashboard
    wanted = [(one.name, one.trust) for one in trust.scenario.settings.recipients]
    press(trust.controls.make_copies)
    page = frame.dashboard
    assert frame.bar.page == "Release"
    assert page.scenario.data.name == "iris"
    asked = (page.scenario.settings.request, *page.scenario.settings.waiting)
    assert [(one.to, one.trust) for one in asked] == wanted
    assert "Only nested copies are issued" in page.controls.carried.object
    press(page.controls.skip)
    for name, _ in wanted[1:]:
        assert f"“{name}” is out" in make(page, "")
    assert [(copy.to, copy.trust / 10) for copy in page.model.ledger.copies] == wanted[1:]
    assert not page.controls.carried.visible
    assert "together they tell no more than the best" in page.headline.said["title"]
    page.stop()


@pytest.mark.parametrize("name", ["patients", "wine"])
def test_categories_sends_its_recipients_here_with_their_retention(monkeypatch, name):
    monkeypatch.setattr(plan, "current", lambda: None)
    frame = Frame(f"page=categories&{query_of(CategoriesScenario().replace({'data.name': name}))}")
    categories = frame.dashboard
    wanted = [(one.name, one.trust) for one in categories.scenario.settings.recipients if one.trust < 100]
    press(categories.controls.make_copies)
    page = frame.dashboard
    assert (page.page, page.scenario.data.name, page.scenario.settings.carried.own) == ("release", name, False)
    settings = page.scenario.settings
    assert [(one.to, one.retention) for one in (settings.request, *settings.waiting)] == wanted
    assert page.model.categories
    press(page.controls.make, what="start")
    (copy,) = page.model.ledger.copies
    assert (copy.to, copy.retention / 10) == wanted[0]
    page.stop()
