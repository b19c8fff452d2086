"""Names and never paths, a passphrase that goes nowhere, and what is damaged is said."""

import json
from pathlib import Path

import panel as pn
import pytest
from bokeh.document import Document

from tests.app.release.helping import PASSPHRASE, ask, make, opened, press, unlock
from trustscope.app.page import Frame
from trustscope.app.release import shelf
from trustscope.app.release.dashboard import ReleaseDashboard
from trustscope.app.release.telling import without_paths
from trustscope.app.serving import plan
from trustscope.release import Ledger, keystore
from trustscope.scenarios.link import query_of
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.release.scenario import ReleaseScenario

# Names, and never paths


@pytest.mark.parametrize("name", ["..", "../secret", "way out", "no ledger", "", "survey/../../secret", "nowhere"])
def test_only_what_the_folder_lists_is_opened(folder, name, tmp_path):
    with pytest.raises(shelf.Problem, match="no ledger of this name"):
        shelf.find(folder, name)
    with pytest.raises(shelf.Problem, match="no ledger of this name"):
        shelf.find(folder, str(tmp_path / "secret"))
    assert shelf.names(folder) == ["survey"]
    if name:
        # Not checked, as if the check of what is put in had a hole.
        page = ReleaseDashboard(ReleaseScenario().replace({"data.ledger": name}, checked=False))
        assert page.headline.said["title"] == "This ledger cannot be opened."
        assert page.model is None
        assert page.controls.make.disabled
        page.stop()


@pytest.mark.parametrize("name", ["..", "../secret", "survey/../../secret", "a\\b", "survey\n"])
def test_a_path_is_refused_before_anything_is_opened(folder, name):
    with pytest.raises(ScenarioProblem, match="ledger: a ledger is called by its name, without a slash"):
        ReleaseScenario().replace({"data.ledger": name})
    frame = Frame(query_of(ReleaseScenario().replace({"data.ledger": name}, checked=False)))
    assert frame.bar.said == [
        "data → ledger was left out: a ledger is called by its name, without a slash and without a dot at its "
        "beginning; choose one that is listed."
    ]
    assert frame.dashboard.scenario.data.ledger == ""
    frame.dashboard.stop()


def test_a_ledger_by_name_without_a_folder_is_explained(monkeypatch):
    monkeypatch.setattr(plan, "current", lambda: None)
    page = ReleaseDashboard(ReleaseScenario().replace({"data.ledger": "survey"}))
    assert "started without a folder" in page.headline.said["note"]
    page.controls.ledger.value = ""  # from there to a rehearsal
    page.controls.change(page.scenario.replace({"data.ledger": "", "data.name": "iris"}))
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
    view = page.views()["copies"]
    press(view.give)
    assert "has been changed" in view.said.object
    path.unlink()
    press(view.give)
    assert "no longer where it was written" in view.said.object


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
    assert page.controls.secret.text() == PASSPHRASE
    for text in (document(page), query_of(page.settled), json.dumps(page.scenario.to_dict()), repr(page.controls)):
        assert PASSPHRASE not in text
    press(page.controls.make, what="start")
    assert "is out" in page.controls.make.text
    assert page.controls.secret.text() == ""  # it is kept no longer than it is needed
    key = keystore.load("file", page.model.folder, page.model.ledger.record.created["ledger"], PASSPHRASE)
    assert key.hex() not in document(page)
    assert PASSPHRASE not in document(page) + caplog.text


def test_a_wrong_or_missing_passphrase_gets_a_sentence(page, monkeypatch):
    ask(page, "Ministry", 60, 40)
    monkeypatch.setenv(keystore.VARIABLE, PASSPHRASE)  # of the command: no visitor may use it
    assert make(page, "") == "The key of this ledger needs its passphrase: type it first."
    said = make(page, "not this one")
    assert "The passphrase does not open" in said
    assert "not this one" not in said
    assert not page.model.ledger.copies
    assert "is out" in make(page)


def test_a_check_finds_a_tampered_ledger(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    page.closer.opened = "check"
    view = page.views()["check"]
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
    assert page.model.ledger.head in page.model.report()
    page.closer.opened = "report"
    assert page.model.ledger.head in page.views()["report"].card.caption_pane.object


def test_a_damaged_ledger_is_said(page, folder):
    (folder / "survey" / "ledger.sqlite").write_bytes(b"no database" * 1000)
    other = ReleaseDashboard()
    assert other.headline.said["title"] == "This ledger cannot be opened."
    assert other.headline.said["note"].startswith("The ledger in survey is damaged: ")  # and not where it lies
    other.stop()


def test_what_goes_wrong_is_said_without_the_folders_of_the_server(page, folder):
    ask(page, "Ministry", 60, 40)
    make(page)
    (folder / "survey" / "copies" / "ministry.parquet").write_bytes(b"something else")
    with pytest.raises(shelf.Problem, match=str(folder)):  # the command says it
        Ledger.open(folder / "nowhere")
    view = opened(page, "check")
    unlock(page)
    press(view.task, what="start")
    said = [one.sentence for one in view.found if not one.holds]
    assert said
    assert not any(str(folder) in sentence for sentence in said)
    lies = f"The ledger in {folder / 'survey'} is damaged and/or locked."
    assert page.model.told(lies) == "The ledger in survey is damaged and/or locked."
    (folder.parent / "survey.parquet").unlink()
    page.controls.to.value = "Press"
    assert "survey.parquet" in make(page)
    assert str(folder.parent) not in page.controls.make.text


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The ledger in /srv/my data/survey cannot be read: no.", "The ledger in survey cannot be read: no."),
        ("No room for the ledger (/srv/a/b.sqlite); free some.", "No room for the ledger (b.sqlite); free some."),
        ("The file /srv/a b/x.sqlite is not that of /srv/ledger.sum.", "The file x.sqlite is not that of ledger.sum."),
        (r"The file C:\Users\me\x.csv is empty.", "The file x.csv is empty."),
        ("No data at /home/jane/My (old) data/secret/x.csv; go.", "No data at x.csv; go."),
        ("The file file:///srv/secret/x is empty.", "The file x is empty."),
        ("The file file:/srv/secret/x?mode=ro is empty.", "The file x?mode=ro is empty."),
        (r"The file \\server\share\my docs\x.csv is empty.", "The file x.csv is empty."),
        ("The file //server/share/x.csv is empty.", "The file x.csv is empty."),
        ("The file ~jane/secret/x.csv is empty.", "The file x.csv is empty."),
        ("The file /srv/data/x.csv was read and/or changed.", "The file x.csv was read and/or changed."),
        ("Failed to open '/srv/my, data/x.csv' or \"/srv/Jane's/y\".", "Failed to open 'x.csv' or \"y\"."),
        ("It lies (in /srv/data/x) or is CSV/Parquet.", "It lies (in x) or is CSV/Parquet."),
        ("/srv/data/x.csv is empty.", "x.csv is empty."),
    ],
)
def test_of_a_path_the_last_name_is_said(sentence, said):
    assert without_paths(sentence) == said


@pytest.mark.parametrize(
    "sentence",
    [
        "“North/South”, 1/2, CSV/Parquet, ../x: as it is",
        "The column “Income (€/month)” has the category “%/year”, which it did not have; read and/or drop it (km/h).",
        "The column “/year” is not “ / month / person”.",
    ],
)
def test_what_is_no_path_is_said_as_it_is(sentence):
    assert without_paths(sentence) == sentence


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The ledger in {} is damaged and/or locked.", "The ledger in survey is damaged and/or locked."),
        ("There is no file {}/copies/my press.csv.", "There is no file my press.csv."),
        ("There is already something at file://{}.", "There is already something at survey."),
        ("The data at /srv/d: x/people.csv has no rows.", "The data at people.csv has no rows."),
    ],
)
def test_a_place_that_is_known_is_found_whatever_it_is_called(sentence, said):
    folder = Path("/srv/my, data; old (1/survey")
    assert without_paths(sentence.format(folder), [folder, Path("/srv/d: x/people.csv")]) == said
    assert without_paths(f"{folder}s/x", [folder]).endswith("surveys/x"), "another one, which begins so"
