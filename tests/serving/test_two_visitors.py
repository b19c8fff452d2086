"""Two visitors of one process: neither sees nor disturbs what the other brought, set or broke.

`test_gate.py` has the ways by names and tokens of sessions, `test_class.py` those of a class. Here both are let in and
work at the same time; everything that the server sends to one of them, its log and its figures are searched for what
belongs to the other. At the end a process that works for one of them is killed from outside.
"""

import asyncio
import contextlib
import json
import re
from pathlib import Path

import psutil
import pytest
from tornado.websocket import WebSocketClosedError

from benchmarks.visitors import Gone, Visitor
from tests.serving.visitors import fetch
from tests.soak.__main__ import Server
from tests.soak.people import Person, all_of, until
from trustscope.app.release.shelf import Rehearsals
from trustscope.scenarios.link import query_of
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import PapersScenario, preset
from trustscope.scenarios.release.scenario import Request, Settings
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.widgets import bundle

# What only the first visitor has: a name of a file, of a column and of values that nobody else would write.
FILE, COLUMN, VALUE = "vanderbilt-payroll.csv", "zygote_count", "quillfeather"
SECRETS = (FILE, "vanderbilt", COLUMN, VALUE)
# Few data, without the strongest attacker, who would have to learn every file anew.
PATH = "?" + query_of(TrustScenario().replace({"data.name": "iris", "settings.attackers": ("perfect",)}))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Server(tmp_path_factory.mktemp("two") / "log", processes=1)
    yield started
    assert started.end() == 0


class Watched(Visitor):
    """A visitor who keeps every word that the server says."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.heard: list[str] = []

    async def next_message(self):
        message = await super().next_message()
        self.heard.append(message[2])
        return message

    def knows(self) -> list[str]:
        """Which of the other's secrets have come here."""
        everything = "\n".join(self.heard).lower()
        return [secret for secret in SECRETS if secret in everything]


def together(server, story, path=PATH):
    """Let two visitors open pages, at the same time, for a story."""

    async def lives():
        one, two = Watched(server.address, path), Watched(server.address, path)
        await asyncio.gather(one.open(), two.open())
        try:
            await asyncio.gather(stands(one), stands(two))
            await story(one, two)
        finally:
            await one.close()
            await two.close()

    asyncio.run(lives())


def held(visitor, kind):
    """What a part of the page holds; nothing where it is not there yet."""
    return next((one["data"] for one in all_of(visitor, kind)), {})


async def stands(visitor):
    """Wait until the page shows its figures, and what is looked at closer, which comes last."""

    def there():
        headline = held(visitor, "Headline")
        told = headline.get("said") and not headline.get("working") and held(visitor, "Bar").get("info")
        texts = [str(model.get("attributes", {}).get("text", "")) for model in visitor.models]
        return told and not any("is on its way" in text for text in texts)

    await until(visitor, there, "figures")


def table(rows: int, scale: float = 1.0) -> bytes:
    lines = [f"{scale * (n % 17)},{(n * 7) % 23},{VALUE if n % 3 else 'common'}" for n in range(rows)]
    return "\n".join([f"{COLUMN},other,kind", *lines, ""]).encode()


async def bring(visitor, name, content):
    """Drop a file and use what was understood of it."""
    await Person(visitor.address, 0).unfold(visitor)  # what takes files stands behind a line
    await visitor.send_piece(visitor.find("Dropper"), name, content)
    await until(visitor, lambda: any(one["data"].get("rows") for one in all_of(visitor, "Columns")), "columns")
    await visitor.send_control(visitor.find("Action", "Use these data"))
    await until(visitor, lambda: held(visitor, "Bar").get("info", "").startswith(Path(name).stem), "own data")
    await stands(visitor)


def said(visitor):
    """What the page tells: its headline and its data, without anything that counts messages."""
    return json.dumps(held(visitor, "Headline")["said"]), held(visitor, "Bar")["info"]


def test_a_file_is_seen_by_whoever_brought_it_and_by_nobody_else(server):
    async def story(one, two):
        before = said(two)
        await bring(one, FILE, table(300))
        assert {FILE, COLUMN} <= set(one.knows())  # the search finds what is there
        await two.pull()
        assert said(two) == before
        # The link of the first visitor's page names the file. It brings the second one the name, not the data.
        query = held(one, "Address")["entry"][0]
        three = Watched(server.address, "?" + query.lstrip("?"))
        await three.open()
        try:
            await until(three, lambda: held(three, "Headline").get("said"), "answer to the link")
            await three.settle(0.3)
            await three.pull()
            assert VALUE not in "\n".join(three.heard)
            assert not held(three, "Bar").get("info")  # there are no data
            assert held(three, "Headline")["said"] != held(one, "Headline")["said"]
        finally:
            await three.close()
        await two.pull()
        assert two.knows() == []
        await asyncio.to_thread(_nothing_else_has_an_address, server)

    together(server, story)
    log = server.log.read_text().lower() if server.log.exists() else ""
    figures = server.figures().lower()
    assert "trustscope_sessions" in figures
    assert not [secret for secret in SECRETS if secret in log or secret in figures]


def _nothing_else_has_an_address(server):
    """Reports, tables and copies go over the visitor's own socket: there is no address at which another finds them."""
    status, _, body = fetch(server.address)
    assert status == 200
    addresses = re.findall(rb"""(?:src|href)\s*=\s*["']([^"']+)["']""", body)
    assert addresses
    known = (b"static/", b"components/", bundle.address().encode(), b"data:image", b"#")
    assert not [a for a in addresses if not a.startswith(known)]
    for path in (FILE, f"static/{FILE}", f"download/{FILE}", f"files/{FILE}", "report", "report.html", "sessions",
                 "tmp", "static/../tmp", "rehearsal", "ledger", "copy.csv", "own.csv"):  # fmt: skip
        assert fetch(server.address + path)[0] in (400, 403, 404), path


def test_two_files_of_one_name_stay_apart(server):
    """Also what is remembered of one is not taken for the other: same name, columns and size, other values."""

    async def story(one, two):
        await asyncio.gather(bring(one, "data.csv", table(240)), bring(two, "data.csv", table(360)))
        assert "240" in held(one, "Bar")["info"]
        assert "360" in held(two, "Bar")["info"]
        alone = said(one)
        await bring(two, "data.csv", table(240, scale=9.0))
        await one.pull()
        assert said(one) == alone
        again = Watched(server.address, PATH)
        await again.open()
        try:
            await stands(again)
            await bring(again, "data.csv", table(240))
            assert said(again) == alone  # and whoever brings the same data sees the same
        finally:
            await again.close()

    together(server, story)


def test_what_one_sets_leaves_the_other_as_it_was(server):
    """Models of built-in data are shared: nothing that is set on a page may reach them."""

    async def story(one, two):
        before, changes = said(two), two.changes
        recipients = one.find("Recipients")
        rows = [dict(row["entries"]) for row in recipients["data"]["rows"]]
        for trust in (15, 85, 40):
            await one.send_control(recipients, kind="trust", id=rows[0]["id"], value=trust, done=True)
            await one.barrier()
        await one.send_control(recipients, kind="name", id=rows[0]["id"], name="Vanderbilt", value="Vanderbilt")
        await one.settle(0.3)
        await one.pull()
        assert said(one) != before
        await two.barrier()
        assert two.changes == changes  # not even a message
        await two.pull()
        assert said(two) == before
        assert two.knows() == []
        three = Watched(server.address, PATH)
        await three.open()
        try:
            await stands(three)
            assert said(three) == before  # nor does whoever comes later
        finally:
            await three.close()

    together(server, story)


NONSENSE = (
    ["{"],
    ["null", "null", "null"],
    ['{"msgid": "1", "msgtype": "NO-SUCH-KIND"}', "{}", "{}"],
    ['{"msgid": "2", "msgtype": "PATCH-DOC"}', "{}", '{"events": 7}'],
    ['{"msgid": "3", "msgtype": "PATCH-DOC"}', "{}", '{"events": [{"kind": "RootRemoved", "model": {"id": "p1"}}]}'],
    ['{"msgid": "4", "msgtype": "PUSH-DOC"}', "{}", '{"doc": {"roots": [], "title": "taken"}}'],
    ['{"msgid": "5", "msgtype": "PATCH-DOC"}', "{}", "[" * 100_000],
    ['{"msgid": "6", "msgtype": "PATCH-DOC", "num_buffers": 1000000}', "{}", "{}", "{}", "x"],
    ["x" * 5_000_000],
    [b"\x00\xff" * 1000],
)


def test_nonsense_of_one_is_no_trouble_for_the_other(server):
    async def story(one, two):
        before = said(two)
        recipients = two.find("Recipients")
        row = dict(recipients["data"]["rows"][0]["entries"])
        for turn, parts in enumerate(NONSENSE):
            with contextlib.suppress(WebSocketClosedError, Gone):  # nonsense may be answered by closing the connection
                for part in parts:
                    await one.socket.write_message(part, binary=isinstance(part, bytes))
            await two.move(recipients, kind="trust", id=row["id"], value=20 + turn, done=False)
            await one.close(politely=False)
            await one.connect()
        await two.send_control(recipients, kind="trust", id=row["id"], value=row["trust"], done=True)
        await until(two, lambda: said(two) == before, "what stood before")
        assert two.errors == []
        assert fetch(f"{server.address}health")[0] == 200

    together(server, story)


def test_a_killed_worker_is_said_on_the_page_and_replaced(server):
    """A process that works for a visitor is killed: the page says so in a sentence, and the next run has a new one."""

    async def story():
        experiment = EXPERIMENTS["huang/exp1"]
        large = PapersScenario().opening(experiment.id, preset(experiment, paper_size=True))  # takes minutes
        one = Visitor(server.address, f"?{query_of(large)}")
        await one.open()
        try:
            await until(one, lambda: held(one, "Headline").get("said"), "experiment")
            await one.send_control(one.find("Task"), what="start")
            await until(one, lambda: experiments(server), "worker")
            for worker in experiments(server):
                worker.kill()
            await until(one, lambda: "was ended from outside" in task(one), "sentence")
            assert "Run it again" in task(one)
            await one.send_control(one.find("Choice", "Size"), value=["quick"])
            await one.send_control(one.find("Task"), what="start")
            await until(one, lambda: task(one).startswith("Done"), "result of a new worker")
        finally:
            await one.close()
        assert one.errors == []

    asyncio.run(story())


def experiments(server):
    """The processes of experiments: children of the one that hands them out, which is the server's child."""
    return [worker for child in psutil.Process(server.process.pid).children() for worker in child.children()]


def task(visitor):
    return held(visitor, "Task").get("text", "")


def test_rehearsals_have_folders_and_keys_of_their_own():
    """Two stewards rehearse the same release: neither finds the other's files, recipients or noise."""
    one, two = Rehearsals(), Rehearsals()
    try:
        ours, theirs = one.open("iris"), two.open("iris")
        assert ours is not theirs
        assert one.open("iris") is ours
        here, there = ours.folder, theirs.folder
        assert here != there
        assert here.stat().st_mode & 0o077 == 0  # for this user alone
        asked = Settings(request=Request(to="Vanderbilt", trust=50, retention=50), form="csv")
        copies = [Path(opened.copy(asked, "")[0].out).read_bytes() for opened in (ours, theirs)]
        assert len(set(copies)) == 2  # the same copy of the same data, with noise of another key
        one.close()
        assert not here.exists()
        assert there.exists()
    finally:
        one.close()
        two.close()
    assert not there.exists()
