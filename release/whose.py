"""Whose copy is this? From a file that was found, sorted otherwise, sampled, with columns missing or rounded.

Rows have no names, so a found file is a bag of cells: what its columns hold, together. Each copy that is out is made
again and its rows are counted by the same cells; under the hypothesis "the file is a sample of copy c" a found row
falls into cell v with probability

    P(v | c) = (1 - e) n_c(v) / n + e d(v) / n,

n_c(v) of the copy's n rows being in the cell and d(v) of a *decoy*: a copy at the same setting of the same data under
another key, which tells how often cells agree by chance. e allows for rows that somebody altered. Under "none of
them" the probability is d(v) / n alone. Equal prior weights give the posterior probability of each hypothesis; one
minus the highest is the probability that the answer is wrong.

Recipients with the same setting hold the same bytes: they are told apart by nothing.
"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from trustscope.release import making
from trustscope.release.found import plain_texts, sample
from trustscope.release.moments import as_numbers
from trustscope.release.problems import Problem, stop_if

ALTERED = 0.05
# Factors that a found column may have been rounded by, over the ledger's grid.
FACTORS = tuple(f * 10**k for k in range(7) for f in (1, 2, 5))
# Below this a setting is said to be impossible.
EXCLUDED = 1e-6
# No model is better than this: a smaller probability of error is not claimed.
LEAST = 1e-12


@dataclass(frozen=True)
class Suspect:
    """One setting at which copies are out.

    Attributes
    ----------
    recipients : tuple of str
        All who hold it.
    setting : (int or None, int or None)
        Trust and retention in thousandths.
    probability : float
        That the file is a sample of this copy.
    matched : float
        Share of the found rows whose cell the copy has.
    by_chance : float
        The same for the decoy.
    """

    recipients: tuple
    setting: tuple
    probability: float
    matched: float
    by_chance: float


@dataclass(frozen=True)
class Verdict:
    """What a found file says.

    Attributes
    ----------
    suspects : list of Suspect
        The most probable first.
    nobody : float
        Probability that it is none of the copies.
    rows : int
        Found rows that were compared.
    columns : tuple of str
        Columns that were compared.
    sentence : str
    """

    suspects: list
    nobody: float
    rows: int
    columns: tuple
    sentence: str

    @property
    def error(self):
        """Probability that the answer is wrong."""
        best = max([self.nobody, *(one.probability for one in self.suspects)])
        return max(1 - best, LEAST)


def find(path, job, record, key, *, progress=None, cancel=None, threads=None):
    """Compare a found file with every copy that is out.

    Parameters
    ----------
    path : path-like, or pyarrow.Table
        CSV or Parquet, or what was read of it elsewhere.
    job : making.Job
        Of the ledger's data; its setting is not used.
    record : Record
    key : bytes
    progress, cancel, threads
        As in `making.copies`.

    Returns
    -------
    Verdict
    """
    if not record.copies:
        raise Problem("No copy is out, so the file is nobody's.")
    found = _Found(path, job.recipe)
    settings = {}
    for copy in record.copies:
        settings.setdefault(copy.setting, []).append(copy)
    decoy = hashlib.blake2b(b"decoy", digest_size=32, key=key, person=b"trustscope decoy").digest()
    total, counted = 2 * len(settings) * job.rows, {}
    for place, setting in enumerate(settings):
        for step, secret in enumerate((key, decoy)):
            done = (2 * place + step) * job.rows
            one = replace(job, trust=setting[0], retention=setting[1])
            told = progress and (lambda rows, _, done=done: progress(done + rows, total))
            counted[setting, secret is decoy] = found.counts(one, secret, threads, told, cancel)
    return _judged(found, settings, counted, job.rows)


class _Found:
    """The cells of a found file."""

    def __init__(self, path, recipe):
        table, roles = sample(path, recipe.roles), recipe.roles
        there = table.column_names
        self.perturbed = [name for name in there if name not in roles.keep]
        if not self.perturbed:
            raise Problem("The file has none of the perturbed columns, so nothing in it tells copies apart.")
        self.recipe, self.table = recipe, table
        self.rounding = {name: self._rounding(name) for name in self.perturbed if name in roles.numbers}
        self.perturbed = [name for name in self.perturbed if self.rounding.get(name) != 0]
        if not self.perturbed:
            raise Problem("The numbers in the file are not on the ledger's grid: somebody has altered all of them.")
        kept = [name for name in there if name in roles.keep]
        # With the columns that were carried along cells are smaller, without them their rounding does no harm.
        self.sets = [self.perturbed, *([[*self.perturbed, *kept]] if kept else [])]
        self.cells = [np.unique(self.hashed(table, names), return_counts=True) for names in self.sets]
        self.rows = len(table)

    def _rounding(self, name):
        """By which factor over the ledger's grid a column was rounded; 0 if its values are not on the grid."""
        steps = self._steps(self.table, name, 1)
        if steps is None:
            return 0
        return max(factor for factor in FACTORS if not np.any(steps % factor))

    def _steps(self, table, name, factor):
        """Values of a column in steps of its grid, rounded to a factor; None if they are not on the grid."""
        grid = self.recipe.grids[self.recipe.roles.numbers.index(name)]
        values = as_numbers(table, name)
        steps = values[~np.isnan(values)] / grid.step
        if factor == 1 and np.mean(np.abs(steps - np.rint(steps)) > 1e-3) > ALTERED:
            return None
        return np.rint(steps)

    def hashed(self, table, names):
        """One 64-bit number for the cell of each row."""
        total = np.zeros(len(table), dtype=np.uint64)
        for name in names:
            if name in self.rounding:
                grid = self.recipe.grids[self.recipe.roles.numbers.index(name)]
                step = grid.step * self.rounding[name]
                values = as_numbers(table, name) / step
                part = np.where(np.isnan(values), 2.0**53, np.rint(values) + 0.0).astype(np.int64).view(np.uint64)
            else:
                column = table.column(name)
                column = plain_texts(column) if name in self.recipe.domains else column.cast(pa.string())
                text = pc.fill_null(column, "\0")
                part = pd.util.hash_array(text.to_numpy(zero_copy_only=False).astype(object))
            total = _mixed(total ^ part)
        return total

    def counts(self, job, key, threads, progress, cancel):
        """How many rows of a copy fall into each of the found cells, for each set of columns."""
        counts = [np.zeros(len(cells), dtype=np.int64) for cells, _ in self.cells]
        for _, made, _ in making.copies(job, key, threads=threads, progress=progress, cancel=cancel):
            stop_if(cancel)
            for total, (cells, _), names in zip(counts, self.cells, self.sets, strict=True):
                hashes = self.hashed(made, names)
                places = np.minimum(np.searchsorted(cells, hashes), len(cells) - 1)
                total += np.bincount(places[cells[places] == hashes], minlength=len(cells))
        return counts


def _mixed(words):
    """A bijection of 64-bit words that spreads neighbours (the finaliser of SplitMix64)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    return words ^ (words >> np.uint64(31))


def _judged(found, settings, counted, rows):
    best = None
    for place, names in enumerate(found.sets):
        cells = found.cells[place][1]
        chance = {s: (counted[s, True][place] + 0.5) / rows for s in settings}
        own = {s: (1 - ALTERED) * counted[s, False][place] / rows + ALTERED * chance[s] for s in settings}
        logs = np.array([cells @ np.log(own[s]) for s in settings])
        nobody = max(cells @ np.log(chance[s]) for s in settings)
        gain = logs.max() - nobody
        if best is None or gain > best[0]:
            best = gain, place, names, logs, nobody
    _, place, names, logs, nobody = best
    weights = np.exp(np.append(logs, nobody) - max(logs.max(), nobody))
    weights /= weights.sum()
    cells = found.cells[place][1]
    suspects = [
        Suspect(
            tuple(dict.fromkeys(copy.to for copy in copies)),
            setting,
            float(weight),
            *(float(cells @ (counted[setting, fake][place] > 0) / found.rows) for fake in (False, True)),
        )
        for (setting, copies), weight in zip(settings.items(), weights, strict=False)
    ]
    suspects.sort(key=lambda one: -one.probability)
    verdict = Verdict(suspects, float(weights[-1]), found.rows, tuple(names), "")
    return replace(verdict, sentence=_sentence(verdict, settings))


def _sentence(verdict, settings):
    best = verdict.suspects[0]
    error = f"the probability that this is wrong is {verdict.error:.1g}" + (
        " at most" if verdict.error == LEAST else ""
    )
    if verdict.nobody > best.probability:
        return f"The file is none of the copies that are out; {error}."
    whose = settings[best.setting][0]
    names = " or ".join(f"“{name}”" for name in best.recipients)
    alike = ", who hold the same copy" if len(best.recipients) > 1 else ""
    text = f"The file comes from the copy at {whose.describe()}, which went to {names}{alike}; {error}."
    # In the order in which the copies went out: that of the probabilities would be another one at every key.
    excluded = {one.setting for one in verdict.suspects[1:] if one.probability < EXCLUDED}
    others = dict.fromkeys(copy.to for setting in settings if setting in excluded for copy in settings[setting])
    others = [name for name in others if name not in best.recipients]
    return text + (f" It cannot be the copy of {', '.join(f'“{name}”' for name in others)}." if others else "")
