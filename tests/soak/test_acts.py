"""Every act of the soak's visitors does something on the real pages: acts that do nothing would soak nothing."""

import asyncio
import re

import pytest

from benchmarks.visitors import Visitor
from tests.soak.__main__ import Server, idle
from tests.soak.people import PAGES, Person, all_of, until
from trustscope.app.pages import PAGES as KNOWN
from trustscope.scenarios.link import scenario_of

pytestmark = pytest.mark.long

UPLOADS = ("Trust", "Categories", "Rotation", "Survey")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Server(tmp_path_factory.mktemp("soak") / "log", processes=1)
    yield started
    assert started.end() == 0
    assert "Error" not in started.log.read_text()


def visit(server, page, what):
    """Let somebody open a page and do `what(person, visitor)`."""

    async def life():
        visitor = Visitor(server.address, f"?page={page.lower()}&dataset=iris")
        await visitor.open()
        try:
            await stands(visitor)
            await what(Person(server.address, 1), visitor)
        finally:
            await visitor.close()
        assert visitor.errors == []

    asyncio.run(life())


async def stands(visitor):
    """Wait until the page shows its figures."""

    def there():
        headline = held(visitor, "Headline")
        return headline.get("said") and not headline.get("working") and held(visitor, "Bar").get("info")

    await until(visitor, there, "figures")


def held(visitor, kind):
    return all_of(visitor, kind)[0]["data"]


def scenario(visitor):
    """What stands on the page, as its address says it."""
    query = held(visitor, "Address")["entry"][0]
    name = next(page.name for page in KNOWN.values() if page.title == held(visitor, "Bar")["page"])
    return scenario_of(query, KNOWN[name].kind().kind).scenario


def test_all_pages_are_visited():
    assert tuple(page.title for page in KNOWN.values()) == PAGES


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("Learn", "Papers")])
def test_drags_other_data_and_uploads_change_what_stands(server, page):
    async def act(person, visitor):
        before = scenario(visitor)
        assert await person.do("drag", visitor)
        await until(visitor, lambda: scenario(visitor) != before, "change")
        before, info = scenario(visitor), held(visitor, "Bar")["info"]
        assert await person.do("data", visitor)
        await until(visitor, lambda: scenario(visitor).data != before.data, "other data")
        await until(visitor, lambda: held(visitor, "Bar")["info"] != info, "word of them")
        assert await person.do("upload", visitor) == (page in UPLOADS)
        if page in UPLOADS:
            await until(visitor, lambda: held(visitor, "Bar")["info"].startswith("own"), "own data")
            assert scenario(visitor).data.file.name == "own.csv"

    visit(server, page, act)


def test_a_turn_opens_another_page(server):
    async def act(person, visitor):
        seen = set()
        for _ in range(2):
            before = held(visitor, "Bar")["page"]
            assert await person.do("turn", visitor)
            await until(visitor, lambda before=before: held(visitor, "Bar")["page"] != before, "other page")
            await stands(visitor)
            seen.add(held(visitor, "Bar")["page"])
        assert len(seen) == 2

    visit(server, "Trust", act)


@pytest.mark.parametrize("page", ["Trust", "Categories"])
def test_copies_are_watched(server, page):
    async def act(person, visitor):
        assert await person.do("run", visitor)
        await until(visitor, lambda: held(visitor, "Task").get("running"), "copies that are made")

    visit(server, page, act)


@pytest.mark.parametrize(("page", "told"), [("Papers", "Done"), ("Release", "is out")])
def test_what_is_run_runs_to_its_end(server, page, told):
    async def act(person, visitor):
        assert await person.do("run", visitor)
        await until(visitor, lambda: told in held(visitor, "Task").get("text", ""), "end")

    visit(server, page, act)


def test_a_lost_connection_finds_its_session_again(server):
    async def act(person, visitor):
        assert await person.do("drag", visitor)
        await visitor.settle(0.3)
        await visitor.pull()
        before, models = scenario(visitor), {model["id"] for model in visitor.models}
        assert await person.do("lose", visitor)
        assert scenario(visitor) == before
        assert models & {model["id"] for model in visitor.models}
        assert await person.do("drag", visitor)
        await until(visitor, lambda: scenario(visitor) != before, "change")

    visit(server, "Trust", act)


def test_the_servers_figures_are_real(server):
    """Of what the visitors do: pages that are open, and steps and their times by page."""

    def figure(name):
        return float(re.search(rf"^{re.escape(name)} (\S+)$", server.figures(), re.MULTILINE).group(1))

    async def act(person, visitor):
        for _ in range(3):
            assert await person.do("drag", visitor)
        await until(visitor, lambda: figure('trustscope_step_seconds_count{page="trust"}') >= 3, "steps")
        await until(visitor, lambda: figure("trustscope_sessions") >= 1, "session")
        assert 0 < figure('trustscope_step_seconds_sum{page="trust"}') < 60
        assert figure("trustscope_message_seconds_count") > 12

    visit(server, "Trust", act)


def test_an_act_that_was_never_done_is_a_problem():
    person = Person("", 0)
    person.done = {"drag": 3, "turn": 0}
    assert idle([person], ["drag", "turn"]) == ["nobody managed to turn"]
