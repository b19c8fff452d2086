"""A link, a lesson or a scenario names data: built-in ones, and never a file of the server."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from trustscope import datasets
from trustscope.app.pages import PAGES
from trustscope.datasets import DataProblem
from trustscope.scenarios import models, pages
from trustscope.scenarios.problem import ScenarioProblem

SECRET = "Jane Roe's diagnosis"
WITH_DATA = ("trust", "categories", "rotation", "survey", "release")


@pytest.fixture(params=("absolute", "relative", "bare", "without a suffix"))
def file(request, monkeypatch):
    """A table on the server, by a name under which this process would find it."""
    with TemporaryDirectory() as folder:  # not pytest's, whose names are too long for a scenario
        path = Path(folder, "table" if request.param == "without a suffix" else "table.csv")
        path.write_text("Name,Secret,Number\n" + "".join(f"{SECRET},{SECRET},{n}\n" for n in range(60)))
        monkeypatch.chdir(folder)
        yield {"absolute": str(path), "relative": f"./{path.name}"}.get(request.param, path.name)


def scenario(name, file):
    return pages.kind_of(name)().replace({"data.name": file})


@pytest.mark.parametrize("name", WITH_DATA)
def test_a_page_opens_no_file_of_the_server(name, file):
    page = PAGES[name].kind()(scenario(name, file))
    said = str(page.headline.said)
    assert "There is no dataset called" in said
    assert SECRET not in said
    assert page.picture is None
    assert not page.body.visible
    assert not [key for key in models.shared._kept if file in str(key)]


@pytest.mark.parametrize("name", [name for name in WITH_DATA if name != "release"])
def test_nor_do_figures_of_a_scenario(name, file):
    with pytest.raises((DataProblem, ScenarioProblem), match="There is no dataset called"):
        pages.loading_of(name).fetch(scenario(name, file))


def test_only_who_asks_for_files_gets_them(file):
    with pytest.raises(DataProblem, match="There is no dataset called"):
        datasets.built_in(file)
    assert datasets.built_in("iris").rows == 150
