"""Whose copy is this? From a file that was found: unaltered, sorted otherwise, a part, altered, or mixed from several.

Three looks, each only where the one before told nothing, and each with its share of one false alarm in a million files:

1. rows in the order of the data (`aligned`): noise correlation and equality, column by column;
2. rows in no known order (`cells`): cells that the file shares with copies, and not with decoys;
3. the same with altered numbers (`nearest`): how close copies come, and averages of two, closer than decoys.

Nobody is ever cleared: a file that was altered enough tells nothing, and that is what is then said.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from trustscope.engine.arrays import Integers
from trustscope.release import aligned
from trustscope.release.aligned import UNALTERED, Evidence
from trustscope.release.cells import Shared, shared
from trustscope.release.comparing import Comparison, How, Rows, lookup
from trustscope.release.making import Job
from trustscope.release.nearest import Near, nearest
from trustscope.release.problems import Problem
from trustscope.release.recipe import level
from trustscope.release.record import Copy, Record, Variant
from trustscope.release.types import Cancel, PathLike, Progress
from trustscope.release.verdict import Holder, Verdict, sentence

# Of a file that has nothing to do with the copies that are out, somebody is named with at most this probability.
FALSE_ALARM = 1e-6
LOOKS = 3
MOST_ROWS = 50_000
# Copies whose likelihoods differ by less than a factor of a thousand are not told apart.
NEARLY = math.log(1e3)
# What was looked up of copies, by their variant; None is the data itself.
Looked = dict[Variant | None, Rows]
EQUAL, CLOSE = "by rows that are equal", "by rows that are close"


def find(
    path: PathLike | pa.Table,
    job: Job,
    record: Record,
    key: bytes,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    threads: int | None = None,
) -> Verdict:
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
    copies: dict[Variant, list[Copy]] = {}
    for copy in record.copies:
        copies.setdefault(copy.variant, []).append(copy)
    comparison = Comparison(path, job.recipe)
    case = _Case(comparison, job, copies, key, {"threads": threads, "cancel": cancel}, progress)
    verdict = case.in_order() or case.by_cells() or case.by_closeness() or case.verdict("unexplained")
    if progress:
        progress(LOOKS * job.rows, LOOKS * job.rows)
    return replace(verdict, sentence=sentence(verdict, copies))


@dataclass
class _Case:
    """One found file, and the looks at it."""

    comparison: Comparison
    job: Job
    copies: dict[Variant, list[Copy]]
    key: bytes
    how: How
    progress: Progress | None
    looks: int = 0
    in_place: Looked = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.variants = list(self.copies)
        bare = dict.fromkeys(variant._replace(fingerprint="") for variant in self.variants)
        self.made = {variant: (variant, self.key) for variant in [*self.variants, *bare]}

    def _how(self) -> How:
        """Options of the next pass over the data."""
        before, self.looks = self.looks * self.job.rows, min(self.looks + 1, LOOKS - 1)
        progress, total = self.progress, LOOKS * self.job.rows
        return {
            **self.how,
            "progress": None if progress is None else lambda rows, _: progress(before + rows, total),
        }

    # ------------------------------------------------------------------ the first look
    def in_order(self) -> Verdict | None:
        """The verdict if the rows are in the order of the data and tell something there, or None."""
        comparison = self.comparison
        rows = np.arange(len(comparison.rows))
        if len(rows) > MOST_ROWS:
            rows = np.sort(np.random.default_rng(3).permutation(rows)[:MOST_ROWS])
        places = comparison.places[rows]
        rows, places = rows[places < self.job.rows], places[places < self.job.rows]
        self.in_place = lookup(comparison, self.job, self.made, places, **self._how())
        evidence = self._evidence(comparison.rows.take(rows), self.in_place)
        if _names_somebody(evidence):
            return self._from_evidence(evidence, "in the order of the data")
        columns = _single(evidence)
        if columns and all(one.original >= UNALTERED for one in columns):
            return self.verdict("original", evidence=evidence)
        least = min((level(variant.trust) for variant in self.variants if variant.trust), default=0.0)
        numbers = [one.distance for one in columns if not math.isnan(one.distance)]
        if numbers and max(numbers) < least / 4:
            return self.verdict("original, altered", evidence=evidence)
        return None

    def _one_of_each_group(self, name: str, looked: Looked) -> tuple[Integers | slice, Looked] | None:
        """Rows whose noise in a column is independent, and what was looked up of them; None if that is not known."""
        group = self.job.recipe.group
        if group is None or not self.job.recipe.is_shared(name):
            return slice(None), looked
        words = looked[None].kept.get(group["column"])
        if words is None:
            return None
        _, one = np.unique(words, return_index=True)
        return one, {label: rows.take(one) for label, rows in looked.items()}

    def _evidence(self, everyone: Rows, everything: Looked) -> list[Evidence]:
        """Evidence of all columns, for found rows whose rows in the data and in the copies are known."""
        out = []
        for name in self.comparison.numbers:
            chosen = self._one_of_each_group(name, everything)
            if chosen is None:
                continue
            one, looked = chosen
            found, data = everyone.take(one), looked[None]
            copies = {v.source(0): looked[v].numbers[name] for v in self.variants}
            bases = {v.source(0)[0]: looked[v._replace(fingerprint="")].numbers[name] for v in self.variants}
            step = self.comparison.step(name)
            out.append(aligned.numbers(name, found.numbers[name], data.numbers[name], copies, bases, step))
        for names in self._category_sets():
            chosen = self._one_of_each_group(names[0], everything)
            if chosen is None:
                continue
            one, looked = chosen
            found, data = everyone.take(one), looked[None]
            codes = {v.source(1): self._joint(looked[v], names) for v in self.variants}
            size = math.prod(len(self.job.recipe.domains[name]) for name in names)
            out.append(aligned.categories(names, self._joint(found, names), self._joint(data, names), codes, size))
        return [one for one in out if one is not None]

    @property
    def _kinds(self) -> tuple[list[str], list[str]]:
        return self.comparison.numbers, self.comparison.categories

    def _category_sets(self) -> list[tuple[str, ...]]:
        """Each column by itself, and what is perturbed together."""
        blocks = [[name for name in block if name in self.comparison.categories] for block in self.job.recipe.blocks]
        single = [(name,) for name in self.comparison.categories]
        return single + [tuple(names) for names in blocks if len(names) > 1]

    def _joint(self, rows: Rows, names: Sequence[str]) -> Integers:
        """The codes of several columns as one; negative where one of them is."""
        sizes = [len(self.job.recipe.domains[name]) for name in names]
        columns = [rows.categories[name] for name in names]
        lowest = np.min(columns, axis=0)
        joint = np.ravel_multi_index([np.maximum(column, 0) for column in columns], sizes)
        return np.where(lowest < 0, lowest, joint)

    def _from_evidence(self, evidence: Sequence[Evidence], how: str) -> Verdict:
        """The verdict where evidence names somebody."""
        ratios = self._ratios(evidence)
        mixtures = [one for one in evidence if one.weights and one.log_chance < _limit(evidence)]
        if mixtures:
            return self.verdict("mixture", ratios, evidence=evidence, weights=self._holders_of(mixtures), how=how)
        return self.verdict("copy", ratios, evidence=evidence, how=how)

    def _ratios(self, evidence: Sequence[Evidence]) -> dict[Variant, float]:
        """Logarithm of the likelihood ratio of each copy: its best column of numbers and its best set of categories.

        The noise of numbers is coloured, so columns of numbers are not independent of each other; of categories.
        """
        total = dict.fromkeys(self.variants, 0.0)
        for place, names in enumerate(self._kinds):
            if some := [one for one in evidence if one.columns[0] in names]:
                best = max(some, key=_strength)
                for variant in total:
                    total[variant] += best.ratios[variant.source(place)]
        return total

    def _holders_of(self, mixtures: Sequence[Evidence]) -> dict[Variant, float]:
        """Weights of copies from those of columns: of the numbers, and among copies alike in these of the categories.

        Copies that are alike in all mixed columns each have the weight that they have together.
        """
        kinds = [[one for one in mixtures if one.columns[0] in some] for some in self._kinds]
        chosen = [(place, max(some, key=_strength)) for place, some in enumerate(kinds) if some]
        place, first = chosen[0]
        weights = {v: first.weights.get(v.source(place), 0.0) for v in self.variants}
        for place, other in chosen[1:]:
            left = {v: w for v, w in weights.items() if v.source(place) in other.weights and w}
            weights = left if len({v.trust for v in left}) > 1 else weights
        return {variant: weight for variant, weight in weights.items() if weight}

    # ------------------------------------------------------------------ the second look
    def by_cells(self) -> Verdict | None:
        """The verdict if cells of the file occur in a copy and not in decoys, or None."""
        sets = shared(self.comparison, self.job, self.variants, self.key, **self._how())
        if not sets:
            return None
        limit = math.log(FALSE_ALARM / LOOKS / (len(sets) * len(self.variants)))
        telling = [one for one in sets if min(one.log_chance.values()) < limit]
        if telling:
            best = max(telling, key=_strength)
            ratios = {v: ratio for v, ratio in best.ratios.items() if best.log_chance[v] < limit}
            richest = max(telling, key=lambda one: np.sum(np.any([rows >= 0 for rows in one.rows.values()], axis=0)))
            if weights := _rows_from_several(richest):
                return self.verdict("mixture", best.ratios, weights=weights, how=EQUAL, log_chances=best.log_chance)
            # Where numbers were altered, rows that are close tell more than cells of what was not.
            altered = not set(self.comparison.numbers) <= set(best.columns)
            return (altered and self.by_closeness()) or self._from_cells(best, ratios)
        whole = sets[0]
        if whole.original >= UNALTERED and whole.by_chance <= whole.original / 2:
            return self.verdict("original")
        return None

    def _from_cells(self, best: Shared, ratios: Mapping[Variant, float]) -> Verdict:
        named = _alike(ratios)
        rows = best.rows[named[0]]
        known, evidence = np.flatnonzero(rows >= 0), None
        if len(known) >= max(aligned.FEWEST, len(rows) // 2):
            looked = lookup(self.comparison, self.job, self.made, rows[known], **self.how)
            evidence = self._evidence(self.comparison.rows.take(best.places[known]), looked)
        return self.verdict(
            "copy", best.ratios, evidence=evidence, how=EQUAL, log_chances=best.log_chance, columns=best.columns,
            named=named,
        )  # fmt: skip

    # ------------------------------------------------------------------ the third look
    def by_closeness(self) -> Verdict | None:
        """The verdict if rows of a copy, or of the average of two, are closer than those of a decoy, or None."""
        moments = {variant: self.in_place[variant] for variant in self.variants}
        if not len(self.in_place[None]):
            return None
        tries = nearest(self.comparison, self.job, self.variants, self.key, moments, self._how)
        limit = math.log(FALSE_ALARM / LOOKS / max(len(tries), 1))
        telling = [one for one in tries if one.log_chance < limit]
        if not telling:
            return None
        names = min(telling, key=lambda one: one.log_chance).columns
        tries = [one for one in tries if one.columns == names]
        best = min((one for one in telling if one.columns == names), key=lambda one: one.closeness)
        alike = [one for one in tries if one.log_chance < limit and one.nearly(best)]
        single = {one.group[0]: one for one in tries if len(one.group) == 1}
        ratios = {v: single[_like(v, single)].ratio for v in self.variants}
        chances = {v: single[_like(v, single)].log_chance for v in self.variants}
        if len(best.group) > 1:
            return self._average(best, alike, ratios, chances)
        known = best.rows >= 0
        looked = lookup(self.comparison, self.job, self.made, best.rows[known], **self.how)
        evidence = self._evidence(self.comparison.rows.take(best.places[known]), looked)
        named = [v for v in self.variants if any((_like(v, single),) == one.group for one in alike)]
        named.sort(key=lambda v: v != best.group[0])
        return self.verdict("copy", ratios, evidence=evidence, how=CLOSE, log_chances=chances, named=named)

    def _average(
        self, best: Near, alike: Iterable[Near], ratios: Mapping[Variant, float], chances: Mapping[Variant, float]
    ) -> Verdict:
        """The verdict on an average of two copies; others whose average is as close stand beside them."""
        members = {(v.trust, v.fingerprint) for one in alike if len(one.group) > 1 for v in one.group}
        weights = {v: 0.5 for v in self.variants if (v.trust, v.fingerprint) in members}
        chances = {v: min(chance, best.log_chance) if v in weights else chance for v, chance in chances.items()}
        return self.verdict("mixture", ratios, weights=weights, how=CLOSE, log_chances=chances)

    # ------------------------------------------------------------------ the answer
    def verdict(
        self,
        kind: str,
        ratios: Mapping[Variant, float] | None = None,
        *,
        evidence: Sequence[Evidence] | None = None,
        weights: Mapping[Variant, float] | None = None,
        how: str = "",
        log_chances: Mapping[Variant, float] | None = None,
        columns: Collection[str] = (),
        named: Sequence[Variant] | None = None,
    ) -> Verdict:
        """A verdict without its sentence."""
        weights, ratios = weights or {}, ratios or dict.fromkeys(self.variants, 0.0)
        if log_chances is None:
            log_chances = dict.fromkeys(self.variants, min((one.log_chance for one in evidence or ()), default=0.0))
        order = sorted(self.variants, key=lambda v: (-weights.get(v, 0.0), -ratios[v]))
        best = max(ratios.values())
        holders = [
            Holder(
                tuple(dict.fromkeys(copy.to for copy in self.copies[v])), v,
                float(min(ratios[v], -log_chances[v]) / math.log(10)), float((best - ratios[v]) / math.log(10)),
                float(weights.get(v, 0.0)),
            )
            for v in order
        ]  # fmt: skip
        if named is None:
            named = _alike(ratios) if kind == "copy" else [v for v in self.variants if v in weights]
        equal, altered = self._columns(evidence, named[0], columns) if kind == "copy" else ((), ())
        if kind == "copy" and altered:
            kind = "altered"
        few = len(self.comparison.rows) < aligned.FEWEST
        return Verdict(
            kind, holders, tuple(named), len(self.comparison.rows), self.comparison.columns, equal, altered, how,
            min(math.exp(min(log_chances.values())), 1.0), few,
        )  # fmt: skip

    def _columns(
        self, evidence: Sequence[Evidence] | None, variant: Variant, columns: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The perturbed columns that equal the copy, and those that do not."""
        perturbed = [*self.comparison.numbers, *self.comparison.categories]
        if evidence is None:
            same = tuple(name for name in perturbed if name in columns)
            return same, tuple(name for name in perturbed if name not in columns)
        equal: set[str] = set()
        for one in _single(evidence):
            place = 0 if one.columns[0] in self.comparison.numbers else 1
            if one.equal[variant.source(place)] >= UNALTERED:
                equal.add(one.columns[0])
        judged = {one.columns[0] for one in _single(evidence)}
        order = [name for name in self.comparison.columns if name in judged]
        return tuple(name for name in order if name in equal), tuple(name for name in order if name not in equal)


def _like(variant: Variant, known: Collection[Variant]) -> Variant:
    """The variant among `known` that has the same numbers, and if possible the same categories."""
    return variant if variant in known else next(v for v in known if v[::2] == variant[::2])


def _strength(evidence: Evidence | Shared) -> float:
    """How well the best copy explains something."""
    return max(evidence.ratios.values())


def _alike(ratios: Mapping[Variant, float]) -> list[Variant]:
    """The likeliest copy, and those that are nearly as likely."""
    best = max(ratios.values())
    return [
        variant for variant in sorted(ratios, key=ratios.__getitem__, reverse=True) if best - ratios[variant] < NEARLY
    ]


def _single(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Evidence of single columns."""
    return [one for one in evidence if len(one.columns) == 1]


def _limit(evidence: Sequence[Evidence]) -> float:
    return math.log(FALSE_ALARM / LOOKS / max(len(evidence), 1))


def _names_somebody(evidence: Sequence[Evidence]) -> bool:
    return any(one.log_chance < _limit(evidence) for one in evidence)


def _rows_from_several(best: Shared) -> dict[Variant, float]:
    """Shares of copies whose rows stand side by side in the file; empty if one copy has nearly all that any has."""
    left, shares = np.ones(len(best.places), dtype=bool), {}
    for variant in sorted(best.rows, key=lambda v: -int(np.sum(best.rows[v] >= 0))):
        new = left & (best.rows[variant] >= 0)
        if new.mean() > best.by_chance + 0.1:
            shares[variant] = float(new.mean())
        left &= ~new
    total = sum(shares.values())
    return {variant: share / total for variant, share in shares.items()} if len(shares) > 1 else {}


__all__ = ["FALSE_ALARM", "Holder", "Variant", "Verdict", "find"]
