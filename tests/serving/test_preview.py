"""Pictures of links: each is made once, few at a time, and whatever fails there is one."""

import asyncio
import threading

import pytest

from trustscope.app.serving import preview
from trustscope.app.serving.preview import Pictures, address, scenario_in
from trustscope.scenarios.link import query_of
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustScenario

OWN = TrustScenario().replace({"data.name": "own", "data.file": OwnFile(name="x.csv", size=1, digest="0" * 64)})


def asked(seed):
    return query_of(TrustScenario().replace({"seed": seed}))


def test_a_picture_is_made_once_and_few_wait():
    made, go = [], threading.Event()

    def make(scenario, cancel):
        if scenario is not None:
            go.wait(10)
        made.append(None if scenario is None else scenario.seed)
        return str(made[-1]).encode()

    async def visit():
        pictures = Pictures(make)
        first = [asyncio.ensure_future(pictures.of(asked(seed))) for seed in (1, 1, 2, 3)]
        await asyncio.sleep(0)
        late = [await pictures.of(asked(seed)) for seed in (4, 5)]  # too many wait: these get that of the app
        go.set()
        found = await asyncio.gather(*first)
        return late, found, await pictures.of(asked(2))

    late, found, again = asyncio.run(visit())
    assert late == [b"None", b"None"]
    assert (found, again) == ([b"1", b"1", b"2", b"3"], b"2")
    assert made == [None, 1, 2, 3]


def test_what_fails_or_takes_too_long_gets_the_picture_of_the_app(monkeypatch):
    monkeypatch.setattr(preview, "SECONDS", -1.0)
    seen = []

    def make(scenario, cancel):
        seen.append(cancel())
        if scenario is not None:
            raise ValueError("no picture of this")
        return b"app"

    assert asyncio.run(Pictures(make).of(asked(1))) == b"app"
    assert seen == [True, True]


@pytest.mark.parametrize(
    "query", [query_of(OWN), "page=release", "page=learn", "page=<script>", "", "lesson=two-copies"]
)
def test_own_data_and_what_has_no_figures_have_the_picture_of_the_app(query):
    assert scenario_in(query) is None
    assert address("Here:1", query, ["http://here:1"]) == "http://here:1/preview.png"


def test_an_address_is_in_full_and_holds_nothing_that_a_visitor_wrote():
    origins = ("http://127.0.0.1:5006", "http://trust.example.org", "https://trust.example.org")
    damaged = 'page=trust&s="><script>alert(1)</script>'
    assert address("trust.example.org", damaged, origins) == "https://trust.example.org/preview.png?page=trust"
    assert address("elsewhere.org", "page=trust", origins) == ""
