"""What the visitors of the soak do: drag, turn pages, change data, upload, run, lose their connection, and leave.

Each act says whether it could do something where the visitor stands. `test_acts.py` holds each of them against a page.
"""

import asyncio
import os
import random
import time

from benchmarks.visitors import Gone, Visitor
from trustscope.app.pages import PAGES as KNOWN

PAGES = tuple(page.title for page in KNOWN.values())
DATA = ("Dataset", "Data of the rehearsal")  # what a page calls the list of its data
EVERYTHING = ("Trust", "Categories")  # where every act can be done
PATIENCE = float(os.environ.get("PATIENCE", "120"))  # seconds for anything that must come in the end
NAMES = ("drag", "drag", "drag", "turn", "turn", "lose", "lose", "data", "upload", "run")  # how often which is drawn
LOOK = 3.0  # seconds after which a page is looked at that has not changed
EXPERIMENTS = ("li/eq16", "xiao/eq7", "huang/udr", "zhang/eq26")  # that take a second


class Person:
    """One visitor after the other, on one seat, each with a few things to do."""

    def __init__(
        self, address: str, seed: int, pages=PAGES, data: tuple[str, ...] | None = None, experiments=EXPERIMENTS
    ):
        self.address, self._seed, self._draw, self._pages = address, seed, random.Random(seed), pages
        self._experiments = experiments
        self._data_known = data  # which of the data on each list are chosen; None for all
        self.done: dict[str, int] = {}
        self.errors: list[str] = []

    @property
    def acts(self) -> dict:
        """What a visitor can do, by name."""
        return {
            "drag": self._drag, "turn": self._turn, "data": self._data, "upload": self._upload,
            "run": self._run, "lose": self._lose,
        }  # fmt: skip

    async def live(self, until) -> None:
        """Visit again and again until it is time to stop; `until` says so."""
        name, pages = self._first()
        while not until():
            visitor = Visitor(self.address, f"?page={self._draw.choice(pages).lower()}")
            pages = self._pages
            try:
                await visitor.open()
                known = False
                for number in range(self._draw.randint(2, 8)):
                    if number and until():
                        break
                    await self.do(name, visitor, known)
                    known = name in ("drag", "lose")  # neither leaves other parts on the page
                    name = self._draw.choice(NAMES)
                    await asyncio.sleep(self._draw.uniform(0.1, 1.0))
                await visitor.close(politely=self._draw.random() < 0.7)
            except (Gone, OSError, TimeoutError) as problem:
                self.errors.append(f"{type(problem).__name__}: {problem}")
                await asyncio.sleep(1.0)
            self.errors += visitor.errors

    async def come(self) -> None:
        """Visit once: open one page, and do two things there.

        As many people as there are pages see all of the pages and do all of the acts. To open a page is most of the
        work, so everybody opens a page of their own, and only who turns to another one sees two.
        """
        name, _ = self._first()
        page = self._pages[(self._seed + 1) % len(self._pages)]  # in this order the first act can be done there
        visitor = Visitor(self.address, f"?page={page.lower()}")
        try:
            await visitor.open()
            await self.unfold(visitor)
            await until(visitor, lambda: stands(visitor), f"figures on {page}")
            await self.do(name, visitor, known=True)
            await self.do(self._draw.choice(NAMES), visitor)
            await visitor.close(politely=self._draw.random() < 0.7)
        except (Gone, OSError, TimeoutError) as problem:
            self.errors.append(f"{type(problem).__name__}: {problem}")
        self.errors += visitor.errors

    def _first(self):
        """What this one does first, and the pages on which it can be done.

        However slow the machine is, everybody does one thing, and all things are done by somebody.
        """
        name = list(self.acts)[self._seed % len(self.acts)]
        return name, [page for page in self._pages if page in EVERYTHING] or self._pages

    async def do(self, name: str, visitor: Visitor, known: bool = False) -> bool:
        """Do one thing, and count it if it was done; `known`: what is on the page has been looked at."""
        if not known:  # browsers do not take the whole page for each thing that is done on it
            await visitor.pull()
            await self.unfold(visitor)
        done = await self.acts[name](visitor)
        self.done[name] = self.done.get(name, 0) + done
        return done

    async def tour(self) -> None:
        """Open one page after the other, each with all data that it offers: whatever is kept for all is then there."""
        visitor = Visitor(self.address)
        await visitor.open()
        for page in self._pages:
            await self._look_at(visitor, page)
            for control in _lists(visitor):
                here = control["data"].get("place", 0)
                for place in sorted(self._places(control), key=lambda place, here=here: place != here):
                    await visitor.send_control(control, place=place)
                    await visitor.barrier()
                    await visitor.pull()
                    await until(visitor, lambda place=place: chosen(visitor, place), f"data {place} on {page}")
        await visitor.close()
        self.errors += visitor.errors

    async def _look_at(self, visitor, page) -> None:
        """Turn to a page, and wait for all of it."""
        await visitor.send_control(all_of(visitor, "Bar")[0], kind="page", page=page)
        await until(visitor, lambda: all_of(visitor, "Bar")[0]["data"]["page"] == page, page)
        await self.unfold(visitor)
        await until(visitor, lambda: stands(visitor), f"figures on {page}")

    def _places(self, control) -> list[int]:
        entries = control["data"]["entries"]
        return [place for place, name in enumerate(entries) if self._data_known is None or name in self._data_known]

    async def unfold(self, visitor) -> None:
        """Open the lines of the page: what stands behind them comes when they are opened."""
        if closed := [fold for fold in all_of(visitor, "Fold") if not fold["data"].get("opened")]:
            for fold in closed:
                await visitor.send_control(fold, opened=True)
            await visitor.barrier()
            await visitor.pull()

    async def _drag(self, visitor) -> bool:
        """Move a slider back and forth, then let go."""
        sliders = [one for one in all_of(visitor, "Slider") if not one["data"].get("disabled")]
        control = self._draw.choice(all_of(visitor, "Recipients") or sliders or [None])
        if control is None:
            return False
        for done in (False, False, False, True):
            await visitor.send_control(control, **self._somewhere(control), done=done)
            await visitor.barrier()
        return True

    def _somewhere(self, control) -> dict:
        """Another place for a slider, or for one recipient's."""
        data = control["data"]
        if "rows" in data:
            row = dict(self._draw.choice(data["rows"])["entries"])
            return {"kind": "trust", "id": row["id"], "value": self._draw.randint(10, 90)}
        if data.get("stops"):
            return {"value": self._draw.choice(data["stops"])}
        return {"value": self._draw.uniform(data.get("start", 0.0), data.get("end", 1.0))}

    async def _turn(self, visitor) -> bool:
        """Turn to another page."""
        (bar,) = all_of(visitor, "Bar")
        others = [page for page in self._pages if page != bar["data"]["page"]]
        if not others:
            return False
        await visitor.send_control(bar, kind="page", page=self._draw.choice(others))
        await visitor.barrier()
        return True

    async def _data(self, visitor) -> bool:
        """Choose other data in the list of them."""
        found = _lists(visitor)
        for control in found:
            here = control["data"].get("place", 0)
            places = [place for place in self._places(control) if place != here]
            await visitor.send_control(control, place=self._draw.choice(places))
            await visitor.barrier()
        return bool(found)

    async def _upload(self, visitor) -> bool:
        """Drop a small file, where the page takes one, and use what was understood of it."""
        for dropper in all_of(visitor, "Dropper"):
            rows = "\n".join(
                f"{self._draw.random():.4f},{self._draw.random():.4f},{self._draw.choice('abc')}" for _ in range(200)
            )
            await visitor.send_piece(dropper, "own.csv", f"height,weight,group\n{rows}\n".encode())
            await until(visitor, lambda: any(one["data"].get("rows") for one in all_of(visitor, "Columns")), "columns")
            await visitor.send_control(visitor.find("Action", "Use these data"))
            await visitor.barrier()
            return True
        return False

    async def _run(self, visitor) -> bool:
        """Press the button that runs something; where something must be said or opened first, do that."""
        for gallery in all_of(visitor, "Gallery"):
            await until(visitor, lambda: visitor.find("Gallery")["data"].get("shown"), "experiments")
            await visitor.send_control(gallery, id=self._draw.choice(self._experiments))
            await visitor.barrier()
        for box in (m for m in visitor.models if m.get("attributes", {}).get("title") == "Recipient"):
            for slider in all_of(visitor, "Slider"):  # a copy of much trust, after a drag, would be refused
                await visitor.send_control(slider, **_low(slider), done=True)
            await visitor.set(box, "value", f"Recipient {self._draw.randint(1, 999)}")
            await until(visitor, lambda: not visitor.find("Task")["data"].get("disabled"), "an answer of the rules")
        if not all_of(visitor, "Task"):
            return False
        await visitor.send_control(visitor.find("Task"), what="start")
        await visitor.barrier()
        return True

    async def _lose(self, visitor) -> bool:
        """Lose the connection for a moment and come back to the same session."""
        await visitor.close(politely=False)
        await asyncio.sleep(self._draw.uniform(0.0, 2.0))
        await visitor.connect()
        await visitor.pull()
        return True


def all_of(visitor: Visitor, kind: str) -> list[dict]:
    """The controls of a kind that are shown, with what they hold."""
    found = []
    for model in visitor.models:
        attributes = model.get("attributes", {})
        if attributes.get("class_name") == kind and attributes.get("visible", True):
            found.append({"id": model["id"], "data": attributes["data"].get("attributes", {})})
    return found


def stands(visitor: Visitor) -> bool:
    """Whether the page has said what it shows, and nothing is under way."""
    return all(one["data"].get("said") and not one["data"].get("working") for one in all_of(visitor, "Headline"))


def chosen(visitor: Visitor, place: int) -> bool:
    """Whether the page shows what it shows of the data at a place of their list."""
    return all(one["data"].get("place", 0) == place for one in _lists(visitor)) and stands(visitor)


def _lists(visitor) -> list[dict]:
    """The list of the page's data, where it has one."""
    return [one for name in DATA for one in all_of(visitor, "Dropdown") if one["data"].get("label") == name][:1]


def _low(slider) -> dict:
    """A place near the low end of a slider."""
    data = slider["data"]
    start, end = data.get("start", 0.0), data.get("end", 1.0)
    return {"value": data["stops"][0] if data.get("stops") else start + (end - start) / 10}


async def until(visitor: Visitor, condition, what: str) -> None:
    """Look again and again until something is there: at the whole page where the server has said that it changed.

    Now and then also where it has not: to take a page is most of the work of waiting for one.
    """
    deadline, looked = time.monotonic() + PATIENCE, time.monotonic()
    changes = None
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what}")
        await asyncio.sleep(0.2)
        if visitor.changes != changes or time.monotonic() > looked + LOOK:
            changes, looked = visitor.changes, time.monotonic()
            await visitor.pull()
