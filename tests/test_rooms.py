"""The arrows between the rooms: app -> widgets, engine, datasets, and nothing else."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {"app", "widgets", "datasets", "engine"}
MAY_IMPORT = {
    "app": {
        "widgets",
        "engine",
        "datasets",
        "panel",
        "param",
        "bokeh",
        "holoviews",
        "matplotlib",
        "numpy",
        "pandas",
        "threadpoolctl",
    },
    "widgets": {"panel", "param", "bokeh", "holoviews", "numpy", "pandas"},
    "engine": {"numpy", "scipy", "pandas", "sklearn"},
    "datasets": {"numpy", "pandas", "sklearn", "pyarrow", "python_calamine", "charset_normalizer"},
}


def imports(source: str) -> set[str]:
    """Top-level names that a module imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def strangers(room: str, source: str) -> set[str]:
    """What a module of the room imports and must not know."""
    return imports(source) - MAY_IMPORT[room] - {room} - set(sys.stdlib_module_names)


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_arrows(room):
    modules = list((ROOT / room).rglob("*.py"))
    assert modules
    bad = {str(m.relative_to(ROOT)): s for m in modules if (s := strangers(room, m.read_text()))}
    assert not bad


def test_a_wrong_arrow_is_seen():
    assert strangers("engine", "def f():\n    from panel import Row") == {"panel"}
    assert strangers("widgets", "import engine.gaussian") == {"engine"}
    assert strangers("datasets", "import engine, app") == {"engine", "app"}
