"""Films: what is told scene by scene is what the page says, frames move between scenes, and the files are small."""

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from trustscope.app import cli
from trustscope.handouts import film as films
from trustscope.handouts.film import film, story
from trustscope.plots import moving
from trustscope.scenarios import pages
from trustscope.scenarios.categories.scenario import CategoriesScenario
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.scenario import OwnFile
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.scenarios.whole import Stopped

IRIS = TrustScenario().replace({"data.name": "iris", "settings.recipients": recipients(60, 40, 20)})
LIMIT = 2_000_000  # bytes


@pytest.fixture
def few_frames(monkeypatch):
    monkeypatch.setattr(moving, "FRAMES", 8)
    monkeypatch.setattr(moving, "FEWEST", 2)


@pytest.mark.parametrize("scenario", [IRIS, CategoriesScenario().replace({"settings.scheme": "nested"})])
def test_every_scene_has_the_figures_of_the_page(scenario):
    stage, scenes = story(scenario)
    many = len(stage.names)
    assert len(scenes) == many + 2  # nobody, one after the other, and the other scheme
    model = pages.work_of(scenario).make_model(scenario).model
    scenario = model.fit_to_data(scenario)
    for joined, scene in enumerate(scenes[1:], start=1):
        scheme = scenario.settings.scheme if joined <= many else scenario.settings.rival
        size = min(joined, many)
        trusted = sorted(scenario.settings.recipients, key=lambda r: -r.trust)[:size]
        who = tuple(r.replace({"member": r in trusted}) for r in scenario.settings.recipients)
        there = scenario.replace({"settings.recipients": who, "settings.scheme": scheme})
        seen = model.at_rest(there)
        rates = seen.joining.rates if scenario.page == "trust" else {
            key: [one.right for one in every] for key, every in seen.joining.figures.items()
        }  # fmt: skip
        assert scene.bars[:size] == pytest.approx(rates[scheme], abs=1e-12)
        assert np.isnan(scene.bars[size:]).all()
        belief = model.person(there).together
        if scenario.page == "trust":
            assert scene.belief.interval == belief.interval
        else:
            assert scene.belief[stage.truth] == belief[model.person(there).truth]
        assert f"{100 * scene.bars[size - 1]:.0f} %" in scene.caption


def test_a_belief_narrows_without_two_humps():
    """Half way between two normal beliefs is the normal one half way."""
    x = np.linspace(-12, 12, 2001)

    def normal(mean, sd):
        return moving.Density(x, np.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi)), (0.0, 0.0))

    half = moving._mixed(normal(-4, 2), normal(4, 1), 0.5)
    there = np.exp(-0.5 * (half.x / 1.5) ** 2) / (1.5 * np.sqrt(2 * np.pi))
    assert half.heights == pytest.approx(there, abs=2e-3)


def test_a_film_moves_and_is_small(few_frames):
    made = film(IRIS)
    picture = Image.open(io.BytesIO(made))
    assert (picture.format, picture.size, picture.n_frames) == ("PNG", (800, 450), 1 + 4 * 2)
    assert picture.convert("RGB").getpixel((2, 2)) == (255, 255, 255)
    kept = []
    for place in (0, 1, picture.n_frames - 1):
        picture.seek(place)
        kept.append(np.asarray(picture.convert("RGB"), dtype=int))
    assert abs(kept[1] - kept[0]).max() > 100
    assert abs(kept[2] - kept[1]).max() > 100
    most = 1 + 13 * 7  # frames of twelve recipients, where nobody makes them few
    assert len(made) / picture.n_frames * most < LIMIT


def test_the_command_and_what_cannot_be_filmed(tmp_path, capsys, few_frames, monkeypatch):
    file = str(IRIS.save(tmp_path / "iris.json"))
    assert cli.main(["film", file, "-o", str(tmp_path / "x.gif"), "--title", "Three of them"]) == 0
    with Image.open(tmp_path / "x.gif") as made:
        assert made.is_animated
    assert cli.main(["film", file, "-o", str(tmp_path / "x.mp4")]) == 2
    assert ".apng, .gif or .webm, not with .mp4" in capsys.readouterr().err
    monkeypatch.setattr(films.shutil, "which", lambda name: None)
    assert cli.main(["film", file, "-o", str(tmp_path / "x.webm")]) == 2
    assert "ffmpeg, which is not installed" in capsys.readouterr().err
    with pytest.raises(ScenarioProblem, match="trust or categories, not of rotation"):
        film(RotationScenario())
    with pytest.raises(ScenarioProblem, match="a single one"):
        film(IRIS.replace({"settings.recipients": recipients(50)}))
    with pytest.raises(Stopped):
        film(IRIS, cancel=lambda: True)


def test_of_own_data_no_person_is_shown():
    import trustscope.datasets as datasets

    table = "Height,Weight\n" + "".join(f"{150 + row * 13 % 47},{50 + row * 7 % 45}\n" for row in range(90))
    file = OwnFile(name="people.csv", size=len(table), digest=hashlib.sha256(table.encode()).hexdigest())
    own = datasets.inspect(table.encode(), filename="people.csv").dataset(missing="keep")
    stage, scenes = story(
        IRIS.replace({"data.name": "own", "data.file": file, "settings.attackers": ("perfect",)}), own=own
    )
    assert stage.person == ""
    assert [scene.belief for scene in scenes] == [None] * 5
    assert scenes[-1].bars.shape == (3,)


def test_words_below_the_axes_and_numbers_beside_bars_stay_in_the_picture():
    """Also where a long name leaves a narrow axis; a number stands behind the frame of what the bar was before."""
    stage = moving.Stage("t", "s", ("University hospital", "+ Insurer"), "as they pool", 0.5, 1.0, "One person",
                         "Mean radius of cells; dashed: University hospital alone", 0.4)  # fmt: skip
    x = np.linspace(0, 1, 9)
    belief = moving.Density(x, np.ones(9), (0.1, 0.9))
    scene = moving.Scene("c", np.array([0.6, 0.6]), "#000000", np.array([0.6, 0.7]), belief, belief)
    surface = moving._Surface(stage, (0.0, 1.0, 1.0))
    bars, person = surface.parts
    for part in (bars, person):
        box = part.axes.xaxis.label.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= moving.SIZE[0]
    surface.begin(scene)
    surface.draw(scene)
    assert [one.get_position()[0] for one in bars.numbers] == [0.6, 0.7]


@pytest.mark.parametrize("values", [(), ("red", "blue")])
def test_nothing_of_a_scene_before_stays_in_the_picture(values):
    """A scene is drawn alike on a surface of its own and after scenes with more in them."""
    stage = moving.Stage("t", "s", ("One", "+ Two"), "as they pool", 0.5, 1.0, "One person", "axis", 1, values)
    x = np.linspace(0, 1, 9)
    low, high = (moving.Density(x, h * np.ones(9), (0.1, 0.9)) for h in (0.5, 0.8)) if not values else (
        np.array([0.7, 0.3]), np.array([0.1, 0.9])
    )  # fmt: skip
    none, bars = np.full(2, np.nan), np.array([0.4, 0.8])
    scenes = [
        moving.Scene("The most of all", bars, "#aa0000", bars[::-1], high, low),
        moving.Scene("One has joined", np.array([0.6, np.nan]), "#0000aa", None, low),
        moving.Scene("Nobody", none, "#0000aa"),
    ]
    shared = moving._Surface(stage, (0.0, 1.0, 1.0))
    for scene in scenes:
        own = moving._Surface(stage, (0.0, 1.0, 1.0))
        pictures = []
        for surface in (own, shared):
            surface.begin(scene)
            pictures.append(np.asarray(surface.draw(scene)))
        assert np.array_equal(*pictures)
