"""What must hold for every file, whatever is in it."""

import random
import unicodedata

import numpy as np

from trustscope import datasets


def check(filename: str, data: bytes, rng: random.Random) -> str:
    """Read a file as a page does; return "understood" or "refused", or raise what must not be raised."""
    try:
        found = datasets.inspect(data, filename)
    except datasets.DataProblem as problem:
        _sentence(str(problem))
        return "refused"
    _described(found)
    try:
        made = found.dataset()
        _sound(made)
        outcome = "understood"
    except datasets.DataProblem as problem:
        _sentence(str(problem))
        outcome = "refused"
    _corrected(found, rng)
    return outcome


def _described(found: datasets.Inspection) -> None:
    names = [column.name for column in found.columns]
    assert len(set(names)) == len(names)
    for text in (found.filename, found.format, *names, *(c.example for c in found.columns)):
        _visible(text)
    for sentence in (*found.notes, *(c.reason for c in found.columns), *(c.note for c in found.columns if c.note)):
        _visible(sentence)
        assert sentence.endswith(".")
    assert found.preview().shape[1] == len(found.usable)


def _corrected(found: datasets.Inspection, rng: random.Random) -> None:
    """Correct it at random: each way ends in a dataset or in a sentence."""
    chosen = rng.sample(found.columns, min(len(found.columns), 3))
    kinds = {c.name: rng.choice(c.choices) for c in chosen if c.choices and rng.random() < 0.7}
    codes = {c.name: [c.example, "-9", "none"] for c in chosen if rng.random() < 0.4}
    missing = rng.choice(("drop", "fill", "keep"))
    try:
        lost = found.left_out(kinds=kinds, missing_codes=codes)
        _visible(lost.sentence)
        made = found.dataset(missing=missing, kinds=kinds, missing_codes=codes)
        if missing == "keep":
            made, left_out = made.complete()
            assert left_out <= lost.rows
        _sound(made)
    except datasets.DataProblem as problem:
        _sentence(str(problem))


def _sound(made: datasets.Dataset) -> None:
    """The promises of a dataset."""
    frame = made.frame
    assert made.rows >= 2
    assert not frame.isna().to_numpy().any()
    assert set(frame.columns) == {*made.numeric, *made.categorical, *made.dates}
    for name in made.numeric:
        assert frame[name].dtype in (np.int64, np.float64), frame[name].dtype
        assert np.isfinite(frame[name]).all()
        assert frame[name].nunique() > 1
    for name in made.categorical:
        labels = frame[name].cat.categories
        assert frame[name].nunique() == len(labels) > 1
        for label in labels:
            _visible(label)
    for note in made.notes:
        _visible(note)


def _sentence(text: str) -> None:
    assert text.endswith("."), text
    assert len(text) < 600, len(text)
    _visible(text)


def _visible(text: str) -> None:
    hidden = [c for c in text if unicodedata.category(c)[0] == "C"]
    assert not hidden, [hex(ord(c)) for c in hidden]
