"""Saying goodbye: a page whose turn comes after patience has ended is left alone, and nothing is logged."""

import asyncio
from contextlib import nullcontext

from trustscope.app.serving import stopping


class Document:
    """One whose next tick comes when a test says so."""

    def add_next_tick_callback(self, callback):
        self.tick = callback


def test_a_page_that_comes_too_late_is_not_told():
    told, document = [], Document()

    async def main():
        task = asyncio.ensure_future(stopping._on_page(document, lambda: told.append("goodbye")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        document.tick()

    asyncio.run(main())
    assert not told


def test_a_page_is_told_in_its_turn(monkeypatch):
    told, document = [], Document()
    monkeypatch.setattr(stopping.pn.io, "hold", lambda document: nullcontext())

    async def main():
        task = asyncio.ensure_future(stopping._on_page(document, lambda: told.append("goodbye")))
        await asyncio.sleep(0)
        document.tick()
        await task

    asyncio.run(main())
    assert told == ["goodbye"]
