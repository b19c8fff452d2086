"""What is opened to whom: the plan that the options make, and the sentences when they cannot."""

import asyncio
import importlib.util

import pytest

from trustscope.app.serving.access import LIFETIME, TRIES, Access, Tries
from trustscope.app.serving.plan import Plan, PlanProblem


def test_by_default_this_machine_alone_without_a_secret():
    plan = Plan.from_options(port=5006)
    assert plan.hosts == ("127.0.0.1:5006", "localhost:5006", "[::1]:5006")
    assert not plan.needs_secret
    assert plan.processes == 1
    assert plan.announcement() == "Trustscope is at http://127.0.0.1:5006/ (stop it with Ctrl-C)"


def test_another_address_is_open_to_its_own_numbers_and_makes_a_secret():
    plan = Plan.from_options(address="0.0.0.0", port=5006)
    assert len(plan.token) >= 20
    assert plan.token != Plan.from_options(address="0.0.0.0").token
    assert all(host.endswith(":5006") for host in plan.hosts)
    assert "*" not in "".join((*plan.hosts, *plan.origins))
    said = plan.announcement()
    assert f"?token={plan.token}" in said
    assert "open on every network" in said
    assert "not encrypted" in said


def test_a_name_stands_for_itself_alone():
    plan = Plan.from_options(origins=["trust.example.org", "http://10.0.0.5:8080/"])
    assert "trust.example.org" in plan.hosts
    assert {"https://trust.example.org", "http://trust.example.org", "http://10.0.0.5:8080"} <= set(plan.origins)
    assert "https://10.0.0.5:8080" not in plan.origins
    assert "no token or password" in plan.announcement()


def test_a_plan_survives_the_way_to_another_process():
    plan = Plan.from_options(address="::", origins=["a.example"], embed=["https://b.example/"], password="12345678")
    assert Plan.from_json(plan.to_json()) == plan


def test_pages_find_what_was_asked_for(tmp_path):
    spec = importlib.util.find_spec(Plan.__module__)
    process = importlib.util.module_from_spec(spec)  # as a process of its own would have it
    spec.loader.exec_module(process)
    assert process.current() is None
    process.use(Plan.from_options(ledgers=tmp_path))
    assert process.current().ledgers == str(tmp_path)


def test_each_start_signs_sessions_with_another_secret():
    assert Plan.from_options().session_secret != Plan.from_options().session_secret


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"token": "short"}, "the token needs 16"),
        ({"token": "with spaces in it, long"}, "the token needs 16"),
        ({"password": "short"}, "the password needs 8"),
        ({"origins": ["*"]}, "--origin '*' is not a name"),
        ({"origins": ["a b"]}, "is not a name"),
        ({"origins": ["ftp://a.example"]}, "is not a name"),
        ({"origins": ["a.example:99999"]}, "is not a name"),
        ({"embed": ["*"]}, "--embed '*' is not an origin"),
        ({"embed": ["lms.example.org; script-src *"]}, "is not an origin"),
        ({"processes": 0}, "--processes 0"),
        ({"max_sessions": 0}, "--max-sessions 0"),
        ({"max_memory": 10}, "--max-memory 10"),
        ({"ledgers": "/no/such/folder"}, "is not a folder"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(options, sentence):
    with pytest.raises(PlanProblem, match="(?s)" + sentence.replace("*", r"\*")) as refused:
        Plan.from_options(**options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "others"),
    [
        ({}, False),
        ({"address": "::1"}, False),
        ({"address": "0.0.0.0"}, True),
        ({"origins": ["trust.example.org"]}, True),
    ],
)
def test_whether_others_are_served(options, others):
    assert Plan.from_options(**options).for_others is others


def test_a_cookie_holds_for_its_time_for_its_secret_and_for_its_server():
    now = [1_000_000.0]
    plan = Plan.from_options(token="a" * 20, port=5006)
    access = Access(plan, lambda: now[0])
    cookie = access.new_cookie()
    assert access.good_cookie(cookie)
    assert Access(Plan.from_options(token="a" * 20), lambda: now[0]).good_cookie(cookie)  # after a restart too
    assert not Access(Plan.from_options(token="b" * 20), lambda: now[0]).good_cookie(cookie)
    until, _, signature = cookie.partition(".")
    assert not access.good_cookie(f"{int(until) + 1}.{signature}")
    for wrong in (None, "", ".", "x.y", "²." + signature, until, f"{until}.", "9" * 5000 + "." + signature):
        assert not access.good_cookie(wrong)
    now[0] += LIFETIME
    assert not access.good_cookie(cookie)
    assert Access(Plan.from_options(port=1)).cookie != access.cookie


def test_wrong_tries_run_out_and_come_back():
    now = [0.0]
    tries = Tries(3, 5, lambda: now[0])
    for _ in range(3):
        assert not tries.exhausted("a")
        tries.failed("a")
    assert tries.exhausted("a")
    assert not tries.exhausted("b")
    tries.failed("b")
    tries.failed("c")
    assert tries.exhausted("d")  # all together
    now[0] = 61.0
    assert not tries.exhausted("a")


def test_several_processes_do_not_allow_more_tries():
    plan = Plan.from_options(token="a" * 20, processes=5)
    access = Access(plan)
    assert [access.try_bearer("x", "a") for _ in range(2)] == [False, False]
    assert not access.try_bearer("a" * 20, "a")
    assert access.try_bearer("a" * 20, "b")


def test_after_wrong_tries_one_waits_longer_and_longer_and_the_right_secret_enters(monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    access = Access(Plan.from_options(token="a" * 20, processes=1))

    async def story():
        wrong = [await access.try_token("x", "a") for _ in range(TRIES + 7)]
        return wrong, await access.try_token("a" * 20, "a"), await access.try_token("x", "b")

    wrong, right, other = asyncio.run(story())
    assert wrong == [False] * TRIES + [None] * 7
    assert right is True
    assert other is False  # another address is not meant
    assert waited == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


def test_tries_that_come_together_wait_as_if_they_came_one_by_one():
    tries = Tries(2, 100, lambda: 0.0)

    async def story():
        waiting = [asyncio.ensure_future(tries.attempt("a", lambda: False)) for _ in range(5)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        seconds = tries.wait("a")
        for one in waiting:
            one.cancel()
        return seconds, [one.done() for one in waiting]

    seconds, done = asyncio.run(story())
    assert done == [True, True, False, False, False]
    assert seconds == 0.25 * 2**3
