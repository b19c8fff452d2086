"""Regular expressions over what people send take time in proportion to the text, whatever the text.

People send files, links, scenarios, lessons, ledgers, names and numbers that they type, codes and headers. So the
expressions are found by looking: every one in every module of the package, compiled or not, and every way in which its
module calls it. A new one is covered by itself. In `datasets`, where all is about what people send, one that is not
compiled at the top of a module is refused.
"""

import ast
import importlib
import pkgutil
import re
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from time import thread_time

import pytest

from trustscope import datasets

BRIEF, SHORT, LONG = 1_000, 10_000, 100_000
# Ten times the text may take this many times as long; a quadratic expression takes a hundred times as long.
MOST = 30
# Below this many seconds nothing is compared: a clock shows only noise there. A quadratic expression that
# takes less than this for 100 000 characters does no harm.
FLOOR = 0.05
# Two reasons not to try 100 000 characters: so little is taken for 10 000 that a quadratic expression would stay far
# below the floor; or they take so nearly ten times as long as 1 000 that no square can be in it that would be seen.
HARMLESS, IN_PROPORTION = FLOOR / 400, 12
METHODS = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
# What a text can begin with before it runs on, and what it can run on with: pieces that numbers, dates, tags,
# units in names and separators are made of. Each run ends in a character that nothing matches.
STARTS = ("", "1", "-", "$", "1,", "1e", "0,", "sep=", "2020-01-01 ", "<c ", "<c r=", "a (", "a_")
RUNS = (" ", "0", "1", "1 ", " 1", ".", ",", "1.", "1,", "1'", "1.000", "e", "-", "a", "a ", "_", "a_", "(", "[", "()")
RUNS += ("<", "<c ", "<c", "r", "r ", "r=", ":", "a:", "<a:", "\r", "\t", "\n", " r=", 'r="', "T", "é", "÷", "$", "%")


ROOMS = ("app", "datasets", "lessons", "release", "scenarios", "widgets")
# What is not imported here: it starts the app, or belongs to a window that this machine may not have.
LEFT_OUT = ("__main__", "trustscope.app.main", "trustscope.app.desktop")


def modules(room):
    top = importlib.import_module(f"trustscope.{room}")
    yield top
    for found in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
        if not found.name.endswith(LEFT_OUT[0]) and not found.name.startswith(LEFT_OUT[1:]):
            yield importlib.import_module(found.name)


def calls(nodes):
    """Every (name, method) such as ("_NUMBER", "fullmatch") that a module calls."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def literals(nodes):
    """Every (expression, method) such as `re.sub("[^a-z]+", ...)`, whose text stands in the call."""
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in METHODS and ast.unparse(called.value) == "re":
            flags = [ast.unparse(one.value) for one in node.keywords if one.arg == "flags"]
            yield re.compile(node.args[0].value, eval(flags[0]) if flags else 0), called.attr


def expressions(room):
    """Every expression of a room: its name, itself, and the methods by which it is called."""
    for module in modules(room):
        text = Path(module.__file__).read_text()
        compiled = {name: value for name, value in vars(module).items() if isinstance(value, re.Pattern)}
        if not compiled and not re.search(r"\bre\s*\.", text):
            continue
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
        used = set(calls(nodes))
        for name, pattern in compiled.items():
            methods = sorted(method for called, method in used if called == name)
            if methods or compiled_here(tree, name):
                yield f"{module.__name__}.{name}", pattern, methods
        for number, (pattern, method) in enumerate(literals(nodes), start=1):
            yield f"{module.__name__}.{number}", pattern, [method]


def compiled_here(tree, name):
    """Whether a module makes an expression itself; others have it from there."""
    return any(isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name for node in tree.body)


def seconds(pattern, method, text):
    if isinstance(pattern.pattern, bytes):
        text = text.encode()
    arguments = ("", text) if method in ("sub", "subn") else (text,)
    times = []
    for _ in range(3):
        start = thread_time()
        found = getattr(pattern, method)(*arguments)
        if method == "finditer":
            list(found)
        times.append(thread_time() - start)
        if times[0] < FLOOR / 2:
            break
    return min(times)


@cache
def slowest_growth(pattern, method, starts=STARTS):
    """The largest ratio of the times for the long and the short text, and the text that gave it."""
    worst = (0.0, "")
    for start, run in product(starts, RUNS):
        which, end = repr((start, run)), "\x00"
        # Short texts first, longer step by step: an exponential expression must fail the test, not hang it.
        for size in (12, 15, 18, 21, 24, 27, 150, 300, BRIEF, 3000):
            taken = seconds(pattern, method, start + (run * size)[:size] + end)
            if taken > FLOOR / 2:
                return float("inf"), which
            if size == BRIEF:
                brief = taken
        quick = seconds(pattern, method, start + (run * SHORT)[:SHORT] + end)
        if quick < max(HARMLESS, IN_PROPORTION * brief):
            continue
        slow = seconds(pattern, method, start + (run * LONG)[:LONG] + end)
        if slow > FLOOR:
            worst = max(worst, (slow / max(quick, FLOOR / MOST), which))
    return worst


@pytest.mark.parametrize(
    ("room", "starts"),
    [
        ("datasets", STARTS),
        *((room, ("", "1", "a (")) for room in ROOMS if room != "datasets"),
        *(pytest.param(room, STARTS, marks=pytest.mark.long) for room in ROOMS if room != "datasets"),
    ],
)
def test_every_expression_is_linear_in_its_worst_case(room, starts):
    """Where all is about what people send, from every start; elsewhere from a few, and in `make soak` from all."""
    found = list(expressions(room))
    assert found
    assert [name for name, _, methods in found if not methods] == []  # not called by its name: it cannot be tried
    slow = []
    for name, pattern, methods in found:
        for method in methods:
            ratio, text = slowest_growth(pattern, method, starts)
            if ratio > MOST:
                slow.append(f"{name}, {method} of {text}: {ratio:.0f} times as long for ten times the text")
    assert slow == []


@pytest.mark.parametrize("pattern", [r"\s*[-+]?\s*\d+", r"(\d+)*x", r"\s*(\d|\s)*x"])
def test_an_expression_that_is_not_linear_is_seen(pattern):
    ratio, _ = slowest_growth(re.compile(pattern), "search")
    assert ratio > MOST


def test_every_expression_is_compiled_where_it_is_found():
    for module in modules("datasets"):
        tree = ast.parse(Path(module.__file__).read_text())
        assert not {call for call in calls(ast.walk(tree)) if call[0] == "re"}, module.__name__
        inside = [
            node for function in ast.walk(tree) if isinstance(function, ast.FunctionDef) for node in function.body
        ]
        for node in (n for statement in inside for n in ast.walk(statement)):
            assert not (isinstance(node, ast.Attribute) and node.attr == "compile"), module.__name__


CELLS = (b" " * 100_000 + b"x", b"1" * 100_000, b"1 " * 50_000, b"1," * 10, b"-" * 100_000)


@pytest.mark.parametrize("cell", CELLS, ids=range(len(CELLS)))
def test_a_file_with_a_hostile_first_cell_is_answered(cell):
    with suppress(datasets.DataProblem):
        assert datasets.inspect(cell + b";b\n1;2\n3;4\n", "a.csv").rows
