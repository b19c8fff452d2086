"""Columns on which the strongest attacker is tried, and the draws that its tests share."""

import numpy as np

from trustscope.engine import keys


def rng(*purpose):
    return keys.rng(28, "tests", *purpose)


def two_columns(rows=400):
    """Correlated, one of whole numbers with a spike, one with a tail."""
    draw = rng("two columns", rows)
    first = np.where(draw.random(rows) < 0.3, 40.0, np.round(draw.normal(38, 9, rows)))
    return np.column_stack([first, np.exp(draw.normal(0.02 * first, 0.6, rows))])


def spiky(rows, columns=3):
    """Columns on which a linear guess is weak: most people have one value, a few are far away."""
    draw = rng("spiky", rows)
    weeks = np.where(draw.random(rows) < 0.7, 52.0, np.round(draw.uniform(0, 52, rows)))
    gains = np.where(
        draw.random(rows) < 0.95, 0.0, np.where(draw.random(rows) < 0.1, 99_999.0, 500 * draw.random(rows))
    )
    age = np.round(np.clip(draw.normal(40, 15, rows) + 0.1 * weeks, 0, 95))
    return np.column_stack([weeks, gains, age])[:, :columns]
