"""Reads what stands behind "Why?": sentence by sentence, each against a form that says what its figures must be."""

import re

import numpy as np

from trustscope.scenarios.coalition import NAMES, Recipient

TRIED = 120  # scenarios of each page, but where every one takes a pass over rows
FACTOR = "([0-9.e+\u202f]+)"
PER_CENT = r"((?:< |> )?[\d.]+ %)"


def interval(text):
    """What a share that was written may stand for."""
    if text.startswith("<"):
        return 0.0, 0.001
    if text.startswith(">"):
        return 0.99, 1.0
    value, half = float(text.removesuffix(" %")), 0.0501 if "." in text else 0.5001
    return (value - half) / 100, (value + half) / 100


def stands_for(text, value, slack=0.0):
    low, high = interval(text)
    return low - slack - 1e-9 <= value <= high + slack + 1e-9


def sentences(text):
    """No sentence of ours has a full stop but at its end, and figures keep theirs."""
    return [one for one in re.split(r"(?<=[.])\s+(?=[A-Z])", text) if one]


def checked(text, forms):
    """Every sentence matches one form, whose check it passes; at most three. The forms that were used."""
    told = sentences(text)
    assert len(told) <= 3, text
    assert not re.search(r"\b(nan|inf|None)\b", text), text
    used = []
    for one in told:
        name, found = next(((n, m) for n, (f, _) in forms.items() if (m := re.fullmatch(f, one))), (None, None))
        assert found, one
        assert forms[name][1](*found.groups()), (name, text)
        used.append(name)
    return used


def some_recipients(rng, most=8):
    number = int(rng.integers(1, most + 1))
    trusts = rng.choice([1, 5, 20, 35, 40, 50, 75, 90, 99, 100], number, p=[0.1] * 3 + [0.12] * 5 + [0.07, 0.03])
    members = rng.random(number) < 0.8
    return tuple(
        Recipient(number=i, name=NAMES[i], trust=int(t), member=bool(m))
        for i, (t, m) in enumerate(zip(trusts, members, strict=True))
    )


def the(name, who):
    return next(r for r in who if r.name == name)


def best_constants(records, reach):
    """The share of values hit by the best constant of each attribute: every pair of ends is tried."""
    found = []
    for column, wide, varies in zip(records.private[:1_000].T, reach, records.varying, strict=True):
        if varies:
            found.append(
                max(np.mean((column >= low - 1e-12) & (column <= low + 2 * wide)) for low in np.unique(column))
            )
    return float(np.mean(found))
