"""The arrows: app -> lessons -> scenarios -> engine, datasets; app -> release -> the same; app -> widgets."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {"app", "widgets", "datasets", "engine", "scenarios", "release", "lessons"}
MAY_IMPORT = {
    "app": {
        "widgets",
        "lessons",
        "scenarios",
        "release",
        "engine",
        "datasets",
        "colours",
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
    "scenarios": {"engine", "datasets", "colours", "numpy", "pandas", "scipy", "matplotlib", "pydantic"},
    "lessons": {"scenarios", "numpy", "pydantic"},
    "release": {
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
    "widgets": {"colours", "panel", "param", "bokeh", "holoviews", "numpy", "pandas"},
    "engine": {"numpy", "scipy", "pandas", "sklearn", "cryptography"},
    "datasets": {"numpy", "pandas", "sklearn", "pyarrow", "python_calamine", "charset_normalizer"},
}


def imports(source: str) -> set[str]:
    """What a module imports, wherever in it: rooms of ours and distributions of others."""
    names = set()
    for node in ast.walk(ast.parse(source)):
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


def test_a_wrong_arrow_is_seen():
    assert strangers("engine", "def f():\n    from panel import Row") == {"panel"}
    assert strangers("widgets", "import trustscope.engine.gaussian") == {"engine"}
    assert strangers("scenarios", "from trustscope.widgets import figure\nimport holoviews") == {"widgets", "holoviews"}
    assert strangers("lessons", "import trustscope.engine\nfrom trustscope.app import page") == {"engine", "app"}
    assert strangers("release", "from trustscope.scenarios import trust") == {"scenarios"}
    assert strangers("datasets", "from trustscope import engine, app") == {"engine", "app"}
