"""What the visitors of the soak do: drag, turn pages, change data, upload, run, lose their connection, and leave."""

import asyncio
import base64
import gzip
import random

from benchmarks.visitors import Gone, Visitor

PAGES = ("Trust", "Categories", "Rotation", "Survey", "Papers")


class Person:
    """One visitor after the other, on one seat, each with a few things to do."""

    def __init__(self, address: str, seed: int, pages=PAGES):
        self.address, self._draw, self._pages = address, random.Random(seed), pages
        self.done: dict[str, int] = {}
        self.errors: list[str] = []

    async def live(self, until) -> None:
        """Visit again and again until it is time to stop; `until` says so."""
        often = (self._drag, self._turn, self._lose)
        acts = (*often, *often, self._drag, self._data, self._upload, self._run)
        while not until():
            visitor = Visitor(self.address)
            try:
                await visitor.open()
                for _ in range(self._draw.randint(2, 8)):
                    if until():
                        break
                    act = self._draw.choice(acts)
                    await act(visitor)
                    self.done[act.__name__] = self.done.get(act.__name__, 0) + 1
                    await asyncio.sleep(self._draw.uniform(0.1, 1.0))
                await visitor.close(politely=self._draw.random() < 0.7)
            except (Gone, OSError, TimeoutError) as problem:
                self.errors.append(f"{type(problem).__name__}: {problem}")
                await asyncio.sleep(1.0)
            self.errors += visitor.errors

    async def _drag(self, visitor):
        """Move a slider back and forth, then let go."""
        await visitor.pull()
        kinds = [kind for kind in ("Recipients", "Slider") if _has(visitor, kind)]
        if not kinds:
            return
        kind = self._draw.choice(kinds)
        control = visitor.find(kind)
        for done in (False, False, False, True):
            if kind == "Recipients":
                row = dict(self._draw.choice(control["data"]["rows"])["entries"])
                said = {"kind": "trust", "id": row["id"], "value": self._draw.randint(10, 90)}
            else:
                stops = control["data"].get("stops") or [control["data"].get("start", 0), control["data"].get("end", 1)]
                said = {"value": self._draw.choice(stops)}
            await visitor.send_control(control, **said, done=done)
            await visitor.barrier()

    async def _turn(self, visitor):
        """Turn to another page."""
        await visitor.send_control(visitor.find("Bar"), kind="page", page=self._draw.choice(self._pages))
        await visitor.barrier()

    async def _data(self, visitor):
        """Choose something else in one of the lists to choose from; the first is that of the data."""
        await visitor.pull()
        lists = [m for m in visitor.models if m["name"].endswith("Select") and m.get("attributes", {}).get("options")]
        for model in lists[:1]:
            options = [o[0] if isinstance(o, list) else o for o in model["attributes"]["options"]]
            await visitor.set(model, "value", self._draw.choice(options))
            await visitor.barrier()

    async def _upload(self, visitor):
        """Drop a small file, where the page takes one."""
        await visitor.pull()
        if _has(visitor, "Dropper"):
            rows = "\n".join(f"{self._draw.random():.4f},{self._draw.randint(0, 9)}" for _ in range(200))
            # Bokeh writes bytes that stand inside a message as base64 of gzip.
            content = base64.b64encode(gzip.compress(f"height,class\n{rows}\n".encode())).decode()
            whole = {"kind": "piece", "first": True, "last": True, "content": {"type": "bytes", "data": content}}
            await visitor.send_control(visitor.find("Dropper"), name="own.csv", **whole)
            await visitor.barrier()

    async def _run(self, visitor):
        """Press the button that runs something, where the page has one."""
        await visitor.pull()
        if _has(visitor, "Task"):
            await visitor.send_control(visitor.find("Task"), what="start")
            await visitor.barrier()

    async def _lose(self, visitor):
        """Lose the connection for a moment and come back to the same session."""
        await visitor.close(politely=False)
        await asyncio.sleep(self._draw.uniform(0.0, 2.0))
        await visitor.connect()
        await visitor.pull()


def _has(visitor, kind):
    return any(m.get("attributes", {}).get("class_name") == kind for m in visitor.models)
