"""The arrows: study -> app -> handouts -> lessons -> scenarios -> engine, datasets; and to plots, widgets, release."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {"app", "widgets", "datasets", "engine", "scenarios", "release", "lessons", "plots", "handouts", "study"}
MAY_IMPORT = {
    "app": {
        "schemes",
        "extras",
        "__version__",
        "errors",
        "widgets",
        "lessons",
        "scenarios",
        "release",
        "plots",
        "handouts",
        "engine",
        "datasets",
        "colours",
        "looks",
        "numbers",
        "panel",
        "param",
        "bokeh",
        "holoviews",
        "matplotlib",
        "numpy",
        "pandas",
        "prometheus_client",
        "psutil",
        "segno",
        "webview",
        "threadpoolctl",
        "tornado",
    },
    "scenarios": {
        "registry",
        "errors",
        "schemes",
        "engine",
        "datasets",
        "colours",
        "looks",
        "numbers",
        "numpy",
        "pandas",
        "scipy",
        "matplotlib",
        "pydantic",
        "pydantic_core",
    },
    "study": {
        "numbers",
        "schemes",
        "extras",
        "app",
        "handouts",
        "scenarios",
        "plots",
        "datasets",
        "errors",
        "IPython",
        "ipywidgets",
        "panel",
        "param",
        "holoviews",
        "numpy",
        "pandas",
    },
    "lessons": {"scenarios", "numbers", "numpy", "pydantic"},
    "release": {
        "extras",
        "errors",
        "engine",
        "datasets",
        "numpy",
        "pandas",
        "scipy",
        "pyarrow",
        "cryptography",
        "keyring",
        "distributed",
    },
    "plots": {
        "extras",
        "colours",
        "looks",
        "numbers",
        "contourpy",
        "param",
        "holoviews",
        "bokeh",
        "matplotlib",
        "PIL",
        "numpy",
        "pandas",
    },
    "handouts": {
        "PIL",
        "schemes",
        "markdown_it",
        "pptx",
        "scenarios",
        "lessons",
        "plots",
        "datasets",
        "colours",
        "looks",
        "numbers",
        "numpy",
        "pandas",
    },
    "widgets": {"colours", "looks", "numbers", "panel", "param", "bokeh", "contourpy", "numpy", "pandas"},
    "engine": {"errors", "schemes", "numpy", "scipy", "pandas", "sklearn", "threadpoolctl", "cryptography"},
    "datasets": {
        "extras",
        "errors",
        "narwhals",
        "numpy",
        "pandas",
        "sklearn",
        "pyarrow",
        "python_calamine",
        "charset_normalizer",
    },
}


@cache
def statements(source: str) -> list[ast.Import | ast.ImportFrom]:
    """Where a module imports something, wherever in it: statements stand in statements, never in expressions."""
    found, left = [], [ast.parse(source)]
    while left:
        node = left.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, part, ())
    return found


def imports(source: str) -> set[str]:
    """What a module imports, wherever in it: rooms of ours and distributions of others."""
    names = set()
    for node in statements(source):
        if isinstance(node, ast.Import):
            names |= {_room(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "trustscope":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(_room(node.module))
    return names


def _room(module: str) -> str:
    """The room that a module of ours stands in, or the distribution of anybody else's."""
    parts = module.split(".")
    return parts[1] if parts[0] == "trustscope" and len(parts) > 1 else parts[0]


def strangers(room: str, source: str) -> set[str]:
    """What a module of the room imports and must not know."""
    return imports(source) - MAY_IMPORT[room] - {room} - set(sys.stdlib_module_names)


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_arrows(room):
    modules = list((ROOT / room).rglob("*.py"))
    assert modules
    bad = {str(m.relative_to(ROOT)): s for m in modules if (s := strangers(room, m.read_text()))}
    assert not bad


def test_every_place_of_an_import_is_looked_at():
    places = """
try:
    import a
except ValueError:
    import b
else:
    import c
finally:
    import d
match 1:
    case 1:
        import e
for _ in ():
    while 1:
        with f() as g:
            import f
    else:
        async def h():
            class G:
                if 1:
                    pass
                else:
                    import g
"""
    assert imports(places) == set("abcdefg")


def test_a_wrong_arrow_is_seen():
    assert strangers("engine", "def f():\n    from panel import Row") == {"panel"}
    assert strangers("widgets", "import trustscope.engine.gaussian") == {"engine"}
    assert strangers("scenarios", "from trustscope.widgets import figure\nimport holoviews") == {"widgets", "holoviews"}
    assert strangers("lessons", "import trustscope.engine\nfrom trustscope.app import page") == {"engine", "app"}
    assert strangers("release", "from trustscope.scenarios import trust") == {"scenarios"}
    assert strangers("datasets", "from trustscope import engine, app") == {"engine", "app"}


# Between files


def modules() -> dict[str, Path]:
    """Every module of ours by its name."""
    found = {}
    for path in (path for room in (*sorted(ROOMS), "trustscope") for path in (ROOT / room).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join((*(() if parts[0] == "trustscope" else ("trustscope",)), *parts)).removesuffix(".__init__")
        found[name] = path
    return found


def imported_files(source: str, known) -> set[str]:
    """The modules of ours that a module imports, wherever in it, also for type checkers alone."""
    names = set()
    for node in statements(source):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in known else node.module for name in inner}
    return names & set(known)


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Modules that import one another, directly or by others: what is left when all that import none are taken away."""
    left = {name: others - {name} for name, others in graph.items()}
    while ends := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in ends}
    return [set(left)] if left else []


def test_no_files_import_one_another():
    known = modules()
    found = circles({name: imported_files(path.read_text(), known) for name, path in known.items()})
    assert not found, f"a circle is among {sorted(found[0])}"


def test_a_circle_is_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c", "d"}]
    assert circles({"a": {"b"}, "b": set()}) == []
    known = {"trustscope.a": None, "trustscope.a.b": None}
    assert imported_files("def f():\n    from trustscope.a import b, c", known) == set(known)
