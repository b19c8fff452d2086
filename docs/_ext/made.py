"""Pages that are made while the site is built: the gallery, the notebooks, the changelog and the reference."""

from importlib import import_module
from pathlib import Path

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent
MADE = DOCS / "_made"
TUTORIALS = ("study", "trust", "dashboards", "attacks", "engine")
KINDS = {
    "Studies": ("Study", "Rotation", "Survey", "compare", "extension"),
    "Copies": (
        "GaussianRelease",
        "UniformRelease",
        "RotationRelease",
        "Ledger",
        "level_from_trust",
        "trust_from_level",
    ),
    "In a pipeline": ("GaussianNoise", "UniformNoise", "RotationNoise"),
    "Data": ("load", "names", "inspect"),
    "Scenarios and registries": ("Scenario", "attacker", "scheme", "measure"),
    "Errors": ("TrustscopeError",),
}
PAGES = ("TrustDashboard", "CategoriesDashboard", "RotationDashboard", "SurveyDashboard")
# What studies of all kinds fill in for themselves: nobody else calls it.
INNER = "part, plain, put, columns_of, trust_of, fit_to_data, having, card_table, picture_of"
MODULES = ("attacks", "measures", "uniform")


def write() -> None:
    """Write all of them."""
    from gallery import write as write_gallery

    MADE.mkdir(exist_ok=True)
    write_gallery(MADE / "gallery")
    _write(MADE / "changelog.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for name in TUTORIALS:
        _write(MADE / "tutorials" / f"{name}.ipynb", (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    for name, text in reference().items():
        _write(MADE / "api" / f"{name}.rst", text)


def _write(path: Path, text: str) -> None:
    """Write a file if it is another one: what stands is not read again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def reference() -> dict[str, str]:
    """The pages of the reference by their names; all public names stand in one of them."""
    import trustscope as ts

    named = {name for names in KINDS.values() for name in names} | set(PAGES) | set(MODULES)
    if named != set(ts.__all__):
        raise ValueError(f"docs/_ext/made.py leaves out or invents {sorted(named ^ set(ts.__all__))}.")
    pages = {}
    for number, (title, names) in enumerate(KINDS.items()):
        pages[f"part{number}"] = "\n".join([title, "=" * len(title), "", *map(_entry, names)])
    pages["pages"] = (
        "Dashboards\n==========\n\nEvery page of the app is an object that a cell or a server of Panel's shows. "
        "``TrustDashboard(scenario=...)`` opens a scenario, and ``.scenario`` is the present one.\n\n"
        + "\n".join(f".. py:class:: trustscope.{name}(scenario=None, dataset=None)\n" for name in PAGES)
    )
    pages["modules"] = "\n".join(["Modules of the engine", "=====================", "", *map(_module, _engine())])
    kit = ("check_attacker", "check_scheme", "check_measure")
    pages["testing"] = "\n".join(
        ["Testing", "=======", "", *(f".. autofunction:: trustscope.testing.{one}" for one in kit)]
    )
    listed = "\n   ".join(pages)
    pages["index"] = (
        "Reference\n=========\n\nAll public names. ``import trustscope as ts`` has those of the first pages; trust is "
        f"in per cent in every one of them.\n\n.. toctree::\n   :maxdepth: 2\n\n   {listed}\n"
    )
    return pages


def _entry(name: str) -> str:
    import trustscope as ts

    found = getattr(ts, name)
    if isinstance(found, type):
        inherited = "\n   :inherited-members: Parameterized, ValueError, BaseEstimator, TransformerMixin, BaseModel"
        members = f"\n   :members:\n   :exclude-members: {INNER}{inherited if name in ('Study', 'Ledger') else ''}"
        members = "" if name == "TrustscopeError" else members
        return f".. autoclass:: trustscope.{name}{members}\n"
    return f".. autofunction:: trustscope.{name}\n"


def _engine() -> list[str]:
    return [
        "trustscope.engine.attacks.llse",
        "trustscope.engine.attacks.combining",
        "trustscope.engine.attacks.posterior",
        "trustscope.engine.attacks.reconstruction",
        "trustscope.engine.attacks.known_input",
        "trustscope.engine.attacks.known_sample",
        "trustscope.engine.measures",
        "trustscope.engine.uniform",
    ]


def _module(name: str) -> str:
    # What a package hands on is told here; what is told elsewhere, or only used here, is not.
    package = hasattr(import_module(name), "__all__")
    more = "   :imported-members:\n   :exclude-members: UniformRelease\n" if package else ""
    return f"{name}\n{'-' * len(name)}\n\n.. automodule:: {name}\n   :members:\n{more}"
