"""What a found file tells where it is known which of its rows is which row of the data: column by column.

Noise is independent of the data and of whatever else a file may come from. So under "the file has nothing to do with
the copies", given the found column F and the data X, the path's steps b between the levels that are out are still plain
normals, and the correlation of b with F, both freed of X, has Student's law exactly, whatever F is. For categories the
number of rows where F equals a copy is a sum of independent events with known probabilities, for which Chernoff's bound
holds. Both give the chance of a false alarm for one column by itself, with no assumption about who altered what.

Who fits best is a matter of likelihoods: numbers as a linear function of the data and one copy, with errors of any size
(so a scaled, rounded or blurred copy fits too); categories as those of a copy but for a share of altered rows.
Averages are regressions on all steps at once: a step has the weight of all copies beyond it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.release.comparing import MISSING
from trustscope.release.fingerprint import SHARE

# Shares of altered rows that are tried.
ALTERED = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8)
# A column counts as unaltered from this share of equal rows on.
UNALTERED = 0.9
# With fewer rows a column is not judged.
FEWEST = 8
# Trust or retention in thousandths, and whose fingerprint: what a column of a copy hangs on.
Source = tuple[int, str]


@dataclass(frozen=True)
class Evidence:
    """What one column, or several together, say.

    Attributes
    ----------
    columns : tuple of str
    log_chance : float
        Logarithm of (a bound on) the probability that noise which has nothing to do with the file would agree with it
        as well, after all copies were tried.
    ratios : dict of source to float
        Logarithm of the likelihood ratio of "from this copy, altered or not" to "from none".
    equal : dict of source to float
        Share of the rows that equal the copy.
    original : float
        Share of the rows that equal the data.
    weights : dict of source to float
        Of those copies that a mixture needs, if one explains the column clearly better than any single copy.
    distance : float
        For numbers: variance that the data leaves unexplained, over the variance of the data.
    """

    columns: tuple[str, ...]
    log_chance: float
    ratios: dict[Source, float]
    equal: dict[Source, float]
    original: float
    weights: dict[Source, float] = field(default_factory=dict)
    distance: float = np.nan


def numbers(
    name: str, found: Floats, data: Floats, copies: Mapping[Source, Floats], bases: Mapping[int, Floats], step: float
) -> Evidence | None:
    """Evidence of one column of numbers.

    Parameters
    ----------
    name : str
    found, data : numpy.ndarray, shape (rows,)
        NaN where a value is missing.
    copies : dict of (int, str) to numpy.ndarray
        The column in each copy, by trust and fingerprint.
    bases : dict of int to numpy.ndarray
        The same without fingerprints, by trust.
    step : float
        What the column is rounded to.

    Returns
    -------
    Evidence or None
        None where there is too little to judge.
    """
    here = ~np.isnan(found) & ~np.isnan(data)
    for values in copies.values():
        here &= ~np.isnan(values)
    rows = int(here.sum())
    if rows < FEWEST:
        return None
    f, x = found[here], data[here]
    plain = np.column_stack([np.ones(rows), x - x.mean()])
    floor = step**2 / 12 + np.finfo(float).tiny
    basis, sources = _steps({t: v[here] for t, v in bases.items()}, {c: v[here] for c, v in copies.items()}, x)
    left = _residual(plain, f)
    chance = min((_correlation(plain, left, b) for b in basis), default=0.0) + np.log(max(len(basis), 1))
    nobody = _log_likelihood(left, floor)
    ratios, fits = {}, {}
    for source, values in copies.items():
        fits[source] = _residual(np.column_stack([plain, values[here] - x]), f)
        ratios[source] = _log_likelihood(fits[source], floor) - nobody - np.log(rows) / 2
    tolerance = step / 4
    hits = {source: np.abs(f - values[here]) <= tolerance for source, values in copies.items()}
    equal = {source: float(hit.mean()) for source, hit in hits.items()}
    best, weights = max(ratios, key=ratios.__getitem__), {}
    if max(equal.values()) < UNALTERED <= np.any(list(hits.values()), axis=0).mean():
        weights = _rows_of_several(hits, np.full(rows, 1e-3), -np.inf)
    elif len(copies) > 1:
        weights = _weights(plain, f, basis, sources, fits[best], floor)
    spread = max(float(np.var(x)), floor)
    return Evidence(
        (name,), min(chance, 0.0), ratios, equal, float(np.mean(np.abs(f - x) <= tolerance)), weights,
        float(np.mean(left**2)) / spread,
    )  # fmt: skip


def _steps(
    bases: Mapping[int, Floats], copies: Mapping[Source, Floats], data: Floats
) -> tuple[list[Floats], list[Source]]:
    """Independent pieces of the noise, steps of the path from level to level and fingerprints; with what each is of."""
    basis, sources, before = [], [], data
    for trust in sorted(bases, reverse=True):
        basis.append(bases[trust] - before)
        sources.append((trust, ""))
        before = bases[trust]
    for (trust, name), values in copies.items():
        if name:
            basis.append(values - bases[trust])
            sources.append((trust, name))
    told = [place for place, piece in enumerate(basis) if np.any(piece != 0)]
    return [basis[place] for place in told], [sources[place] for place in told]


def _residual(design: Floats, values: Floats) -> Floats:
    return values - design @ np.linalg.lstsq(design, values, rcond=None)[0]


def _log_likelihood(residual: Floats, floor: float) -> float:
    return -len(residual) / 2 * float(np.log(max(float(np.mean(residual**2)), floor)))


def _correlation(plain: Floats, left: Floats, piece: Floats) -> float:
    """Logarithm of the two-sided probability of a correlation as strong, by Student's law."""
    from scipy.stats import t as student  # scipy.stats takes a second to import

    piece = _residual(plain, piece)
    scale = np.sqrt((left @ left) * (piece @ piece))
    if not scale > 0:
        return 0.0
    r = min(float(abs(left @ piece) / scale), 1 - 1e-15)
    degrees = len(left) - 3
    t = r * np.sqrt(degrees / (1 - r**2))
    # Far out the tail of Student's law is a power; its logarithm is computed where the probability would be 0.
    tail = student.logsf(t, degrees)
    return float(np.log(2) + (tail if np.isfinite(tail) else degrees / 2 * np.log1p(-(r**2))))


def _weights(
    plain: Floats, found: Floats, basis: Sequence[Floats], sources: Sequence[Source], single: Floats, floor: float
) -> dict[Source, float]:
    """Weights of the copies in a mixture; empty if one copy explains the column as well."""
    design = np.column_stack([plain, *basis])
    coefficients, *_ = np.linalg.lstsq(design, found, rcond=None)
    left = found - design @ coefficients
    rows, extra = len(found), len(basis) - 1
    gain = _log_likelihood(left, floor) - _log_likelihood(single, floor)
    # Far more than the parameters cost, and more than a few blurred rows could bring.
    if extra < 1 or gain < 20 + extra * np.log(rows) or np.mean(left**2) > 0.9 * np.mean(single**2):
        return {}
    variance = max(float(np.mean(left**2)), floor)
    errors = np.sqrt(variance * np.diag(np.linalg.pinv(design.T @ design)))[2:]
    held, error = _from_steps(coefficients[2:], errors, sources)
    total = sum(held.values())
    if not total > 0:
        return {}
    shares = {source: weight / total for source, weight in held.items() if weight > max(4 * error[source], 0.1 * total)}
    return shares if len(shares) > 1 else {}


def _from_steps(
    coefficients: NDArray[np.floating[Any]], errors: Floats, sources: Sequence[Source]
) -> tuple[dict[Source, float], dict[Source, float]]:
    """Weights of copies from those of the path's steps: a step has the weight of all copies beyond it."""
    weights, spread = {}, {}
    for place, (trust, name) in enumerate(sources):
        weights[trust, name] = coefficients[place]
        spread[trust, name] = errors[place]
    levels = [source for source in sources if not source[1]]
    for place, source in enumerate(levels):
        beyond = levels[place + 1] if place + 1 < len(levels) else None
        marked = sum(weight for (trust, name), weight in weights.items() if name and trust == source[0])
        after = 0.0 if beyond is None else coefficients[sources.index(beyond)]
        weights[source] = coefficients[sources.index(source)] - after - marked
        spread[source] = float(np.hypot(spread[source], 0 if beyond is None else errors[sources.index(beyond)]))
    return weights, spread


def categories(
    names: tuple[str, ...], found: Integers, data: Integers, copies: Mapping[Source, Integers], size: int
) -> Evidence | None:
    """Evidence of one column of categories, or of several together.

    Parameters
    ----------
    names : tuple of str
    found, data : numpy.ndarray of int, shape (rows,)
        Codes; negative where a category is missing or unknown.
    copies : dict of (int, str) to numpy.ndarray of int
        The same in each copy, by retention and fingerprint.
    size : int
        How many codes there are.
    """
    here = (found != MISSING) & (data != MISSING)
    rows = int(here.sum())
    if rows < FEWEST:
        return None
    f, x = found[here], data[here]
    same = f == x
    hits = {source: f == codes[here] for source, codes in copies.items()}
    chances = []
    for (retention, name), hit in hits.items():
        kept = retention / 1000 * (1 - SHARE if name else 1)
        chances.append(chernoff(hit.sum(), np.where(f < 0, 0.0, kept * same + (1 - kept) / size)))
    none = _nobody(f, same, size)
    nobody = np.log(none).sum()
    ratios = {source: _log_likelihood_if_altered(hit, none) - nobody for source, hit in hits.items()}
    weights = _rows_of_several(hits, none, max(ratios.values()) + nobody) if len(hits) > 1 else {}
    equal = {source: float(hit.mean()) for source, hit in hits.items()}
    chance = min(min(chances) + np.log(len(chances)), 0.0)
    return Evidence(names, chance, ratios, equal, float(same.mean()), weights)


def chernoff(count: int, probabilities: Floats) -> float:
    """Logarithm of a bound on the probability that so many independent events happen, or more."""
    if count <= probabilities.sum():
        return 0.0
    slopes = np.geomspace(0.01, 30, 60)
    # Events with the same probability are bounded together: there are few different ones.
    values, counts = np.unique(probabilities, return_counts=True)
    bounds = counts @ np.log1p(np.multiply.outer(values, np.expm1(slopes))) - slopes * count
    return float(min(bounds.min(), 0.0))


def _nobody(found: Integers, same: Bools, size: int) -> Floats:
    """Probability of each found category where the file comes from no copy: the likeliest of a few such worlds."""
    shares = np.linspace(0, 0.999, 40)
    worlds = [share * same + (1 - share) / size for share in shares]
    _, place, counts = np.unique(found, return_inverse=True, return_counts=True)
    worlds.append((counts / len(found))[place])
    return max(worlds, key=lambda world: np.log(world).sum())


def _log_likelihood_if_altered(hit: Bools, none: Floats) -> float:
    return float(max(np.log((1 - e) * hit + e * none).sum() for e in ALTERED) - np.log(len(ALTERED)))


def _rows_of_several(hits: Mapping[Source, Bools], none: Floats, single: float) -> dict[Source, float]:
    """Shares of rows from each of several copies, by expectation and maximisation; empty if one explains them."""
    likelihood = np.column_stack([*(hit.astype(float) for hit in hits.values()), none])
    weights = np.full(likelihood.shape[1], 1 / likelihood.shape[1])
    for _ in range(60):
        parts = likelihood * weights
        weights = (parts / parts.sum(axis=1, keepdims=True)).mean(axis=0)
    gain = np.log(likelihood @ weights).sum() - single
    shares = {source: float(w) for source, w in zip(hits, weights, strict=False) if w > 0.1}
    if gain < 20 + len(hits) * np.log(len(none)) or len(shares) < 2:
        return {}
    total = sum(shares.values())
    return {source: share / total for source, share in shares.items()}
