"""What the Rotation dashboard computes and says, without a browser."""

from dataclasses import replace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.app.rotation import RotationDashboard
from trustscope.app.rotation.kept import scaled
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.certainty import certainty
from trustscope.scenarios.rotation.model import SHIFTED, Model
from trustscope.scenarios.rotation.picture import Remedied
from trustscope.scenarios.rotation.settings import JUDGED, Settings


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
    assert live.rates["improved"] == picture.rates["improved"]
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
    assert "75 rows are released; samples come from 75 others" in dashboard.desk._about.object
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
        (frame.assign(**{frame.columns[1]: 1e200 * np.arange(len(frame))}), "These values are too large."),
        (frame.assign(**{c: 1e-200 * np.arange(len(frame)) for c in dashboard.desk.columns}), "too small."),
    ):
        dashboard.desk.use(replace(dashboard.desk.dataset, frame=odd))
        assert words_ in dashboard.verdict._pane.object
        assert not dashboard._body.visible


def test_one_sample_is_not_stated_as_a_rate(letters):
    """The verdict has the mean over samples that share no record, as the curve has, and what this one gives."""
    first, second = (letters.sampled(Settings(sample=500, block=block)) for block in (0, 1))
    assert first.samples == 4
    assert first.rates["improved"] != second.rates["improved"]
    assert first.spread == second.spread == letters.sample_curve(Settings(), 500)
    assert first.mean == first.spread["improved"][0]
    said = words.sample_verdict(first, letters)
    assert "Over 4 samples that share no record" in said["text"]
    assert said["metrics"][0].value == words.share(first.mean)
    assert said["metrics"][0].measured == f"this sample {words.share(first.rates['improved'])}"
    blocks = [letters.sample(Settings(sample=500, block=block)) for block in range(5)]
    assert np.array_equal(blocks[0], blocks[4])
    assert not np.array_equal(blocks[0], blocks[1])
    assert letters.samples(10_000) == 1


def test_the_ratio_is_that_of_the_table(letters):
    picture = letters.sampled(Settings(sample=2_000), live=True)
    values = picture.attack.sample_eigenvalues
    assert picture.ratio == pytest.approx(np.min(values[:-1] / values[1:]))
    assert picture.attack.about_origin
    assert "measured from the origin" in words.when(picture)


def test_the_mean_is_over_all_records_and_so_is_what_is_drawn(letters):
    picture = letters.inputs(Settings(known=letters.first_known(4)))
    unknown = ~np.isnan(picture.breach)
    assert len(picture.breach) == letters.rows
    assert picture.mean == pytest.approx(picture.breach[unknown].mean())
    assert picture.mean != pytest.approx(np.nanmean(picture.breach[:JUDGED]), rel=0.1)
    assert letters._sizes(picture.attack, "uniform", "euclidean", letters.rows).shape[1] == letters.rows
    assert picture.growth.uniform[4] == pytest.approx(picture.mean)
    assert np.interp(0.15, picture.eps, picture.by_eps["uniform"]) == pytest.approx(picture.mean, rel=0.02)


def test_who_knows_nothing_may_still_guess(letters):
    """The title follows the figures beside it."""
    for kind, eps in (("entry", 0.15), ("cosine", 0.6)):
        picture = letters.inputs(Settings(kind=kind, eps=eps), live=True)
        said = words.inputs_verdict(picture, letters)
        assert said["title"] == "Who knows nothing can still guess."
        assert said["tone"] == "leak"
        assert words.share(picture.mean) in said["text"]


def test_a_record_of_zeros_is_certain_though_none_is_found():
    binary = (np.random.default_rng(0).random((200, 6)) < 0.5).astype(float)
    model = Model(binary, 12, False)
    picture = model.inputs(Settings(known=model.first_known(4)), live=True)
    assert not any(picture.linked.values())
    said = words.inputs_verdict(picture, model)
    assert said["title"] == "She does not find one of the 4 that she knows, but can guess."
    assert "it is all zeros" in said["text"]
    assert said["tone"] == "leak"


def test_nothing_is_certain_by_draws(letters):
    picture = letters.inputs(Settings(known=letters.first_known(4), kind="entry"), live=True)
    said = words.inputs_verdict(picture, letters)
    assert "in all 60 drawn rotations" in said["title"]
    everything = said["title"] + said["text"] + "".join(figure.value for figure in said["metrics"])
    assert "certain" not in everything


def test_growth_begins_with_her_own_records(letters):
    chosen = (71, 5, 33)
    settings = Settings(known=chosen, then=(8, 5, 9))
    assert letters.order(settings)[:5] == (71, 5, 33, 8, 9)
    small = Model(values("iris"), 12, False)
    other = small.inputs(Settings(known=(20, 30)))
    assert other.growth.uniform[2] == pytest.approx(other.mean)
    assert other.growth.uniform[1] != small.inputs(Settings(known=small.first_known(2))).growth.uniform[1]


def test_records_of_length_zero_under_a_shift():
    table = values("letter", 4, 400).copy()
    table[::8] = 0
    model = Model(table, 12, True)
    picture = model.inputs(Settings(known=model.first_known(5)))
    assert picture.attack.freedom == 0
    assert picture.mean == picture.projected == picture.measured[0] == 1


def test_large_numbers_round_more():
    table = np.random.default_rng(0).normal(size=(300, 3))
    table[:, 0] += 1e9
    kept = Model(table, 12, True).kept(Settings())
    assert kept.exact
    assert words.kept_verdict(kept)["metrics"][0].value == "0"


def test_mirrored_data_are_the_reason():
    """Gaussian data look the same mirrored: signs are guesses, and so the page says, of rotation and remedy."""
    table = np.random.default_rng(0).normal(size=(4_000, 4)) * [4, 3, 2, 1]
    model = Model(table, 12, False)
    picture = model.sampled(Settings(sample=1_000))
    assert np.count_nonzero(picture.doubtful) >= 2
    assert "mirrored along" in words.sample_verdict(picture, model)["text"]
    remedied = model.remedied(Settings(dimensions=100))
    assert remedied.rotation < 0.05
    assert words.remedy_verdict(remedied)["title"].startswith("Mirrored, these data look the same")


def test_the_words_of_the_remedy_follow_its_figures():
    one = Remedied(Settings(), {"one": 0.05, "fresh": 0.0}, {"one": 0.9, "fresh": 0.4}, {"one": 0.1, "fresh": 25.0},
                   np.zeros((1, 2)), np.zeros(1, bool), 100, 0.9, 0)  # fmt: skip
    said = words.remedy_verdict(one)
    assert "40 % of the neighbours are kept" in said["text"]
    assert "many times" in said["text"]
    assert said["title"].startswith("So few columns hide more")
    assert (
        "does not remedy" in words.remedy_verdict(replace(one, rotation=0.06, rates={"one": 0.06, "fresh": 0}))["title"]
    )
    same = words.remedy_verdict(replace(one, rotation=0.05))["title"]
    assert "hide more" not in same


def test_every_number_has_its_grammar():
    model = Model(values("iris"), 12, False)
    single = model.inputs(Settings(known=model.first_known(1)))
    assert words.links(single, model).startswith("Her record is <b>linked</b>")
    assert words.growth(single, "eps").startswith("One known record:")
    for known in range(model.most_known + 1):
        picture = model.inputs(Settings(known=model.first_known(known)), live=True)
        said = words.inputs_verdict(picture, model)
        everything = said["title"] + said["text"] + words.links(picture, model) + words.growth(picture, "eps")
        assert "1 known records" not in everything
        assert "0 known records" not in everything
    most = model.inputs(Settings(known=model.first_known(model.most_known)), live=True)
    assert "take one back" in words.links(most, model)
    column = Model(values("census", 1, 500), 12, False)
    picture = column.sampled(Settings(sample=100))
    assert "1 axes" not in words.axes(picture, 1)
    assert "inf" not in words.when(picture) + str(words.sample_verdict(picture, column))


def test_what_she_was_told_outlives_slider_and_secret():
    dashboard = RotationDashboard("iris")
    controls = dashboard.controls
    controls.toggle(40)
    told = controls.known
    assert told[-1] == 40
    for number in (1, len(told)):
        controls.number.value = number
    assert controls.known == told
    controls.seed.value = 13
    assert controls.known == told
    controls.shift.value = ["yes"]
    assert controls.known == told
    for record in (60, 61, 62, 63):
        controls.toggle(record)
    assert len(controls.known) == controls.number.end
    controls.number.value = 0
    assert controls.others.disabled
    assert controls.known == ()


def test_another_sample():
    dashboard = RotationDashboard("iris")
    dashboard.which.value = ["sample"]
    controls = dashboard.controls
    controls.sample.value = 0
    assert not controls.strangers.disabled
    before = controls.settings("sample")
    controls.strangers.clicks += 1
    assert controls.settings("sample").block == before.block + 1
    controls.sample.value = controls.sample.end
    assert controls.strangers.disabled


def test_certainty_pair_by_pair():
    """Against distances one by one; large for lopsided data, small for data that look the same mirrored."""
    rng = np.random.default_rng(5)
    s, w = (np.column_stack([rng.exponential(size=q), rng.normal(size=q)]) for q in (30, 40))
    for axis in range(2):
        flip = np.where(np.arange(2) == axis, -1, 1)
        more = np.array([[np.linalg.norm(flip * a - b) - np.linalg.norm(a - b) for b in w] for a in s])
        error = np.sqrt(np.var(more.mean(axis=1), ddof=1) / 30 + np.var(more.mean(axis=0), ddof=1) / 40)
        assert certainty(s, w)[axis] == pytest.approx(more.mean() / error)
    lopsided, same = certainty(s, w)
    assert lopsided > 4 > abs(same)  # of mirrored data beyond 4 once in 16 000 times


def test_axes_have_a_scale():
    assert scaled(("a", "b"), np.array([[0.0, -1.5], [12.0, 3.0]])) == ("a, 0 to 12", "b, −1.5 to 3")
