"""Guided perturbation: encoding, the miner, what is sent, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from survey_data import ANSWERS, CLASSES, ENCODING, TUPLES, slow_guidance, slow_probabilities

from trustscope.engine.survey import (
    MIX,
    Encoding,
    GuidanceRefused,
    Kind,
    Miner,
    Mix,
    Survey,
    check_guidance,
    guidance_of,
    hand_picked,
    moderated,
    probabilities,
    respond,
    weight_bound,
)
from trustscope.engine.utility import NaiveBayes

SMALL = pd.DataFrame(
    {
        "colour": ["red", "green", "blue", "red"],
        "age": [20.0, 40.0, 60.0, 80.0],
        "always": ["yes"] * 4,
        "flag": [True, False, True, True],
    }
)


NUMBERS = Encoding.fit(pd.DataFrame({"x": np.arange(8.0)}))


def votes_miner(**options):
    miner = Miner(ENCODING, **options)
    miner.receive(TUPLES, CLASSES)
    return miner


# --- encoding


def test_encoding_and_back():
    encoding = Encoding.fit(SMALL)
    assert encoding.questions == ("colour", "age", "always", "flag")
    assert encoding.sizes.tolist() == [3, 4, 1, 2]
    assert encoding.dimension == 10
    tuples = encoding.encode(SMALL)
    # Eq. 3: one bit a question.
    assert (tuples.sum(axis=1) == 4).all()
    assert tuples[0].tolist() == [0, 0, 1, 1, 0, 0, 0, 1, 0, 1]
    decoded = encoding.decode(tuples)
    assert decoded["colour"].tolist() == SMALL["colour"].tolist()
    assert decoded["age"].tolist() == ["20", "40", "60", "80"]
    assert (encoding.from_codes(encoding.to_codes(tuples)) == tuples).all()


def test_a_question_with_no_bit_or_several_has_no_answer():
    encoding = Encoding.fit(SMALL)
    tuples = encoding.encode(SMALL)[:2]
    tuples[0, 0], tuples[1, 3:7] = 1, 0
    decoded = encoding.decode(tuples)
    assert decoded.isna().to_numpy().tolist() == [[True, False, False, False], [False, True, False, False]]
    assert encoding.to_codes(tuples).tolist() == [[-1, 0, 0, 1], [1, -1, 0, 0]]


def test_quartiles_hold_quarters():
    values = pd.DataFrame({"x": np.random.default_rng(0).exponential(size=4000)})
    counts = Encoding.fit(values).encode(values).sum(axis=0)
    assert counts.tolist() == [1000] * 4
    # Where quantiles coincide there are fewer intervals, none of them empty.
    tied = pd.DataFrame({"x": [0] * 70 + [1] * 20 + list(range(2, 12))})
    assert (Encoding.fit(tied).encode(tied).sum(axis=0) > 0).all()
    assert Encoding.fit(tied).answers == (("up to 0", "0 to 1", "above 1"),)
    assert Encoding.fit(pd.DataFrame({"x": [3.0] * 9})).answers == (("3",),)
    # Where nearly all have the least value, the others have an answer of their own.
    rare = pd.DataFrame({"x": [0] * 95 + [7, 8, 9, 10, 11]})
    assert Encoding.fit(rare).answers == (("up to 0", "above 0"),)
    assert Encoding.fit(rare).encode(rare).sum(axis=0).tolist() == [95, 5]


def test_few_numbers_are_answers_themselves():
    flags = pd.DataFrame({"a": [1] * 20 + [0] * 80, "b": [0.5, 2.0] * 50})
    encoding = Encoding.fit(flags)
    assert encoding.answers == (("0", "1"), ("0.5", "2"))
    assert encoding.encode(flags).sum(axis=0).tolist() == [80, 20, 50, 50]
    # However they are stored.
    assert (encoding.encode(flags.astype({"a": float})) == encoding.encode(flags)).all()
    with pytest.raises(ValueError, match="answers “3” to “a”"):
        encoding.encode(flags.assign(a=3))


def test_intervals_are_read_as_people_write_numbers():
    values = pd.DataFrame({"x": [1.0, 999.7, 1000.2, 2e6, 1e9]})
    assert Encoding.fit(values).answers == (("up to 999.7", "999.7 to 1 000", "1 000 to 2 000 000", "above 2 000 000"),)
    ages = pd.DataFrame({"x": np.arange(20.0, 60.0)})
    assert Encoding.fit(ages).answers == (("up to 29", "29 to 39", "39 to 49", "above 49"),)
    # An edge belongs to the interval below it.
    assert Encoding.fit(ages).codes(pd.DataFrame({"x": [29.0, 29.5, 49.0, 49.1]}))[:, 0].tolist() == [0, 1, 2, 3]
    far = pd.DataFrame({"x": 1e15 + np.arange(8.0)})
    assert len(set(Encoding.fit(far).answers[0])) == 4


def test_arrays_and_numbered_columns_are_tables_too():
    array = np.arange(20).reshape(10, 2)
    assert Encoding.fit(array).questions == ("0", "1")
    assert (Encoding.fit(array).encode(array).sum(axis=1) == 2).all()


def test_missing_answers_are_refused_or_drawn_evenly():
    holes = pd.DataFrame({"a": ["x", "y", None] * 2000})
    encoding = Encoding.fit(holes)
    with pytest.raises(ValueError, match="Row 3 has no answer to “a”"):
        encoding.encode(holes)
    drawn = encoding.codes(holes, fill=5)[2::3, 0]
    assert (encoding.codes(holes, fill=5)[2::3, 0] == drawn).all()
    # 2 000 fair coins: 5 standard errors, a false alarm in 6e-7.
    assert abs(drawn.mean() - 0.5) < 5 * 0.5 / np.sqrt(2000)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Encoding.fit(SMALL).encode(SMALL.assign(colour="pink")), "answers “pink” to “colour”"),
        (lambda: Encoding.fit(SMALL).encode(SMALL[["age"]]), "no answer to colour"),
        (lambda: Encoding.fit(SMALL, ["colour", "size"]), "no column size"),
        (lambda: Encoding.fit(SMALL[:0]), "at least one question and one row"),
        (lambda: Encoding.fit(pd.DataFrame({"a": [None, None]})), "Nobody answered “a”"),
        (lambda: Encoding.fit(pd.DataFrame({"a": [1.0, np.inf]})), "infinite"),
        (lambda: Encoding.fit(SMALL, bins=1), "two intervals"),
        (lambda: Encoding.fit(SMALL).from_codes([[0, 4, 0, 0]]), "“age” has answers 0 to 3"),
        (lambda: Encoding.fit(SMALL).from_codes([[0, 1]]), "4 questions"),
        (lambda: Encoding.fit(SMALL).to_codes([[0, 1]]), "10 bits"),
        (lambda: Encoding.fit(SMALL).bits_of("size"), "no question “size”"),
        (lambda: Encoding.fit(SMALL).bits_of(9), "4 questions, no number 9"),
        (lambda: Encoding.fit(SMALL).bits_of(1.5), "whole number"),
        (lambda: Encoding.fit(SMALL, bins=2.5), "whole number"),
        (lambda: Encoding.fit(pd.DataFrame({"a": [1 + 1j, 2, 3]})), "complex"),
        (lambda: Encoding.fit(pd.DataFrame([["a", "b"], ["c", "d"]], columns=["x", "x"])), "Two questions"),
        (lambda: Encoding.fit(SMALL).from_codes([[0.5, 1, 0, 0]]), "whole numbers"),
        (lambda: NUMBERS.encode(pd.DataFrame({"x": ["abc"]}), fill=1), "Row 1 answers “abc” to “x”, which asks for"),
        (lambda: NUMBERS.encode(pd.DataFrame({"x": [np.inf]})), "asks for a number"),
    ],
)
def test_bad_answers_get_a_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


# --- the miner


@pytest.mark.parametrize("order", ["magnitude", "signed"])
def test_matrices_and_guidance_are_those_of_the_whole_data(order):
    miner = votes_miner(mu=0.05, update_every=435, order=order, checked=False)
    difference, level, basis = slow_guidance(TUPLES, CLASSES, 0.05, signed=order == "signed")
    assert (miner.matrices[0] - miner.matrices[1] == difference).all()
    assert (miner.counts == [TUPLES[c == CLASSES].sum(axis=0) for c in (0, 1)]).all()
    guidance = miner.guidance()
    assert (guidance.level, guidance.received) == (level, 435)
    # The same space, whatever the signs of the vectors.
    np.testing.assert_allclose(guidance.basis @ guidance.basis.T, basis @ basis.T, atol=1e-8)


def test_blocks_and_single_tuples_give_the_same():
    alone, blocks = Miner(ENCODING, update_every=50), Miner(ENCODING, update_every=50)
    changed = [alone.receive(t, c) for t, c in zip(TUPLES, CLASSES, strict=True)]
    assert np.flatnonzero(changed).tolist() == list(range(49, 435, 50))
    for start, stop in ((0, 30), (30, 31), (31, 260), (260, 435)):
        new = blocks.receive(TUPLES[start:stop], CLASSES[start:stop])
        assert new == (start // 50 != stop // 50)
    assert (alone.matrices == blocks.matrices).all()
    assert (alone.sizes == blocks.sizes).all()
    assert alone.guidance().received == blocks.guidance().received == 400
    assert (alone.guidance().basis == blocks.guidance().basis).all()


def test_the_miner_keeps_no_rows():
    miner = Miner(ENCODING)
    before = sum(part.nbytes for part in vars(miner).values() if isinstance(part, np.ndarray))
    miner.receive(np.tile(TUPLES, (20, 1)), np.tile(CLASSES, 20))
    kept = [part for part in vars(miner).values() if isinstance(part, np.ndarray)]
    assert sum(part.nbytes for part in kept) == before
    assert all(len(part) == 2 for part in vars(miner).values() if isinstance(part, list))


def test_the_level_is_the_smallest_that_eq_6_allows():
    values = np.array([10.0, -8.0, 3.0, 2.0, -1.0])
    levels = {mu: guidance_of(np.diag(values), mu).level for mu in (0.0, 0.05, 0.1, 0.25, 0.3, 0.79, 0.8, 1.0)}
    assert levels == {0.0: 5, 0.05: 5, 0.1: 4, 0.25: 3, 0.3: 2, 0.79: 2, 0.8: 1, 1.0: 1}
    assert guidance_of(np.diag(values), 0.25).eigenvalues.tolist() == [10, -8, 3, 2, -1]
    signed = guidance_of(np.diag(values), 0.25, order="signed")
    assert (signed.level, signed.eigenvalues.tolist()) == (2, [10, 3, 2, -1, -8])
    assert guidance_of(np.diag(values), 0.0, most=2).level == 2


def test_only_the_order_by_magnitude_approximates_best():
    """Figures worked out beforehand: what is left out has spectral norm 1444 in signed order, 179 by magnitude."""
    miner = votes_miner(update_every=435)
    difference = miner.matrices[0] - miner.matrices[1]
    left = {}
    for order in ("magnitude", "signed"):
        basis = guidance_of(difference, 0.0, order=order, most=2).basis
        left[order] = np.linalg.norm(difference - basis @ basis.T @ difference @ basis @ basis.T, 2)
    # Missing answers are drawn: they move the norms by a few per cent.
    assert left["magnitude"] == pytest.approx(178.8, rel=0.08)
    assert left["signed"] == pytest.approx(1444, rel=0.02)


def test_one_class_only_still_gives_guidance():
    miner = Miner(ENCODING, update_every=10)
    assert miner.guidance() is None
    miner.receive(TUPLES[:5], np.zeros(5, dtype=int))
    assert miner.guidance().level >= 1


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: Miner(ENCODING, mu=2), "mu must lie"),
        (lambda: Miner(ENCODING, order="size"), "magnitude or signed"),
        (lambda: Miner(ENCODING, update_every=0), "every 1 tuple"),
        (lambda: Miner(ENCODING).receive(TUPLES[:, :5], CLASSES), "32 bits"),
        (lambda: Miner(ENCODING).receive(TUPLES, CLASSES[:4]), "435 tuples but 4 classes"),
        (lambda: Miner(ENCODING).receive(TUPLES * 2, CLASSES), "0 or 1"),
        (lambda: Miner(ENCODING).receive(TUPLES, CLASSES + 1), "class of a tuple is 0 or 1"),
        (lambda: Miner(ENCODING).receive(TUPLES[0], 1.0), "class of a tuple is 0 or 1"),
        (lambda: Miner(ENCODING).receive(TUPLES[0], None), "class of a tuple is 0 or 1"),
        (lambda: Miner(ENCODING, update_every=2.5), "whole number"),
        (lambda: Miner(ENCODING, most_level=-3), "at least 1, not -3"),
        (lambda: Miner(ENCODING, mu="a"), "mu must lie"),
        (lambda: guidance_of(np.full((3, 3), np.nan), 0.1), "finite numbers"),
        (lambda: guidance_of(np.triu(np.ones((3, 3))), 0.1), "symmetric"),
        (lambda: guidance_of(np.ones((3, 2)), 0.1), "square"),
    ],
)
def test_bad_tuples_get_a_sentence(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act()


# --- respondents


def test_probabilities_are_the_slow_ones_and_clipped():
    basis = votes_miner(update_every=435, mu=0.05).guidance().basis
    np.testing.assert_allclose(probabilities(TUPLES[:3], basis), [slow_probabilities(t, basis) for t in TUPLES[:3]])
    # One column spread over all bits: t~ is 16/32 everywhere; over the first of every pair, it passes 1.
    spread = np.full((32, 1), 1 / np.sqrt(32))
    np.testing.assert_allclose(probabilities(TUPLES[:2], spread), 0.25)
    tilted = np.zeros((32, 1))
    tilted[0] = np.sqrt(0.5)
    tilted[1::2] = np.sqrt(0.5 / 16)
    yes = np.tile([0, 1], 16)
    yes[:2] = 1, 0
    assert (yes @ tilted @ tilted.T).max() > 1
    assert probabilities(yes, tilted).max() == 1


def test_each_one_follows_as_many_columns_as_they_accept():
    basis = votes_miner(update_every=435, mu=0.0).guidance().basis
    limits = np.array([0, 1, 2, 5, 99])
    found = probabilities(TUPLES[:5], basis, limits)
    for t, limit, one in zip(TUPLES, limits, found, strict=False):
        np.testing.assert_allclose(one, probabilities(t, basis[:, :limit])[0], atol=1e-12)
    assert (found[0] == 0).all()
    # With all columns the tuple itself is sent; rounding asks for a tolerance.
    full = np.linalg.qr(np.random.default_rng(0).standard_normal((32, 32)))[0]
    assert (respond(TUPLES, full, 32, 1) == TUPLES).all()


def test_bits_have_the_stated_probabilities_and_are_independent():
    """All 32 frequencies and 496 pairs within 5 standard errors: a false alarm in 3e-4, at a fixed key."""
    basis = votes_miner(update_every=435).guidance().basis
    many = np.tile(TUPLES[7], (20_000, 1))
    sent = respond(many, basis, 5, key=3).astype(float)
    chances = probabilities(TUPLES[7], basis)[0]
    assert _far(sent.mean(axis=0), chances, 20_000) < 5
    pairs = (sent.T @ sent / 20_000)[np.triu_indices(32, 1)]
    expected = np.outer(chances, chances)[np.triu_indices(32, 1)]
    assert _far(pairs, expected, 20_000) < 5
    # The printed right side of Eq. 26, E[R_i R_j] = t~_i t~_j, is far off, and so is leaving out the square.
    assert _far(sent.mean(axis=0), np.sqrt(chances), 20_000) > 20
    assert _far(pairs, np.sqrt(expected), 20_000) > 20


def _far(found, expected, count):
    return np.max(np.abs(found - expected) / np.sqrt(np.maximum(expected * (1 - expected), 1e-4) / count))


def test_what_is_sent_does_not_depend_on_the_block():
    basis = votes_miner(update_every=435).guidance()
    whole = respond(TUPLES, basis, 3, key=9)
    parts = [respond(TUPLES[a:b], basis, 3, key=9, first=a) for a, b in ((0, 1), (1, 50), (50, 435))]
    assert (np.vstack(parts) == whole).all()
    assert (respond(TUPLES, basis, 3, key=10) != whole).any()


# --- guidance that is refused


def test_the_bound_on_single_answers():
    # The plain figures: an equal part, and never quite 1.
    assert [weight_bound(k, 16) for k in (1, 4, 9)] == pytest.approx([0.25, 0.5, 0.75])
    assert weight_bound(1, 1) == weight_bound(16, 16) == 0.97


def _passes(basis, encoding):
    for level in range(1, min(basis.shape[1], encoding.dimension - 1) + 1):
        check_guidance(basis[:, :level], encoding.dimension, bound=weight_bound(level, len(encoding.questions)))


def test_honest_guidance_passes_the_extra_check():
    for rows in (20, 100, 435):
        miner = Miner(ENCODING, mu=0.0, update_every=rows)
        miner.receive(TUPLES[:rows], CLASSES[:rows])
        _passes(miner.guidance().basis, ENCODING)
        learnt = guidance_of(miner.matrices[0] - miner.matrices[1], 0.0).basis
        # Little is lost of it: each column is turned by less than 35 degrees.
        assert miner.guidance().level == learnt.shape[1]
        assert np.einsum("ij,ij->j", learnt, miner.guidance().basis).min() > np.cos(np.radians(35))
        paper = Miner(ENCODING, mu=0.0, update_every=rows, checked=False)
        paper.receive(TUPLES[:rows], CLASSES[:rows])
        assert (paper.guidance().basis == learnt).all()


def _lone(questions, answers, rows=1_500):
    """One question tells the classes apart, the others say nothing."""
    rng = np.random.default_rng(questions)
    classes = rng.integers(2, size=rows)
    codes = rng.integers(answers, size=(rows, questions))
    codes[:, 0] = np.where(rng.random(rows) < 0.8, classes, codes[:, 0])
    frame = pd.DataFrame(codes.astype(str), columns=[f"q{j}" for j in range(questions)])
    return Encoding.fit(frame), Encoding.fit(frame).encode(frame), classes


@pytest.mark.parametrize(("questions", "answers"), [(1, 2), (1, 20), (5, 3), (20, 2), (30, 5)])
def test_a_lone_telling_question_does_not_stop_the_survey(questions, answers):
    """What is learnt honestly weighs that question too much; nobody refuses what is sent, and it is still learnt."""
    encoding, tuples, classes = _lone(questions, answers)
    survey = Survey(encoding, tuples, classes, clear=100, mu=0.0, update_every=100, key=1)
    batch = survey.ask(1_500)
    assert not batch.refused.any()
    assert survey.miner.received == survey.miner.guidance().received == 1_500
    learnt = guidance_of((np.where(classes == 0, 1.0, -1.0)[:, None] * tuples).T @ tuples.astype(float), 0.0).basis
    with pytest.raises(GuidanceRefused):
        _passes(learnt, encoding)
    _passes(moderated(learnt, encoding), encoding)
    for level in range(1, min(4, encoding.dimension)):
        _passes(moderated(np.eye(encoding.dimension)[:, :level], encoding), encoding)
    sent, of_sent = batch.sent[100:], classes[batch.rows[100:]]
    counts = np.array([sent[of_sent == c].sum(axis=0) for c in (0, 1)])
    bayes = NaiveBayes.from_counts(counts, np.bincount(of_sent), encoding.starts)
    assert bayes.accuracy(tuples, classes) > 0.7


@pytest.mark.parametrize(
    ("basis", "sentence"),
    [
        (np.eye(31)[:, :2], "32 rows"),
        (np.ones(32), "shape"),
        (np.zeros((32, 0)), "shape"),
        (np.eye(33)[:32], "shape"),
        (np.full((32, 1), np.nan), "finite"),
        (np.ones((32, 1)), "not orthonormal"),
        (np.eye(32)[:, [0, 0]], "not orthonormal"),
        (np.eye(32)[:, :1], "singles out one answer .bit 1.: it weighs 1.00"),
        (np.eye(32).astype(complex)[:, :1], "finite numbers"),
        (np.full((32, 1), "a"), "finite numbers"),
        ([[1, 2], [3]], "equally long"),
    ],
)
def test_bad_guidance_is_refused_and_nothing_leaves(basis, sentence, monkeypatch):
    drawn = []
    monkeypatch.setattr("trustscope.engine.survey.perturb.probabilities", lambda *a: drawn.append(a))
    with pytest.raises(GuidanceRefused, match=sentence):
        respond(TUPLES, basis, 3, key=1)
    assert not drawn


def test_the_check_looks_at_the_columns_that_are_followed():
    honest = votes_miner(update_every=435, mu=0.0).guidance().basis[:, :2]
    # A unit vector behind two honest columns, made orthogonal to them.
    rest = np.eye(32)[:, 5] - honest @ honest[5]
    mixed = np.column_stack([honest, rest / np.linalg.norm(rest)])
    respond(TUPLES, mixed, 2, key=1)
    with pytest.raises(GuidanceRefused, match="bit 6"):
        respond(TUPLES, mixed, 3, key=1)
    respond(TUPLES, mixed, 3, key=1, extra_check=False)


@pytest.mark.parametrize(("encoding", "question"), [(ENCODING, 3), (Encoding.fit(SMALL.assign(x=SMALL["age"])), "age")])
def test_hand_picked_guidance_reads_the_question_or_hides(encoding, question):
    bits = encoding.bits_of(question)
    outright = hand_picked(encoding, question, level=8)
    check_guidance(outright, encoding.dimension)
    rng = np.random.default_rng(1)
    tuples = encoding.from_codes((rng.random((50, len(encoding.questions))) * encoding.sizes).astype(int))
    sent = respond(tuples, outright, 8, 1, extra_check=False)
    assert (sent[:, bits][:, :-1] == tuples[:, bits][:, :-1]).all()
    assert not np.delete(sent, np.r_[bits], axis=1).any()
    with pytest.raises(GuidanceRefused, match="singles out"):
        respond(tuples, outright, 8, 1)


def test_hidden_guidance_passes_and_depends_on_the_question_only():
    for level in (1, 2, 3, 5, 9, 14):
        basis = hand_picked(ENCODING, 3, level=level, checked=True)
        assert basis.shape == (32, level)
        check_guidance(basis, 32, bound=weight_bound(level, 16))
        chances = probabilities(TUPLES, basis)
        for answer in (0, 1):
            same = chances[TUPLES[:, 6 + answer] == 1]
            np.testing.assert_allclose(same, same[[0] * len(same)], atol=1e-12)
    with pytest.raises(ValueError, match="at least one column"):
        hand_picked(ENCODING, 0, level=0)


@pytest.mark.parametrize("columns", [["colour"], ["always"], ["flag", "always"], ["colour", "flag"], list(SMALL)])
def test_hidden_guidance_passes_with_few_questions_too(columns):
    encoding = Encoding.fit(SMALL[columns])
    for level in range(1, encoding.dimension):
        for question in range(len(columns)):
            basis = hand_picked(encoding, question, level=level, checked=True)
            assert 1 <= basis.shape[1] <= level
            check_guidance(basis, encoding.dimension, bound=weight_bound(basis.shape[1], len(columns)))


@pytest.mark.parametrize(
    ("tuples", "sentence"),
    [
        ([], "nobody to respond"),
        (TUPLES[:3] * 0, "number 1 sets 0"),
        (np.vstack([np.eye(32)[:1], TUPLES[:3]]), "number 2 sets 16"),
        (TUPLES[:3] * 2, "0 or 1"),
        (TUPLES[:3] * np.nan, "0 or 1"),
        (TUPLES[:3].astype(str), "0 or 1"),
        (TUPLES[:3].astype(complex), "0 or 1"),
        (-TUPLES[:3].astype(int), "0 or 1"),
    ],
)
def test_dishonest_tuples_get_a_sentence(tuples, sentence):
    with pytest.raises(ValueError, match=sentence):
        respond(tuples, np.full((32, 1), 1 / np.sqrt(32)), 1, 1)


def test_nobody_sends_nothing():
    assert respond(TUPLES[:0], np.full((32, 1), 1 / np.sqrt(32)), 1, 1).shape == (0, 32)
    assert Miner(ENCODING).receive([], []) is False


@pytest.mark.parametrize("limits", [1.5, [1, 2], -1, [[1]]])
def test_bad_limits_get_a_sentence(limits):
    with pytest.raises(ValueError, match=r"respondents accept|less than nothing"):
        respond(TUPLES, np.full((32, 1), 1 / np.sqrt(32)), limits, 1)


# --- mixes, and the survey as a whole


def test_kinds_come_in_their_shares_and_by_number():
    kinds = MIX.draw(20_000, 4)
    shares = np.bincount(kinds) / len(kinds)
    # Three shares within 5 standard errors: a false alarm in 2e-6.
    assert (np.abs(shares - [0.17, 0.56, 0.27]) < 5 * np.sqrt(shares * (1 - shares) / 20_000)).all()
    assert (np.concatenate([MIX.draw(7, 4), MIX.draw(13, 4, first=7)]) == kinds[:20]).all()
    assert MIX.levels([0, 1, 2], 32).tolist() == [1, 3, 32]
    with pytest.raises(ValueError, match="add up to 1"):
        Mix((Kind("all", 0.5, 1),))
    with pytest.raises(ValueError, match="between 0 and 1"):
        Kind("all", 1.5, 1)
    with pytest.raises(ValueError, match="negative"):
        Kind("all", 1.0, -1)
    with pytest.raises(ValueError, match="whole number of columns"):
        Kind("all", 1.0, 1.5)


def test_a_survey_asks_everybody_once_and_steps_do_not_matter():
    whole = Survey(ENCODING, TUPLES, CLASSES, update_every=30, key=5)
    batch = whole.ask(10_000)
    assert sorted(batch.rows) == list(range(435))
    assert whole.left == 0
    assert len(whole.ask(5).rows) == 0
    assert (batch.sent[:40] == TUPLES[batch.rows[:40]]).all()
    assert (batch.kinds[:40] == -1).all()
    assert (batch.levels[40:] <= np.array([1, 3, 32])[batch.kinds[40:]]).all()
    assert [change[0] for change in batch.changes] == [40, *range(60, 436, 30)]
    steps = Survey(ENCODING, TUPLES, CLASSES, update_every=30, key=5)
    parts = [steps.ask(n) for n in (3, 60, 1, 500)]
    assert (np.vstack([part.sent for part in parts]) == batch.sent).all()
    assert (steps.miner.matrices == whole.miner.matrices).all()
    miner = Miner(ENCODING)
    miner.receive(batch.sent, CLASSES[batch.rows])
    assert (miner.matrices == whole.miner.matrices).all()


def test_a_survey_without_end():
    survey = Survey(ENCODING, TUPLES, CLASSES, replace=True, key=5)
    assert survey.left is None
    batch = survey.ask(3_000)
    assert survey.miner.received == 3_000
    assert len(np.unique(batch.rows)) > 420


def test_a_malicious_miner_reads_or_is_refused():
    options = {"target": "Physician fee freeze", "key": 2}
    bits = ENCODING.bits_of("Physician fee freeze")
    open_survey = Survey(ENCODING, TUPLES, CLASSES, extra_check=False, **options)
    batch = open_survey.ask(435)
    assert not batch.refused.any()
    assert (batch.sent[40:, bits.start] == TUPLES[batch.rows[40:], bits.start]).all()
    checked = Survey(ENCODING, TUPLES, CLASSES, **options)
    batch = checked.ask(435)
    assert batch.refused.sum() == checked.refused == 395
    assert not batch.sent[40:].any()
    assert checked.miner.received == 40
    assert "singles out" in batch.reason
    hidden = Survey(ENCODING, TUPLES, CLASSES, attack="hidden", **options)
    batch = hidden.ask(435)
    assert not batch.refused.any()
    # Not as it is, yet the more often the truer it is.
    sent, true = batch.sent[40:, bits.start], TUPLES[batch.rows[40:], bits.start]
    assert (sent != true).any()
    assert sent[true == 1].mean() > sent[true == 0].mean() + 0.2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"classes": np.zeros(435, dtype=int)}, "one class"),
        ({"classes": CLASSES[:3]}, "435 people but 3"),
        ({"clear": 0}, "in the clear"),
        ({"clear": 436}, "in the clear"),
        ({"attack": "brute"}, "outright or hidden"),
        ({"target": "nope"}, "no question “nope”"),
        ({"clear": 1.5}, "in the clear"),
        ({"classes": CLASSES + 1}, "0 or 1"),
        ({"classes": CLASSES.astype(float)}, "0 or 1"),
        ({"classes": np.arange(435) % 3}, "0 or 1"),
        ({"tuples": TUPLES * 0.5}, "0 or 1"),
        ({"tuples": TUPLES * np.nan}, "0 or 1"),
        ({"tuples": TUPLES * 0}, "person 1 does not"),
        ({"tuples": TUPLES[:, :30]}, "32 bits"),
    ],
)
def test_bad_surveys_get_a_sentence(options, sentence):
    options = {"tuples": TUPLES, "classes": CLASSES, **options}
    with pytest.raises(ValueError, match=sentence):
        Survey(ENCODING, options.pop("tuples"), options.pop("classes"), **options)


def test_guidance_comes_as_level_and_basis_once_there_is_any():
    with pytest.raises(ValueError, match="no guidance yet"):
        Survey(ENCODING, TUPLES, CLASSES).sent_guidance()
    level, basis = votes_miner(update_every=435).guidance()
    assert basis.shape == (32, level)


def test_missing_answers_in_the_votes_are_drawn():
    assert ANSWERS.isna().to_numpy().sum() == 392
    assert TUPLES.shape == (435, 32)
