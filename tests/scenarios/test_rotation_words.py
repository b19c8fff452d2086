"""What the Rotation page says, held against its figures over a grid of settings."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from trustscope import datasets
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Projected, Rate
from trustscope.scenarios.rotation.scenario import KINDS, STORIES, RotationScenario
from trustscope.scenarios.rotation.verdict import headline
from trustscope.scenarios.rotation.words import common, kept, known, remedy, sample
from trustscope.scenarios.statement import LEAK, MOST_WORDS, SAFE
from trustscope.scenarios.words import share

pytestmark = pytest.mark.usefixtures("few_others")  # models are those of this file alone


def made(name, columns=None, rows=None, noun="records", **options):
    data = datasets.load(name)
    names = data.numeric[:columns]
    return Model(data.frame[list(names)].to_numpy(float)[:rows], names, 12, units=data.units, noun=noun, **options)


def constant_column(**options):
    values = np.random.default_rng(2).gamma(2, size=(60, 4))
    values[:, 2] = 3.0
    return Model(values, ("a", "b", "c", "d"), 12, **options)


def binary(**options):
    return Model((np.random.default_rng(0).random((200, 6)) < 0.5).astype(float), "abcdef", 12, **options)


MODELS = {
    "breast": lambda **o: made("breast", 10, noun="people", **o),  # the means, of which there are ten
    "wine": lambda **o: made("wine", **o),
    "iris": lambda **o: made("iris", **o),
    "gaussian": lambda **o: made("gaussian", rows=1_000, **o),
    "one column": lambda **o: made("census", 1, 300, **o),
    "eight rows": lambda **o: made("iris", 3, 8, **o),
    "a constant column": constant_column,
    "zeros and ones": binary,
}
BUILT = {}
# What is no number, the wrong plural, and an attacker without a role.
MISTAKES = r"\bnan\b|\binf\b|None|(?<![\d\u202f])[01] (records|people|axes|columns|samples)\b|\b(she|her)\b"


def model_of(name, **options):
    key = name, *options.items()
    if key not in BUILT:
        BUILT[key] = MODELS[name](**options)
    return BUILT[key]


def scenario_of(model, **changes):
    return model.fit_to_data(RotationScenario().replace({k.replace("__", "."): v for k, v in changes.items()}))


def last(model, **changes):
    """The last picture; of the remedy the one before other numbers of columns are tried, which takes longest."""
    pictures = (picture for picture in model.passes(scenario_of(model, **changes)) if not picture.waiting)
    if changes.get("view__story") == "remedy":
        next(pictures)
        return next(pictures)
    *_, picture = pictures
    return picture


def number(text: str) -> float:
    """The share that a figure on the page stands for."""
    text = text.replace("\u202f", "")
    rounded = {"< 0.1 %": 0.0005, "> 99 %": 0.9975}
    return rounded.get(text) or float(text.removesuffix("%").strip() or "nan") / 100


def sentences(picture, model):
    """All captions of a picture."""
    records, story = model.records, picture.view.story
    match story:
        case "kept":
            return [kept.clouds(picture), kept.distances(picture), kept.findings(picture, records)[0],
                    kept.values(records, min(6, records.columns))]  # fmt: skip
        case "known":
            return [known.links(picture, records, model.most_known), known.growth(picture, records),
                    known.exposed(picture, records), known.closeness(picture, records)[0],
                    known.sphere(picture, records, picture.exposed), common.attributes(records, picture.settings),
                    common.record(picture.one, records, picture.settings)]  # fmt: skip
        case "sample":
            return [sample.recovered(picture, records, 0), sample.axes(picture, 3), sample.when(picture),
                    sample.sizes(picture), sample.reasons(picture)]  # fmt: skip
        case _:
            return [remedy.recovered(picture, records, 0), remedy.lengths(picture), remedy.sides(picture),
                    remedy.distances(picture)]  # fmt: skip


def check(picture, model):
    """One picture: the headline against the figures behind it, and every sentence against common mistakes."""
    said = headline(picture, model)
    assert len(said.title.split()) <= MOST_WORDS, said.title
    everything = " ".join([said.title, said.note, said.label, *sentences(picture, model)])
    assert not re.search(MISTAKES, everything), everything
    if picture.view.story == "kept":
        assert number(said.after) == pytest.approx(picture.neighbours, abs=0.006)
        return said
    before, after = number(said.before), number(said.after)
    assert before == pytest.approx(picture.without.rate, abs=0.006)
    assert after == pytest.approx(picture.found, abs=0.006)
    assert picture.found >= picture.without.rate  # nobody has to use the release
    assert said.tone == LEAK or picture.found - picture.without.rate <= common.GAIN
    if said.tone == SAFE and picture.settings.kind != "value":
        before, after = _by_value(picture, model)
        assert after - before <= common.GAIN  # nor may values be given away in silence
    if picture.view.story == "sample" and "undoes the rotation" in said.title:
        assert picture.right.all() or picture.beyond_axes
        assert _by_value(picture, model)[1] >= common.NEARLY_ALL
    return said


def _by_value(picture, model):
    match picture.view.story:
        case "known":
            every = [common.by_value(one, picture.without, model.records) for one in picture.attributes.values()]
            return max(every, key=lambda pair: pair[1])
        case "sample":
            return common.by_value(picture.hits.attributes, picture.without, model.records)
        case _:
            return common.by_value(picture.one_matrix.hits.attributes, picture.without, model.records)


@pytest.mark.sweep
@pytest.mark.parametrize("standardised", [True, False])
@pytest.mark.parametrize("name", MODELS)
def test_headlines_captions_and_figures_agree(name, standardised):
    """Every story of every dataset, judged in every way."""
    model = model_of(name, standardised=standardised)
    for story in STORIES:
        for kind in KINDS if story != "kept" else ("value",):
            check(last(model, view__story=story, settings__kind=kind), model)


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("name", ["iris", "eight rows", "zeros and ones", "one column"])
def test_every_number_of_known_records(name, shifted):
    model = model_of(name, shifted=shifted)
    for count in range(model.most_known + 1):
        scenario = scenario_of(model, view__story="known", settings__known=model.usual_order[:count])
        picture = next(one for one in model.passes(scenario) if not one.waiting)
        said = check(picture, model)
        if count == 0:
            assert "nobody" in said.title
        assert "0 known" not in said.title


def test_wine_by_its_values_and_by_its_length():
    """A large column makes raw records come close in length: the headline does not take that for their values."""
    model = model_of("wine", standardised=False)
    picture = last(model, view__story="sample", settings__kind="euclidean")
    said = check(picture, model)
    assert picture.hits.rate > 0.95
    assert common.by_value(picture.hits.attributes, picture.without, model.records)[1] < 0.5
    assert said.title == "Whole records come close, but few of their single values do."
    assert "Value by value" in said.note
    # By default every attribute counts alike, each value by itself.
    usual = last(model_of("wine", standardised=True), view__story="sample")
    assert usual.settings.kind == "value"
    assert usual.settings.standardised
    assert "undoes" not in headline(usual, model).title
    axes = re.search(r"(\d+) of 13 axes", headline(usual, model_of("wine", standardised=True)).note)
    assert int(axes[1]) == np.count_nonzero(~usual.right)


def test_the_scatter_the_bars_and_the_headline_are_one_figure():
    """The share of orange dots of each attribute is its bar, and the mean of the bars is the headline."""
    model = model_of("breast", standardised=True)
    picture = last(model, view__story="sample")
    dots = picture.hits.values.mean(axis=0)
    np.testing.assert_allclose(dots, picture.hits.attributes)
    assert dots.mean() == pytest.approx(picture.hits.rate)
    assert share(float(dots[0])) in sample.recovered(picture, model.records, 0)


def test_gaussian_data_and_the_remedy():
    """Never "does not undo even a rotation" beside what is recovered: each case of the figures has its own sentence."""
    model = model_of("gaussian", standardised=True)
    picture = last(model, view__story="remedy")
    check(picture, model)
    base = picture.without

    def said(one, rotation, others=()):
        def hits(rate):
            return replace(base, rate=rate, attributes=np.full_like(base.attributes, rate))

        part = Projected(hits(one), picture.one_matrix.estimate, picture.one_matrix.before, picture.one_matrix.after)
        other = replace(picture, one_matrix=part, rotation=hits(rotation), others=Rate((one, *others)))
        return headline(other, model)

    low = base.rate
    assert said(low / 2, low / 2).title == "This sample undoes neither the rotation nor the remedy."
    assert said(1.0, low / 2).title == "Here the remedy gives more away than the rotation."
    assert said(1.0, 1.0).title == said(0.9, 1.0).title == "The proposed remedy does not protect."
    assert said(low + 0.05, 1.0).title == "The proposed remedy helps, and still gives values away."
    assert said(low / 2, 1.0).title.startswith("The remedy hides the values, but distances are off by")
    lucky = said(low / 2, 1.0, (1.0,))
    assert lucky.title == "This matrix hides the values; others do not."
    assert lucky.tone == LEAK


def test_another_sample_that_succeeds_is_not_hidden():
    model = model_of("gaussian", standardised=True)
    picture = last(model, view__story="sample")
    low = picture.without.rate
    failed = replace(picture, hits=replace(picture.hits, rate=low / 2, attributes=picture.hits.attributes * 0))
    assert headline(replace(failed, others=Rate((low / 2, low / 3))), model).tone == SAFE
    other = headline(replace(failed, others=Rate((low / 2, 1.0))), model)
    assert other.tone == LEAK
    assert "others do" in other.title
    assert "100 %" in other.note


def test_somebody_who_is_certain_is_named():
    model = model_of("breast", standardised=True)
    picture = last(model, view__story="known")
    nobody = np.zeros_like(picture.uniform)
    one = nobody.copy()
    one[picture.exposed] = 1.0
    attributes = {guess: picture.attributes[guess] * 0 for guess in picture.attributes}
    quiet = replace(picture, uniform=nobody, projection=nobody, others=nobody, attributes=attributes)
    assert headline(quiet, model).tone == SAFE
    exposed = headline(replace(quiet, projection=one), model)
    assert exposed.tone == LEAK
    assert "much of some" in exposed.title
    assert common.ordinal(model.records, picture.exposed) in exposed.note


def test_nothing_is_certain_by_draws():
    model = model_of("breast", standardised=True)
    picture = last(model, view__story="known", settings__kind="entry")
    assert picture.draws == 60
    said = headline(picture, model)
    assert "certain" not in said.title + said.note.split("Value by value")[0]


def test_a_tick_shows_its_tolerance_and_few_rows_are_a_third_mark():
    steady = Rate(tuple(0.5 + 0.01 * (-1) ** i for i in range(60)))
    state, by = common.agreement(0.501, steady, 1_000)
    assert state == "agrees"
    assert by.startswith("± ")
    state, by = common.agreement(0.58, steady, 1_000)
    assert state == "differs"
    assert "allowed ±" in by
    assert common.agreement(0.5, steady, 12) == ("few", "12 records")
    wild = Rate(tuple(i % 2 for i in range(60)))
    assert common.agreement(0.25, wild, 1_000)[0] == "few"


def test_the_zeros_are_named():
    model = Model((np.random.default_rng(0).random((200, 6)) < 0.5).astype(float), "abcdef", 12, standardised=False)
    picture = last(model, view__story="known", settings__kind="euclidean", settings__known=())
    assert not model.records.private[picture.exposed].any()
    assert "all its values are zero" in headline(picture, model).note


def test_terms_are_explained_where_they_stand():
    model = model_of("iris", standardised=True)
    picture = last(model, view__story="sample", view__closer="when")
    assert "is the variance along an axis" in sample.when(picture)
    assert "component, is a direction" in sample.axes(picture, 3)
    exposed = last(model, view__story="known")
    assert "chord is the straight line" in known.sphere(exposed, model.records, exposed.exposed)
    assert "projection takes what is known" in known.exposed(exposed, model.records)
    assert "chain of neighbours" in kept.findings(last(model), model.records)[0]
    assert "A projection mixes" in remedy.recovered(last(model, view__story="remedy"), model.records, 0)


def test_printed_and_corrected_take_sides():
    assert "side with the corrected" in known.printed(3, 0.42, 0.32, (0.42, 0.005), 1.3)
    assert "here the two agree" in known.printed(2, 0.42, 0.42, (0.42, 0.005), 1.3)
    assert "neither fits" in known.printed(3, 0.42, 0.32, (0.6, 0.005), 1.3)


def test_the_table_of_one_record():
    """Distances have the same decimals, whatever one that is too far to be told is; so have a value and its guess."""
    one = SimpleNamespace(
        true=np.array([5.0, 20.0, 3.0]), guess=np.array([5.25, 21.4, 9e9]), hit=np.array([True, False, False])
    )
    records = SimpleNamespace(
        names=("Length", "Width", "Same"), units={"Length": "cm"}, sd=np.array([0.5, 10.0, 1.0]),
        varying=np.array([True, True, False]),
    )  # fmt: skip
    rows = common.record_rows(one, records)
    assert rows[0] == ["Length", "5.00 cm", "5.25 cm", "0.50", ("hit", "bad")]
    assert rows[1] == ["Width", "20.0", "21.4", "0.14", "missed"]
    assert rows[2][3:] == ["> 1\u202f000", "the same for all"]
