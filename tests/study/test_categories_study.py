"""Studies of categories have the shape of those of numbers, and the figures of their own page."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import trustscope as ts
from tests.study.pages import shown_on_page
from trustscope.app import cli
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories.scenario import PRIORS, SCHEMES

ROWS = 200


def people():
    rng = np.random.default_rng(8)
    illness = rng.choice(["flu", "cold", "asthma", "none"], ROWS, p=[0.2, 0.3, 0.1, 0.4])
    frame = pd.DataFrame({"illness": illness, "town": rng.choice(["A", "B"], ROWS), "age": rng.integers(18, 70, ROWS)})
    return frame.set_axis([f"p{place}" for place in rng.permutation(ROWS)])


WAYS = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.from_pandas(frame),
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.fixture(scope="module")
def study():
    return ts.Study(people(), secret="illness", recipients={"Hospital": 40, "Press": 12.5})


@pytest.mark.parametrize("way", WAYS)
def test_the_front_door(way, tmp_path):
    table = WAYS[way](people())
    study = ts.Study(table, secret="illness", random_state=0)  # the kind is found from the secret
    study.recipients = {"Hospital": 40, "Press": 20}
    study.scheme = "nested"
    assert study.verdict
    assert {type(copy) for copy in study.copies().values()} == {type(table)}
    found = study.coalitions()
    assert found.columns.tolist() == ["members", "belief", "hits", "baseline"]
    assert found["hits"].iloc[-1] == found["hits"].iloc[0] >= found["baseline"].iloc[0]
    assert type(study.attack(pooled=["Hospital", "Press"]).estimate) is type(table)
    solved = study.solve(max_hits=0.6)
    assert solved.apply().recipients == solved.trusts
    assert len(study.plot.coalitions() + study.plot.copies()) == 2
    study.scenario.save(tmp_path / "x.json")
    assert ts.Study.from_scenario(tmp_path / "x.json", data=table).scenario == study.scenario
    assert study.link().startswith("http://127.0.0.1:5006/?page=categories")


@pytest.mark.sweep
@pytest.mark.parametrize("seed", [31, 32, 33])
def test_figures_are_those_of_the_command_and_the_page_for_random_scenarios(seed, study, tmp_path, capsys):
    """One study goes through all of them, with what it remembers; the command and the page begin anew each time."""
    rng = np.random.default_rng(seed)
    data = study.save_data(tmp_path / "people.parquet")
    other = ts.Study.from_scenario(study.scenario, data=people())
    for number in range(8):
        who = rng.permutation(["Hospital", "Bank", "Press", "City"])[: rng.integers(1, 4)].tolist()
        secret = str(rng.choice(["illness", "town", "age"]))
        other.change(
            random_state=int(rng.integers(1000)), secret=secret, bins=int(rng.integers(3, 8)),
            scheme=str(rng.choice(SCHEMES)), recipients={name: int(rng.integers(1, 1001)) / 10 for name in who},
            prior=str(rng.choice(list(PRIORS))),
            known=[] if number % 4 else [name for name in ("illness", "town", "age") if name != secret][:1],
        )  # fmt: skip
        other.pooled = who[: rng.integers(0, len(who) + 1)]
        saved = other.scenario.save(tmp_path / "one.json")
        assert cli.main(["run", str(saved), "--data", str(data)]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert other.figures().to_dict() == printed, other.scenario
        assert printed.items() >= shown_on_page(other).items(), other.scenario


def test_copies_keep_index_and_values(study):
    frame = people()
    copies = study.copies()
    for copy in copies.values():
        assert copy.index.equals(frame.index)
        assert set(copy["illness"]) <= set(frame["illness"])
    # At 40 % a value is kept, or drawn again by chance: 0.4 + 0.6 / 4. Five standard errors; one false alarm in 10^6.
    kept = (copies["Hospital"]["illness"] == frame["illness"]).mean()
    assert kept == pytest.approx(0.55, abs=5 * np.sqrt(0.55 * 0.45 / ROWS))
    whole = ts.Study(frame, secret="illness", recipients={"A": 100}).copies()["A"]
    assert (whole["illness"] == frame["illness"]).all()


CODED = pd.DataFrame({
    "bool": np.arange(60) % 3 == 0,
    "coded": pd.Categorical(np.arange(60) % 3 + 1, categories=[3, 1, 2, 9]),
    "few": np.arange(60) % 4 * 10,
    "spelt": ["Y", "N", "N"] * 20,
    "gaps": pd.array([True, False, None] * 20, dtype="boolean"),
})  # fmt: skip


@pytest.mark.parametrize("secret", CODED.columns)
def test_copies_hold_the_values_that_came_in(secret):
    frame = CODED.set_axis([f"p{place}" for place in range(60)])
    study = ts.Study(frame, secret=secret, kind="categories", recipients={"A": 100, "B": 40})
    copies = study.copies()
    pd.testing.assert_series_equal(copies["A"][secret], frame[secret].dropna())
    assert copies["B"][secret].dtype == frame[secret].dtype
    made = study.attack(pooled="A")
    assert (made.estimate[secret] == frame[secret].dropna()).mean() == made.hits == 1


@pytest.mark.parametrize("way", ["polars", "arrow"])
def test_copies_of_other_libraries_hold_the_values_that_came_in(way):
    table = WAYS[way](CODED.drop(columns="coded"))
    for secret in ("bool", "few", "spelt", "gaps"):
        copies = ts.Study(table, secret=secret, kind="categories", recipients={"A": 100, "B": 40}).copies()
        there = table[secret].to_pylist() if way == "arrow" else table[secret].to_list()
        held = copies["A"][secret].to_pylist() if way == "arrow" else copies["A"][secret].to_list()
        assert held == [value for value in there if value is not None]
        kind = (lambda one: one.schema.field(secret).type) if way == "arrow" else (lambda one: one[secret].dtype)  # noqa: B023
        assert kind(copies["B"]) == kind(table)


def test_copies_hold_labels_where_one_is_several_values(tmp_path):
    frame = pd.DataFrame({"age": np.arange(60) + 18, "answer": ["yes", "no", " yes"] * 20})
    binned = ts.Study(frame, secret="age", kind="categories", bins=3, recipients={"A": 100})
    assert binned.copies()["A"]["age"].unique().tolist()[0].startswith("below")
    mixed = ts.Study(frame, secret="answer", recipients={"A": 100})
    assert set(mixed.copies()["A"]["answer"]) == {"yes", "no"}
    CODED.to_csv(tmp_path / "coded.csv", index=False)
    file = ts.Study(tmp_path / "coded.csv", secret="bool", recipients={"A": 100})
    assert set(file.copies()["A"]["bool"]) == {"yes", "no"}


def test_coalitions_and_attacks_are_those_of_the_page(study):
    found, shown = study.coalitions(), study.table("coalitions")
    assert shown["coalition"].tolist() == [" + ".join(members) for members in found["members"]]
    right = next(name for name in shown.columns if name.endswith(study.scheme) and "right" in name)
    np.testing.assert_allclose(found["hits"], shown[right])
    made = study.attack()
    assert made.hits == pytest.approx(study.figures().of("together.right").measured)
    assert (made.estimate["illness"] == people()["illness"]).mean() == pytest.approx(made.hits)


@pytest.mark.parametrize("key", cards_of("categories"))
def test_every_card_is_a_plot(study, key):
    import holoviews as hv

    assert isinstance(getattr(study.plot, key)(), hv.core.Dimensioned)


def test_kinds_are_found_or_said():
    frame = people()
    assert ts.Study(frame[["illness", "town"]]).page == "categories"
    assert ts.Study(frame, secret="age", attackers="perfect").page == "trust"
    binned = ts.Study(frame, secret="age", kind="categories", bins=4)
    assert binned.copies()["Ministry"]["age"].nunique() == 4
    assert ts.Study("patients").page == "categories"
    with pytest.raises(ts.TrustscopeError, match="no column of numbers called 'illness'"):
        ts.Study(frame, secret="illness", kind="numbers")
    with pytest.raises(ts.TrustscopeError, match="no kind of study called 'words'"):
        ts.Study(frame, kind="words")
    with pytest.raises(ts.TrustscopeError, match="no part called 'within'"):
        ts.Study(frame, secret="illness", within=3)


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("recipients", {"A": 0.4}, "write 40 for A"), ("secret", "x", "no column called 'x'"), ("bins", 2.5, "bins"),
        ("prior", "all", "no prior called"), ("known", ["illness"], "The secret 'illness' is"),
        ("scheme", "proportional", "no scheme called"),
    ],
)  # fmt: skip
def test_wrong_values_are_refused(study, part, value, sentence):
    before = study.scenario
    with pytest.raises(ts.TrustscopeError, match=sentence):
        setattr(study, part, value)
    assert study.scenario == before


def test_a_cell_and_a_comparison(study):
    assert study._repr_html_().count("<svg ") == 2
    other = ts.Study.from_scenario(study.scenario, data=people())
    other.scheme = "nested"
    assert ("setting", "noise of the copies") in ts.compare({"A": study, "B": other}).index
    with pytest.raises(ts.TrustscopeError, match="of one kind"):
        ts.compare({"A": study, "B": ts.Study("iris")})
    with pytest.raises(ts.TrustscopeError, match="leave out `known`"):
        other.change(known=["age"]).attack()
