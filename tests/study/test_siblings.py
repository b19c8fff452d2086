"""Rotation and Survey have the shape of Study: one state, the figures of the command, the plots of their cards."""

import json

import holoviews as hv
import numpy as np
import pandas as pd
import polars as pl
import pytest

import trustscope as ts
from trustscope.app import cli
from trustscope.scenarios.cards import cards_of

MADE = {
    "rotation": lambda: ts.Rotation("iris", step="known"),
    "survey": lambda: ts.Survey("votes", arrived=60),
}
CHANGES = {
    "rotation": [{}, {"step": "kept", "clusters": 2}, {"step": "sample", "sample": 40, "shifted": True},
                 {"step": "known", "hit": "euclidean", "shifted": False}, {"step": "remedy"}],
    "survey": [{}, {"arrived": 40, "miner": "hidden"}, {"kinds": {"open": (60, None), "careful": (40, 1)}}],
}  # fmt: skip


@pytest.fixture(scope="module", params=MADE)
def study(request):
    return MADE[request.param]()


def test_figures_are_those_of_the_command(study, tmp_path, capsys):
    other = type(study).from_scenario(study.scenario)
    for parts in CHANGES[study.page]:
        other.change(**parts)
        saved = other.scenario.save(tmp_path / "one.json")
        assert cli.main(["run", str(saved)]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert other.figures().to_dict() == printed
        assert other.verdict == printed["verdict"]


def test_plots_are_those_of_the_cards(study):
    slow = {"tradeoff", "map", "sizes", "when"}
    # There are too few irises to show twenty of them.
    empty = {key for key in cards_of(study.page) if key.startswith("twenty_")}
    drawn = [key for key in cards_of(study.page) if key not in slow | empty]
    for key in empty:
        with pytest.raises(ts.TrustscopeError, match="200 records or more"):
            getattr(study.plot, key)()
    for key in drawn:
        assert isinstance(getattr(study.plot, key)(), hv.core.Dimensioned), key
    assert "<svg " in study._repr_html_()
    if study.page == "rotation":
        other = ts.Rotation.from_scenario(study.scenario)
        other.known = study.known[:1]
        assert other.scenario.settings.known == study.known[:1]
    assert repr(study).startswith(type(study).__name__)


def test_what_is_set_stands_in_the_scenario(study):
    other = type(study).from_scenario(study.scenario)
    told = []
    other.param.watch(lambda event: told.append(event.new), "random_state")
    other.random_state = 5
    assert (other.scenario.seed, told) == (5, [5])
    with pytest.raises(AttributeError, match="Did you mean 'random_state'"):
        other.random_stat = 3
    with pytest.raises(ts.TrustscopeError, match="of the page"):
        other.scenario = ts.Scenario.from_dict({"page": "trust"})


def test_a_rotation_of_ones_own_table():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.normal(size=80), "b": rng.normal(size=80), "c": rng.normal(size=80)})
    study = ts.Rotation(frame, columns=["a", "b"], standardised=False)
    turned = study.release()
    assert isinstance(turned, pl.DataFrame)
    # Every distance stays, so the lengths of the records do.
    lengths = np.sort(np.linalg.norm(turned.to_numpy(), axis=1))
    private = np.linalg.norm(study._model.records.private, axis=1)
    np.testing.assert_allclose(lengths, np.sort(private))
    for part, value, sentence in (("step", "all", "no step called"), ("columns", ["z"], "no column of numbers"),
                                  ("known", [99], "counted from 1"), ("within", 5, "cannot be changed")):  # fmt: skip
        with pytest.raises(ts.TrustscopeError, match=sentence):
            setattr(study, part, value)
    with pytest.raises(ts.TrustscopeError, match="Say what must hold"):
        study.solve()


def test_targets_are_solved_and_applied():
    rotation = ts.Rotation("wine", step="known")  # irises give too much away to who knows nobody among them
    solved = rotation.solve(max_known=0.5)
    assert solved.table.loc["known", "found"]
    before = rotation.known
    assert solved.apply().known != before or len(before) == len(rotation.known)
    assert rotation.scenario.settings.requirements[0].limit == 50
    with pytest.raises(ts.TrustscopeError, match="no answer for 'sample'"):
        solved.apply("sample")


def test_a_survey_of_ones_own_table():
    rng = np.random.default_rng(2)
    party = rng.choice(["left", "right"], 120)
    likes = np.where(rng.random(120) < 0.8, party == "left", party == "right")
    frame = pd.DataFrame(
        {"party": party, "likes": np.where(likes, "yes", "no"), "pet": rng.choice(["cat", "dog"], 120)}
    )
    study = ts.Survey(frame, label="party", secret="pet", arrived=50)
    assert (study.label, study.secret) == ("party", "pet")
    assert study.figures().of("arrived").value == 50
    for part, value, sentence in (("kinds", [1], "a share in per cent"), ("kinds", {"a": 3}, "'a' is 3"),
                                  ("label", "x", "no column of categories"), ("miner", "bad", "no miner called"),
                                  ("secret", "party", "no question called")):  # fmt: skip
        with pytest.raises(ts.TrustscopeError, match=sentence):
            setattr(study, part, value)
