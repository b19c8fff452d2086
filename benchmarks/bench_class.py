"""A class of sixty over real websockets: how long a prediction takes from the student's browser to the teacher's page,
and a step from the teacher's page to the browsers of all students.

``python -m benchmarks class`` prints the times in seconds; the limit is a second, and two for a step with a picture.
"""

import asyncio
import functools
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from typing import Any

from tornado.httpclient import AsyncHTTPClient

from benchmarks.harness import Benchmark
from benchmarks.visitors import Visitor
from trustscope.lessons.reader import find

STUDENTS = 60
ROUNDS = 3  # times that everybody changes the prediction
SPREAD = 20.0  # seconds over which a class answers
LESSON = find("two-copies")
ASKED = LESSON.steps[1]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _cookie(url: str) -> str:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments):
            return None

    try:
        urllib.request.build_opener(Stay).open(url, timeout=60)
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.headers["Set-Cookie"].partition(";")[0]
    raise RuntimeError(f"{url} let nobody in")


async def _standing(visitor: Visitor, kind: str, **values: Any) -> dict:
    while True:
        await visitor.pull()
        with suppress(LookupError):
            found = visitor.find(kind)
            if all(found["data"].get(name, 0) == value for name, value in values.items()):
                return found
        await asyncio.sleep(0.5)


class Student(Visitor):
    """A student's page; it notes when a step has come."""

    async def has(self, step: int) -> float:
        """Wait for a step; when it came."""
        pattern = re.compile(rf'"number", ?{step}\b')
        while True:
            kind, _, content = await self.next_message()
            if kind == "PATCH-DOC" and pattern.search(content):
                return time.perf_counter()


class Wall(Visitor):
    """The teacher's page; it notes when each new picture of the class comes."""

    async def watch(self, news: asyncio.Queue) -> None:
        """Pass on the counts of each answer as they come, with the time."""
        bar = re.compile(r'\["([a-z0-9-]+)", ?"[^"]*", ?(\d+)\]')
        while True:
            kind, _, content = await self.next_message()
            if kind == "PATCH-DOC" and '"bars"' in content:
                await news.put((time.perf_counter(), {name: int(n) for name, n in bar.findall(content)}))


async def _measured(address: str, code: str, key: str) -> tuple[list[float], float, float]:
    AsyncHTTPClient.configure(None, max_clients=8, max_body_size=10**9)
    people = [
        Student(f"{address}/class/", headers={"Cookie": _cookie(f"{address}/class?code={code}")})
        for _ in range(STUDENTS)
    ]
    wall = Wall(f"{address}/teach/", headers={"Cookie": _cookie(f"{address}/teach?key={key}")})
    await wall.open()
    await asyncio.gather(*(one.open() for one in people))
    for place in range(2):
        await wall.move(await _standing(wall, "Conduct", place=place), kind="next", number=place)
    await wall.move(await _standing(wall, "Crowd"), kind="live")  # else what comes in is covered
    controls = [await _standing(one, "Answers") for one in people]
    news: asyncio.Queue = asyncio.Queue()
    looking = asyncio.ensure_future(wall.watch(news))
    values = [option.value for option in ASKED.question.options]
    times: list[float] = []
    for number in range(ROUNDS * STUDENTS):
        # One student after the other, so that each picture can be told: this answer has one more than before.
        begin = time.perf_counter()
        student, value = number % STUDENTS, values[number // STUDENTS % len(values)]
        await people[student].send_control(controls[student], value=value)
        while True:
            seen, counts = await news.get()
            if counts.get(value) == student + 1:
                times.append(seen - begin)
                break
        await asyncio.sleep(SPREAD / STUDENTS / 4)
    begin, value = time.perf_counter(), values[ROUNDS % len(values)]
    await asyncio.gather(*(one.send_control(c, value=value) for one, c in zip(people, controls, strict=True)))
    counts = {}
    while counts.get(value) != STUDENTS:
        seen, counts = await news.get()
    looking.cancel()
    conduct = await _standing(wall, "Conduct", place=2)
    coming = [asyncio.ensure_future(one.has(3)) for one in people]  # the answer, with a picture
    started = time.perf_counter()
    await wall.send_control(conduct, kind="next", number=2)
    step = max(await asyncio.gather(*coming)) - started
    for one in (*people, wall):
        await one.close()
    return times, seen - begin, step


@functools.cache
def measured() -> tuple[float, float, float]:
    """Seconds from sending to the teacher's page: 95 of 100, one by one; the last of all that come at once; and seconds
    until the teacher's next step is on the last student's page."""
    port = _free_port()
    command = [sys.executable, "-m", "trustscope", "class", LESSON.id, "--no-open", "--port", str(port)]
    served = subprocess.Popen(
        [*command, "--processes", str(os.cpu_count() or 1)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        said = ""
        while "Ready" not in said and (line := served.stdout.readline()):
            said += line
        key = re.search(r"key=([\w-]+)", said)[1]
        code = re.search(r"type the code (\w{4} \w{4})", said)[1].replace(" ", "")
        found, together, step = asyncio.run(_measured(f"http://127.0.0.1:{port}", code, key))
        times = sorted(found)
    finally:
        served.terminate()
        served.communicate()
    middle, late = times[len(times) // 2], times[int(0.95 * (len(times) - 1))]
    told = f"median {middle:.2f} s, 95 % within {late:.2f} s, all {times[-1]:.2f} s; all at once {together:.2f} s"
    told += f"; a step comes to all within {step:.2f} s"
    print(f"    {STUDENTS} students: {told}", file=sys.stderr)
    return late, together, step


BENCHMARKS = [
    Benchmark(
        f"a prediction reaches the teacher's page among {STUDENTS} students: 95 % are within / one second",
        lambda: measured()[0],
        limit=1,
        tags=("class",),
    ),
    Benchmark(
        f"{STUDENTS} students predict at the same moment: the last is on the teacher's page / one second",
        lambda: measured()[1],
        limit=1,
        tags=("class",),
    ),
    Benchmark(
        f"the teacher goes to a step with a picture: it is on the pages of all {STUDENTS} students / two seconds",
        lambda: measured()[2] / 2,
        limit=1,
        tags=("class",),
    ),
]
