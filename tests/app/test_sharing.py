"""What many ask for at once is computed once, and waits for none of them."""

import asyncio
import threading
from contextlib import aclosing

import pytest

from trustscope.app.serving.log import NOBODY, carry, session_name
from trustscope.app.sharing import shared_steps, single_flight


def run(main):
    async def bounded():
        async with asyncio.timeout(60):
            return await main()

    return asyncio.run(bounded())


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


def test_many_who_ask_for_the_same_have_it_computed_once():
    gate, made = threading.Event(), []

    def make(name):
        gate.wait(30)
        made.append(name)
        return name

    async def main():
        asking = [asyncio.ensure_future(single_flight(key, lambda key=key: make(key))) for key in "aaaab"]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*asking)

    assert run(main) == [*"aaaab"]
    assert sorted(made) == ["a", "b"]


def test_it_is_computed_anew_for_whoever_asks_later():
    made = []

    async def main():
        for _ in range(2):
            await single_flight("a", lambda: made.append(1))

    run(main)
    assert made == [1, 1]


def test_who_draws_slowly_keeps_nobody_waiting():
    """The first one is in the middle of drawing the first step for ever; the second one has all of it meanwhile."""
    drawn, kept = {"slow": [], "fast": []}, []

    async def main():
        never = asyncio.Event()

        async def follow(name):
            async with aclosing(shared_steps("a", lambda: iter([1, 2, 3]), kept.append)) as steps:
                async for step in steps:
                    drawn[name].append(step)
                    if name == "slow":
                        await never.wait()

        slow = asyncio.ensure_future(follow("slow"))
        await until(lambda: drawn["slow"])
        await follow("fast")
        slow.cancel()

    run(main)
    assert len(drawn["slow"]) == 1
    assert drawn["fast"][-1] == 3
    assert kept[-1] == 3


def test_of_what_came_while_a_step_was_drawn_only_the_newest_is_drawn():
    gate, done, drawn = threading.Event(), [], []

    def steps():
        yield 1
        gate.wait(30)
        yield from (2, 3, 4)

    async def main():
        async with aclosing(shared_steps("a", steps, done.append)) as following:
            async for step in following:
                drawn.append(step)
                gate.set()
                await until(lambda: done)

    run(main)
    assert drawn == [1, 4]


def test_whoever_leaves_keeps_it_going_for_the_others_and_the_last_one_ends_it():
    gate, began = threading.Event(), threading.Semaphore(0)
    computed = []

    def steps():
        for number in range(1_000):
            began.release()
            gate.wait(30)
            computed.append(number)
            yield number

    async def one_step():
        async with aclosing(shared_steps("a", steps)) as following:
            return await anext(following)

    async def main():
        first, second = (asyncio.ensure_future(one_step()) for _ in range(2))
        await until(lambda: began.acquire(blocking=False))
        first.cancel()
        await asyncio.sleep(0.01)
        gate.set()
        assert await second == 0  # and it follows no longer
        await asyncio.sleep(0.05)
        many = len(computed)
        third = asyncio.ensure_future(single_flight("a", lambda: "new"))  # nobody gets into what was given up
        assert await third == "new"
        assert many < 1_000

    run(main)


def test_a_failure_is_everybodys():
    gate = threading.Event()

    def fail():
        gate.wait(30)
        raise ValueError("no such data")

    async def main():
        asking = [asyncio.ensure_future(single_flight("a", fail)) for _ in range(3)]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*asking, return_exceptions=True)

    assert [type(one) for one in run(main)] == [ValueError] * 3


def test_it_is_computed_for_nobody():
    """Whoever asks first is not named in the log for what is computed for all."""

    async def main():
        return await single_flight("a", session_name)

    async def as_visitor():
        return await asyncio.get_running_loop().create_task(main())

    assert carry(lambda: run(as_visitor))() == NOBODY
    with pytest.raises(ZeroDivisionError):
        run(lambda: single_flight("a", lambda: 1 / 0))
