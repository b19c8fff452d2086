"""Explorables without a browser: what can be moved, how it is packed, and what must not be in the file."""

import base64
import gzip
import hashlib
import json
import re

import numpy as np
import pytest

from trustscope.app import cli
from trustscope.app.explorable import explorable
from trustscope.app.explorable.recorder import PageRecorder
from trustscope.handouts.explorable.lever import TICKS, places, scenario_at, thinned
from trustscope.handouts.explorable.levers import chosen, offered
from trustscope.handouts.explorable.packing import TOLERANCE, columns, packed
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.whole import Stopped, last

IRIS = TrustScenario().replace({"data.name": "iris", "settings.recipients": recipients(60, 40, 20)})


@pytest.fixture(scope="module")
def iris():
    return PageRecorder(IRIS)


def data_of(text):
    """What a file holds."""
    found = re.search(r'id="data">([^<]*)<', text)[1]
    return json.loads(gzip.decompress(base64.b64decode(found)))


# What can be moved


def test_every_position_changes_what_it_says(iris):
    every = offered(iris.scenario, iris.model)
    assert set(every) == {
        "pool", "many", "scheme", "trust:Ministry", "trust:University", "trust:Insurer", "within", "shape", "attribute"
    }  # fmt: skip
    for lever in every.values():
        assert scenario_at(iris.scenario, [lever], [lever.start]) == iris.scenario, lever.key
        made = [scenario_at(iris.scenario, [lever], [at]) for at in range(len(lever.positions))]
        assert len(set(made)) == len(made), lever.key
    everybody = scenario_at(iris.scenario, [every["pool"]], [0b101])
    assert [r.name for r in everybody.settings.coalition] == ["Ministry", "Insurer"]
    trust = every["trust:University"]
    at = next(place for place, one in enumerate(trust.positions) if one.value == 73)
    assert scenario_at(iris.scenario, [trust], [at]).settings.recipients[1].trust == 73


def test_of_many_recipients_it_is_moved_how_many_pool():
    many = CategoriesScenario().replace({"settings.recipients": recipients(10, 50, 30, 20, 40, 60, 5)})
    pool = offered(many, _Rows(1_000))["pool"]
    assert [one.value for one in pool.positions] == list(range(1, 8))
    three = scenario_at(many, [pool], [2])
    assert sorted(r.trust for r in three.settings.coalition) == [40, 50, 60]
    assert [one.text for one in pool.positions][:2] == ["1 of 7", "2 of 7"]  # names would reach out of the card


class _Rows:
    def __init__(self, rows):
        self.rows = rows


def test_fine_levers_give_way_until_all_positions_are_few_enough(iris):
    every = offered(iris.scenario, iris.model)
    fine = [every["trust:Ministry"], every["scheme"], every["trust:Insurer"]]
    for most in (30_000, 3_000, 200):
        few = thinned(fine, most)
        assert len(list(places(few))) <= most
        assert scenario_at(iris.scenario, few, [one.start for one in few]) == iris.scenario
    assert len(few[1].positions) == 3
    with pytest.raises(ScenarioProblem, match="3 times"):
        thinned(fine, 20)


@pytest.mark.parametrize(
    ("controls", "words"),
    [
        (["nonsense"], "no control called 'nonsense'; there are pool"),
        (["scheme", "scheme"], "named twice"),
        (["scheme", "pool", "within", "shape"], "at most 3"),
        (["scheme=nested,best"], "cannot be 'best'; there is nested"),
        (["pool=1"], "no positions are named"),
    ],
)
def test_what_cannot_be_moved_gets_a_sentence(iris, controls, words):
    with pytest.raises(ScenarioProblem, match=words):
        chosen(iris.scenario, iris.model, controls)


def test_named_positions_are_those_and_where_it_stands(iris):
    trust, scheme = chosen(iris.scenario, iris.model, ["trust:Ministry=10,99", "scheme=nested"])
    assert [one.value for one in trust.positions] == [10, 60, 99]
    assert [one.value for one in scheme.positions] == ["nested", "independent"]


# Packing


def unpacked(value):
    """What stage.js makes of it."""
    if isinstance(value, dict) and "$line" in value:
        first, end, many = value["$line"]
        return list(np.linspace(first, end, many))
    return list(np.cumsum(value["by"]) * value["$curve"]) if isinstance(value, dict) and "$curve" in value else value


@pytest.mark.parametrize("top", [1e-9, 0.3, 7e8])
def test_curves_are_packed_to_within_the_tolerance(top):
    rng = np.random.default_rng(5)
    curve = (top * rng.standard_normal(161)).tolist()
    assert np.abs(np.subtract(unpacked(packed(curve)), curve)).max() <= 1.001 * TOLERANCE * np.abs(curve).max()
    even = np.linspace(-3 * top, 8 * top, 161).tolist()
    assert "$line" in packed(even)
    assert np.allclose(unpacked(packed(even)), even, rtol=1e-12)
    assert unpacked(packed([0.0] * 40)) == [0] * 40
    assert packed([1.0, 2.5]) == [1.0, 2.5]


def test_columns_say_every_snapshot_again():
    snapshots = [
        {"a": {"text": "x", "scene": {"n": 1, "same": [1]}}},
        {"a": {"text": "y", "scene": {"n": 1, "same": [1]}}, "b": {"text": ""}},
        {"b": {"text": ""}},
    ]
    found = [{} for _ in snapshots]
    for column in columns(snapshots):
        part, name, *inner = column["path"]
        for at, snapshot in enumerate(found):
            place = column["places"][at] if column["places"] else 0
            if place < 0:
                continue
            value = column["values"][place]
            if name == "$seen":
                snapshot.setdefault(part, {})
            elif inner:
                snapshot.setdefault(part, {}).setdefault(name, {})[inner[0]] = value
            else:
                snapshot.setdefault(part, {})[name] = value
    assert found == snapshots


# At rest


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"settings.scheme": "nested", "view.closer": "coalitions"},
        {"settings.attackers": ("perfect", "strongest")},
        {"settings.attackers": ("raw",)},
        {"view.closer": "closeness"},
    ],
)
def test_a_picture_at_rest_is_the_last_one_of_all_rows(iris, changes):
    """The headline, the pooling bars and the coalitions, to the last digit."""
    from trustscope.scenarios.trust.verdict import headline
    from trustscope.scenarios.trust.words import subject_of

    model = iris.model
    scenario = iris.scenario.replace(changes if "view.closer" in changes else {**changes, "view.closer": ""})
    quick, whole = model.at_rest(scenario), last(model.stream(scenario))
    subject = subject_of(model.population, "")
    assert headline(quick, subject) == headline(whole, subject)
    assert quick.joining == whole.joining
    assert (quick.coalitions is None) == (whole.coalitions is None)
    if whole.coalitions is not None:
        assert all((quick.coalitions[name] == every).all() for name, every in whole.coalitions.items())


# The file


def test_the_file_is_one_and_asks_nobody_for_anything(iris):
    text = explorable(IRIS, controls=["scheme"], title="<b>Try</b>")
    assert text == explorable(IRIS, controls=["scheme"], title="<b>Try</b>")  # byte for byte
    assert "<b>Try</b>" not in text
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", text)
    assert "Made with Trustscope" in text
    data = data_of(text)
    assert data["scenario"] == iris.scenario.to_dict()
    assert [part["kind"] for part in data["parts"] if part["role"] == "body"] == [
        "Headline", "BeliefPicture", "Pooling"
    ]  # fmt: skip


def test_other_cards_can_be_shown():
    data = data_of(explorable(IRIS, controls=["scheme"], cards=["headline", "coalitions", "everyone"]))
    kinds = {(part["card"], part["kind"]) for part in data["parts"] if part["role"] == "body"}
    assert kinds == {("headline", "Headline"), ("coalitions", "Pooling"), ("everyone", "html")}
    drawing = next(part["name"] for part in data["parts"] if part["card"] == "everyone" and part["role"] == "body")
    drawn = next(column for column in data["columns"] if column["path"] == [drawing, "html"])
    assert len(drawn["values"]) == 3  # one for each scheme
    assert all(value.startswith("<?xml") or "<svg" in value for value in drawn["values"])
    with pytest.raises(ScenarioProblem, match="no card called 'nonsense'"):
        explorable(IRIS, cards=["nonsense"])


def test_of_own_data_no_record_is_shown(tmp_path, capsys):
    """A column of values that occur nowhere else: none of them is in the file."""
    values = [f"{1234.5 + 7.31 * row:.2f}" for row in range(90)]
    table = "Height,Weight\n" + "".join(f"{value},{50 + row * 7 % 45}\n" for row, value in enumerate(values))
    path = tmp_path / "people.csv"
    path.write_text(table)
    file = OwnFile(name="people.csv", size=len(table), digest=hashlib.sha256(table.encode()).hexdigest())
    scenario = IRIS.replace({"data.name": "own", "data.file": file}).save(tmp_path / "own.json")
    out = tmp_path / "own.html"
    asked = ["explorable", str(scenario), "--data", str(path), "-o", str(out), "--control", "scheme"]
    assert cli.main(asked) == 0
    data = data_of(out.read_text())
    assert {part["card"] for part in data["parts"]} == {"headline", "pooling"}
    text = json.dumps(data)
    assert not [value for value in values if value in text or value.rstrip("0") in text]
    assert cli.main([*asked, "--card", "person"]) == 2
    assert "single records" in capsys.readouterr().err


def test_another_page_and_what_is_given_up():
    with pytest.raises(ScenarioProblem, match="trust or categories, not of rotation"):
        explorable(RotationScenario())
    asked = []

    def enough():
        asked.append(1)
        return len(asked) > 20

    with pytest.raises(Stopped):
        explorable(IRIS, controls=["pool", "scheme"], cancel=enough)


def test_a_study_writes_one(tmp_path):
    import trustscope as ts

    study = ts.Study("iris", recipients={"A": 50, "B": 30})
    made = study.explorable(tmp_path / "iris.html", controls=["pool"], address="https://example.org/ts/")
    data = data_of(made.read_text())
    assert data["levers"][0]["kind"] == TICKS
    assert len(data["levers"][0]["positions"]) == 4
    assert '<a class="button" href="https://example.org/ts/?page=trust' in made.read_text()


def test_a_page_and_a_study_share_a_model(iris):
    """Whoever asks first, page or notebook: the model is kept in one form for both."""
    import trustscope as ts
    from trustscope.scenarios import pages

    page = PageRecorder(IRIS.replace({"seed": 71}))
    found = pages.work_of(page.scenario).make_model(page.scenario)
    assert found.model is page.model
    assert ts.Study.from_scenario(page.scenario).verdict
