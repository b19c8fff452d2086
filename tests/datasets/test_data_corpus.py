"""Files that once broke the reader, kept and read again; and the maker of such files itself.

The name of a file in the corpus says what it is. `python -m tests.fuzz` finds more: put what fails there, cut to
the smallest that still fails, into the corpus.
"""

import random
from pathlib import Path

import pyarrow as pa
import pytest

from tests.fuzz import watch
from tests.fuzz.check import check
from trustscope.datasets.as_kind import as_kind

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


def test_there_is_a_corpus_of_small_files():
    assert CORPUS
    assert all(path.stat().st_size < 20_000 for path in CORPUS)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_what_once_failed_is_answered(path):
    assert check(path.name, path.read_bytes(), random.Random(0)) in ("understood", "refused")


@pytest.mark.parametrize("kind", ["number", "category"])
def test_a_column_without_a_value_is_empty_whatever_it_is_taken_for(kind):
    found = as_kind(pa.array([float("nan"), float("nan")]), kind)
    assert not found.usable
    assert found.missing == 2


def test_hostile_text_is_answered():
    numbers = [n for n in range(300) if watch.kind_of(0, n) in ("text, odd", "text, spoiled", "text, quotes")]
    outcomes = {watch.examine(0, n)[1] for n in numbers[:15]}
    assert outcomes <= {"understood", "refused"}


def test_a_file_is_made_from_its_seed_and_number_alone():
    first, second, other = watch.make(5, 7)[:3], watch.make(5, 7)[:3], watch.make(6, 7)[:3]
    assert first == second != other
    assert watch.kind_of(5, 7) == first[0]


def test_what_must_not_come_out_is_seen(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("trustscope.datasets.inspect", fail)
    assert watch.examine(0, 0)[1].startswith("failed: ")
