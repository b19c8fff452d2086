"""Data for the tests of releases, and the slow, obvious versions that they are held against."""

import hashlib
import math
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from trustscope.engine.cipher import CipherSource
from trustscope.engine.path import NoisePath
from trustscope.release import Ledger, keystore

PASSPHRASE = "four words for tests"
TERMS = {"purpose": "a test", "contact": "nobody", "expires": "9999-12-31"}
ROLES = {
    "numbers": ["age", "income"],
    "categories": ["region", "diagnosis"],
    "keep": ["year"],
    "drop": ["name"],
}


def survey(rows, key=1, missing=0.0):
    """A survey with two correlated numbers, two categories, a year and a name."""
    rng = np.random.default_rng(key)
    age = rng.integers(18, 90, rows)
    income = np.round(20_000 + 400 * age + rng.normal(0, 8_000, rows), 2)
    region = rng.choice(["north", "south", "east", "west"], rows, p=[0.4, 0.3, 0.2, 0.1])
    diagnosis = np.where(rng.random(rows) < age / 120, "ill", "well")
    gaps = rng.random((2, rows)) < missing
    return pa.table(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": age,
            "income": pa.array(income, mask=gaps[0]),
            "region": region.tolist(),
            "diagnosis": pa.array(diagnosis.tolist(), mask=gaps[1]),
            "year": rng.integers(2_000, 2_020, rows),
        }
    )


def write(table, path, **options):
    """Write a table as what its ending says."""
    if path.suffix == ".csv":
        pa.csv.write_csv(table, path)
    else:
        pq.write_table(table, path, **options)
    return path


def make_ledger(folder, data, **options):
    """A ledger whose key hangs on the folder's name alone: what is measured on its copies is then always the same."""
    key = hashlib.sha256(folder.name.encode()).digest()
    with mock.patch.object(keystore, "new_key", return_value=key):
        return Ledger.create(folder, data, passphrase=PASSPHRASE, **{**ROLES, "accept_unique": True, **options})


def key_of(ledger):
    """The key of a ledger, from where it is kept."""
    created = ledger.record.created
    return keystore.load(created["store"], ledger.folder, created["ledger"], PASSPHRASE)


def read(path):
    """A copy as a pyarrow table, whatever its form."""
    if path.is_dir():
        return pa.concat_tables([pq.read_table(file) for file in sorted(path.iterdir())])
    return pa.csv.read_csv(path) if path.suffix == ".csv" else pq.read_table(path)


def slow_numbers(table, ledger, trust):
    """The numbers of a copy, row by row and by the definition, before they are rounded; shape (N, rows)."""
    created = ledger.record.created["recipe"]
    names = created["roles"]["numbers"]
    lower = np.array([float.fromhex(x) for x in created["lower"]]).reshape(len(names), len(names))
    key = key_of(ledger)
    permille = np.arange(999, 0, -1)
    ranks = np.select([permille % step == 0 for step in (100, 50, 10, 5)], [0, 1, 2, 3], 4)
    ladder = (1000 - permille) / permille
    out = []
    for row in range(len(table)):
        part, place = divmod(row, 2**20)
        source = CipherSource(key).part(part)
        paths = [
            NoisePath(1, ladder, source=source, ranks=ranks, block=16_384, purpose=("column", c))
            for c in range(len(names))
        ]
        white = [float(path.at(ladder[999 - 10 * trust], place, place + 1)[0, 0]) for path in paths]
        values = [table.column(name)[row].as_py() for name in names]
        noise = [math.fsum(lower[i][j] * white[j] for j in range(i + 1)) for i in range(len(names))]
        out.append([math.nan if v is None else v + n for v, n in zip(values, noise, strict=True)])
    return np.array(out).T
