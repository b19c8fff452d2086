"""What the Rotation dashboard computes and says, without a browser."""

from dataclasses import replace

import numpy as np
import pytest

import datasets
from app.rotation import RotationDashboard, words
from app.rotation.model import SHIFTED, Model
from app.rotation.settings import JUDGED, Settings


def values(name, columns=None, rows=None):
    data = datasets.load(name)
    return data.frame[list(data.numeric[:columns])].to_numpy(float)[:rows]


@pytest.fixture(scope="module")
def letters():
    return Model(values("letter"), 12, False)


def test_private_and_pool_share_no_row_and_the_release_is_theirs(letters):
    assert letters.rows == 10_000
    assert len(letters.pool) == 10_000
    np.testing.assert_allclose(np.linalg.norm(letters.turned, axis=1), letters.norms)
    np.testing.assert_allclose(letters.release.released[letters.row_of], letters.turned)
    both = np.random.default_rng(2009).permutation(20_000)
    assert not set(both[:10_000]) & set(both[10_000:])


def test_everything_is_kept(letters):
    kept = letters.kept(Settings())
    assert kept.moved == {"k-means": 0, "single link": 0}
    assert kept.neighbours == 1
    assert kept.distance_error < 1e-12
    assert words.kept_verdict(kept)["tone"] == "safe"
    assert letters.kept(Settings(), live=True).clusterings is None


def test_four_known_records(letters):
    """All linked, one other certain, and the mean as drawn, within four standard errors."""
    picture = letters.inputs(Settings(known=letters.first_known(4)))
    assert all(picture.linked.values())
    assert picture.attack.freedom == 12
    assert picture.breach[picture.top] == pytest.approx(1)
    mean, error = picture.measured
    assert words.agrees(picture.mean, mean, error)
    assert not words.agrees(picture.mean + 0.05, mean, error)
    assert np.isnan(picture.breach[list(picture.settings.known)]).all()
    assert picture.growth.known == list(range(letters.most_known + 1))
    assert np.all(np.diff(picture.growth.projection) >= -0.02)
    assert picture.growth.uniform[-1] == 1
    text = words.inputs_verdict(picture, letters)
    assert text["title"] == "4 known records are enough to be certain of another one."
    assert text["tone"] == "leak"


def test_the_curve_by_closeness_passes_through_the_figure(letters):
    picture = letters.inputs(Settings(known=letters.first_known(8), eps=0.2))
    for name, mean in (("uniform", picture.mean), ("projection", None)):
        at = np.interp(0.2, picture.eps, picture.by_eps[name])
        if mean is not None:
            assert at == pytest.approx(mean, abs=0.01)
    assert np.all(np.diff(picture.by_eps["projection"]) >= 0)


@pytest.mark.parametrize("kind", ["entry", "cosine"])
def test_other_breaches(letters, kind):
    settings = Settings(known=letters.first_known(8), kind=kind, eps=0.02)
    picture = letters.inputs(settings)
    assert picture.closed == (kind == "cosine")
    assert len(picture.breach) == (letters.rows if picture.closed else JUDGED)
    if kind == "entry":
        whole = letters.inputs(replace(settings, kind="euclidean"))
        assert picture.mean >= whole.mean


def test_nothing_known_and_everything(letters):
    nothing = letters.inputs(Settings(known=()))
    assert nothing.mean < 1e-6
    assert words.inputs_verdict(nothing, letters)["title"] == "Who knows nothing recovers nothing."
    everything = letters.inputs(Settings(known=letters.first_known(17)))
    assert everything.attack.freedom == 0
    assert "every other record is recovered" in words.inputs_verdict(everything, letters)["title"]


def test_a_shift_hides_lengths_but_not_for_long():
    model = Model(values("letter"), 12, True)
    assert model.rows == SHIFTED
    few = model.inputs(Settings(known=model.first_known(2)), live=True)
    assert not few.attack.informed
    assert few.mean == 0
    assert "two points can always be exchanged" in words.inputs_verdict(few, model)["text"]
    more = model.inputs(Settings(known=model.first_known(8)), live=True)
    assert all(more.linked.values())
    assert more.attack.freedom == 9
    np.testing.assert_allclose(more.norms, model.norms)


def test_a_sample_undoes_it(letters):
    rates = [letters.sampled(Settings(sample=q)).rates["improved"] for q in (20, 9_000)]
    assert rates[0] < 0.5 < 0.95 < rates[1]
    picture = letters.sampled(Settings(sample=9_000))
    assert picture.right.all()
    assert picture.rates["paper"] <= picture.rates["improved"]
    assert "undoes the rotation" in words.sample_verdict(picture, letters)["title"]
    live = letters.sampled(Settings(sample=9_000), live=True)
    assert set(live.rates) == {"improved"}
    curve = letters.sample_curve(Settings(), 500)
    assert 0 <= curve["paper"][0] <= 1
    assert curve["improved"][1] > 0


def test_the_remedy_is_none():
    model = Model(values("letter", 6), 12, False)
    few, many = (model.remedy_curve(Settings(), l) for l in (6, 3_000))
    assert many["one"][0] > 0.95 > few["one"][0]
    assert max(few["fresh"][0], many["fresh"][0]) < 0.05
    picture = model.remedied(Settings(dimensions=3_000))
    assert picture.neighbours["one"] > 0.9
    assert picture.neighbours["fresh"] < 0.1
    assert picture.spread["fresh"] > 10 * picture.spread["one"]
    assert picture.rotation > 0.95
    assert words.remedy_verdict(picture)["title"] == "The proposed remedy does not remedy."


@pytest.mark.parametrize(
    ("name", "columns", "rows"), [("census", 2, None), ("census", 1, 500), ("iris", 4, None), ("iris", 3, 8)]
)
@pytest.mark.parametrize("shifted", [False, True])
def test_small_and_odd_data_work(name, columns, rows, shifted):
    model = Model(values(name, columns, rows), 3, shifted)
    for known in range(model.most_known + 1):
        picture = model.inputs(Settings(known=model.first_known(known)), live=True)
        assert words.inputs_verdict(picture, model)["title"]
        assert words.exposed(picture)
    assert model.kept(Settings(clusters=2)).moved == {"k-means": 0, "single link": 0}
    sample = model.sampled(Settings(sample=len(model.pool)))
    assert words.sample_verdict(sample, model)["title"]
    assert model.remedied(Settings(dimensions=50)).rates


def test_the_dashboard_turns_to_every_story_and_takes_a_click():
    dashboard = RotationDashboard("iris")
    assert dashboard.info.startswith("Iris")
    for story in ("kept", "sample", "remedy", "inputs"):
        dashboard.which.value = [story]
        assert "did not work" not in dashboard.verdict._pane.object
    before = dashboard.controls.settings("inputs").known
    dashboard.view("inputs").clicked = 40
    assert dashboard.controls.settings("inputs").known == (*before, 40)
    assert dashboard.controls.number.value == len(before) + 1
    dashboard.view("inputs").clicked = -1
    dashboard.view("inputs").clicked = 40
    assert dashboard.controls.settings("inputs").known == before
    dashboard.controls.others.clicks += 1
    assert dashboard.controls.settings("inputs").known != before
    assert len(dashboard.controls.settings("inputs").known) == len(before)


def test_the_apps_first_dataset_stands_for_the_letters():
    assert RotationDashboard(datasets.names()[0]).desk.dataset.name == "letter"
    assert RotationDashboard("votes").desk.dataset.name == "letter"


def test_data_that_cannot_be_turned_get_a_sentence():
    dashboard = RotationDashboard("iris")
    frame = dashboard.desk.dataset.frame
    for odd, words_ in (
        (frame.head(5), "There is nothing here to turn."),
        (frame.iloc[[0] * 20].reset_index(drop=True), "All records are the same."),
    ):
        dashboard.desk.use(replace(dashboard.desk.dataset, frame=odd))
        assert words_ in dashboard.verdict._pane.object
        assert not dashboard._body.visible
