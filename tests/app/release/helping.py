"""A ledger for a small survey, and what a person does with the Release page, without a browser."""

import itertools

import numpy as np
import pandas as pd

from tests.messages import deliver
from trustscope.release import Ledger

PASSPHRASE = "correct horse battery staple 7319"
NASTY = "<img src=x onerror=document.title='hacked'>"
ROLES = {"numbers": ["age", "income"], "categories": ["region"], "drop": ["name"]}
_numbers = itertools.count(1)  # of messages: no control gets the same one twice


def make_ledger(folder, home, **options):
    """A ledger for a small survey, whose key has a passphrase."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 500)
    data = pd.DataFrame({
        "name": [f"person {n}" for n in range(500)], "age": age,
        "income": np.round(400 * age + rng.normal(0, 900, 500)), "region": rng.choice(["north", "south", "east"], 500),
    })  # fmt: skip
    path = home / "survey.parquet"
    data.to_parquet(path, index=False)
    return Ledger.create(folder, path, passphrase=PASSPHRASE, store="file", by="steward", **(ROLES | options))


def press(control, **message):
    deliver(control, {**message, "n": next(_numbers)})


def ask(page, to, trust=None, retention=None):
    page.controls.to.value = to
    for slider, value in ((page.controls.trust, trust), (page.controls.retention, retention)):
        if value is not None:
            press(slider, value=value, done=True)


def make(page, passphrase=PASSPHRASE):
    press(page.controls.secret, secret=passphrase)
    press(page.controls.make, what="start")
    return page.controls.make.text


def answer(page):
    return page.controls.answer.object


def opened(page, key):
    page.closer.opened = key
    return page.views().get(key)


def send(dropper, name, content):
    press(dropper, kind="piece", name=name, first=True, last=True, content=content)


def unlock(page):
    press(page.controls.secret, secret=PASSPHRASE)
