"""What a coalition believes of a sensitive value after uniform perturbation (Xiao et al. 2009, Appendix 2).

Notation: s the size of the domain, prior(x) what is believed beforehand, y_i the value in copy i, and
gamma_i = 1 + s p_i / (1 - p_i), how much likelier x is than any other value to be released as x.

Independent copies: the posterior is prior(x) times the product of gamma_i over the copies with y_i = x, over
a normaliser. Only values that were seen gain on the others, so the normaliser is built up copy by copy, as

    Z_i = Z_(i-1) + prior(y_i) G_(i-1)(y_i) (gamma_i - 1),   Z_0 = 1,   G(x) the product so far,

all terms positive and in logarithms, in memory that does not depend on s. Nested copies: the best copy alone
(Theorem 1). A copy at p = 1 is the truth, whatever the prior says.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from trustscope.engine import keys
from trustscope.engine.arrays import ArrayLike, Floats, Integers, Several
from trustscope.engine.uniform.law import check_coalition, check_codes, check_scheme, check_size, replacement
from trustscope.errors import TrustscopeError

MOST_CELLS = 2 * 10**7
MOST_RECIPIENTS = 12


def uniform_prior(size: int) -> Floats:
    """The prior that prefers nothing, shape (size,)."""
    size = check_size(size)
    return np.full(size, 1 / size)


def empirical_prior(codes: ArrayLike, size: int) -> Floats:
    """Shares of the values in a column: what someone knows who knows the statistics of the data."""
    size = check_size(size)
    codes = check_codes(codes, size)
    if not len(codes):
        raise TrustscopeError("Without rows there are no shares to take as a prior.")
    return np.bincount(codes, minlength=size) / len(codes)


def posterior(
    copies: Several, ps: ArrayLike, size: int, *, scheme: str = "nested", prior: ArrayLike | None = None
) -> Floats:
    """Probability of every value, given a coalition's copies.

    Parameters
    ----------
    copies : sequence of M array-likes of int, or an array, shape (M, rows)
    ps : array-like, shape (M,)
        Their retention probabilities, in the same order.
    size : int
        Size s of the domain.
    scheme : {"nested", "independent"}
    prior : array-like, shape (size,), optional
        Uniform by default; see also `empirical_prior`.

    Returns
    -------
    numpy.ndarray, shape (rows, size)
        At most 20 million entries: for more, ask for `best_guess` or `reconstruction_probability`, or
        for some of the rows.
    """
    seen = _Seen(copies, ps, size, scheme, prior)
    if seen.rows * seen.size > MOST_CELLS:
        raise TrustscopeError(
            f"{seen.rows:,} rows of {seen.size:,} values are too many to list: ask for fewer rows at a time."
        )
    if seen.certain is not None:
        return np.asarray(np.equal.outer(seen.certain, np.arange(seen.size)).astype(float))
    weight = np.tile(seen.log_prior, (seen.rows, 1))
    every = np.arange(seen.rows)
    for copy, gain in zip(seen.copies, seen.gains, strict=True):
        weight[every, copy] += gain
    weight -= weight.max(axis=1, keepdims=True)
    np.exp(weight, out=weight)
    weight /= weight.sum(axis=1, keepdims=True)
    return weight


def belief(
    observed: Iterable[int], ps: ArrayLike, size: int, *, scheme: str = "nested", prior: ArrayLike | None = None
) -> Floats:
    """Probability of every value for one person, given what each of the coalition got, shape (size,)."""
    return np.asarray(posterior([[value] for value in observed], ps, size, scheme=scheme, prior=prior)[0])


def reconstruction_probability(
    truth: ArrayLike,
    copies: Several,
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
) -> Floats:
    """Probability that the coalition gives to the true value of every record (Eq. 25).

    Parameters
    ----------
    truth : array-like of int, shape (rows,)
    copies, ps, size, scheme, prior
        As in `posterior`.

    Returns
    -------
    numpy.ndarray, shape (rows,)
    """
    *_, last = _growing(truth, _Seen(copies, ps, size, scheme, prior))
    return last


def reconstruction_curve(
    truth: ArrayLike,
    copies: Several,
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Mean reconstruction probability as recipients join one by one, in the order given (Figure 7).

    Parameters
    ----------
    truth, copies, ps, size, scheme, prior
        As in `reconstruction_probability`.

    Returns
    -------
    means, standard_errors : numpy.ndarray, shape (M,)
        Over the records; entry m is for the first m + 1 recipients.
    """
    ps, steps = check_coalition(ps), []
    if check_scheme(scheme) == "nested":
        # Whoever joins changes something only by being the best so far.
        cache = {}
        for count in range(1, len(ps) + 1):
            best = int(np.argmax(ps[:count]))
            if best not in cache:
                cache[best] = reconstruction_probability(truth, [copies[best]], ps[[best]], size, prior=prior)
            steps.append(cache[best])
    else:
        steps = list(_growing(truth, _Seen(copies, ps, size, scheme, prior)))
    rows = max(len(steps[0]), 1)
    return np.array([s.mean() for s in steps]), np.array([s.std() / np.sqrt(rows) for s in steps])


def best_guess(
    copies: Several, ps: ArrayLike, size: int, *, scheme: str = "nested", prior: ArrayLike | None = None
) -> tuple[Integers, Floats]:
    """The likeliest value of every record, and its probability.

    Parameters
    ----------
    copies, ps, size, scheme, prior
        As in `posterior`.

    Returns
    -------
    guess : numpy.ndarray of int, shape (rows,)
        One of the values seen, or the likeliest beforehand; the lowest code among equals.
    probability : numpy.ndarray, shape (rows,)
    """
    seen = _Seen(copies, ps, size, scheme, prior)
    if seen.certain is not None:
        return seen.certain, np.ones(seen.rows)
    mode = int(np.argmax(seen.log_prior))
    guess = np.full(seen.rows, mode)
    best = seen.weight(guess)
    for copy in seen.copies:
        weight = seen.weight(copy)
        better = (weight > best) | ((weight == best) & (copy < guess))
        np.copyto(guess, copy, where=better)
        np.copyto(best, weight, where=better)
    *_, normaliser = seen.normalisers()
    return guess, np.exp(best - normaliser)


def expected_reconstruction(
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
    draws: int = 20_000,
    key: int = 0,
) -> tuple[float, float]:
    """Reconstruction probability that a coalition has on average, for values drawn from the prior.

    Nested: exact, from the best copy. Independent: exact by enumeration where size^M is small, or the mean of
    keyed draws.

    Parameters
    ----------
    ps, size, scheme, prior
        As in `posterior`.
    draws : int
        Records to simulate where enumeration would be too large.
    key : int

    Returns
    -------
    mean, standard_error : float
        The standard error is 0 where the mean is exact.
    """
    ps, size, prior = check_coalition(ps), check_size(size), check_prior(prior, size)
    if check_scheme(scheme) == "nested" or len(ps) == 1:
        return float(_alone(ps.max(), size, prior)), 0.0
    if size ** len(ps) <= 10**5:
        likelihood = np.ones((size, 1))
        for p in ps:
            likelihood = (likelihood[:, :, None] * replacement(p, size)[:, None, :]).reshape(size, -1)
        joint = prior[:, None] * likelihood
        total = joint.sum(axis=0)
        mean = np.divide((joint**2).sum(axis=0), total, out=np.zeros_like(total), where=total > 0).sum()
        return float(mean), 0.0
    truth, copies = _simulated(ps, size, prior, draws, key)
    found = reconstruction_probability(truth, copies, ps, size, scheme=scheme, prior=prior)
    return float(found.mean()), float(found.std() / np.sqrt(draws))


def coalitions(
    ps: ArrayLike,
    size: int,
    *,
    scheme: str = "nested",
    prior: ArrayLike | None = None,
    draws: int = 4_000,
    key: int = 0,
) -> Floats:
    """Expected reconstruction probability of every coalition.

    Parameters
    ----------
    ps : array-like, shape (M,)
        M <= 12.
    size, scheme, prior, draws, key
        As in `expected_reconstruction`; all coalitions are judged on the same draws.

    Returns
    -------
    numpy.ndarray, shape (2^M,)
        Entry `mask` is for the recipients whose bits are set in it; nobody (0) has the prior alone. Exact for
        the nested scheme, means of draws for coalitions of two or more in the independent one.
    """
    ps, size, prior = check_coalition(ps), check_size(size), check_prior(prior, size)
    nested = check_scheme(scheme) == "nested"
    if len(ps) > MOST_RECIPIENTS:
        raise TrustscopeError(f"All coalitions of {len(ps)} recipients are too many: at most {MOST_RECIPIENTS}.")
    alone = [float(_alone(p, size, prior)) for p in ps]
    out = np.empty(1 << len(ps))
    truth, copies = (np.empty(0, dtype=np.int64), []) if nested else _simulated(ps, size, prior, draws, key)
    for mask in range(len(out)):
        members = [i for i in range(len(ps)) if mask >> i & 1]
        if not members:
            out[mask] = prior @ prior
        elif nested or len(members) == 1:
            out[mask] = alone[max(members, key=lambda i: ps[i])]
        else:
            held = [copies[i] for i in members]
            found = reconstruction_probability(truth, held, ps[members], size, scheme=scheme, prior=prior)
            out[mask] = found.mean()
    return out


def _alone(p: float, size: int, prior: Floats) -> float:
    """Mean of P(X = x | Y) over X and one copy Y: the sum over y of sum_x P(x, y)^2 / P(y)."""
    other = (1 - p) / size
    total = p * prior + other
    square = (prior * (p + other)) ** 2 + other**2 * (prior @ prior - prior**2)
    mean: float = np.divide(square, total, out=np.zeros(size), where=total > 0).sum()
    return mean


def _simulated(ps: Floats, size: int, prior: Floats, draws: int, key: int) -> tuple[Integers, list[Integers]]:
    """Records drawn from the prior and their independent copies."""
    rng = keys.rng(key, "posterior")
    truth = rng.choice(size, size=draws, p=prior)
    copies = [np.where(rng.random(draws) < p, truth, rng.integers(size, size=draws)) for p in ps]
    return truth, copies


def _growing(truth: ArrayLike, seen: "_Seen") -> Iterator[Floats]:
    """The probability of the truth after each copy more, shape (rows,)."""
    truth = check_codes(truth, seen.size)
    if len(truth) != seen.rows:
        raise TrustscopeError(f"There are {len(truth):,} true values but copies of {seen.rows:,} rows.")
    weight, known = seen.log_prior[truth], False
    for copy, gain, normaliser in zip(seen.copies, seen.gains, seen.normalisers(), strict=True):
        known = known or np.isinf(gain)
        if known and seen.certain is not None:
            yield (seen.certain == truth).astype(float)
            continue
        weight = weight + np.where(copy == truth, gain, 0.0)
        yield np.exp(weight - normaliser)


class _Seen:
    """Copies, checked, with what each adds to the logarithm of the weight of its value."""

    def __init__(self, copies: Several, ps: ArrayLike, size: int, scheme: str, prior: ArrayLike | None) -> None:
        self.size = check_size(size)
        ps = check_coalition(ps)
        if len(copies) != len(ps):
            raise TrustscopeError(f"There are {len(ps)} retention probabilities but {len(copies)} copies.")
        if check_scheme(scheme) == "nested":
            best = int(np.argmax(ps))
            copies, ps = [copies[best]], ps[[best]]
        self.copies = [check_codes(copy, self.size) for copy in copies]
        self.rows = len(self.copies[0])
        if any(len(copy) != self.rows for copy in self.copies):
            raise TrustscopeError("The copies have different numbers of rows.")
        with np.errstate(divide="ignore"):
            self.gains = np.log1p(self.size * ps / (1 - ps))
            self.log_prior = np.log(check_prior(prior, self.size))
        exact = np.flatnonzero(ps == 1)
        self.certain = self.copies[exact[0]].astype(np.int64) if exact.size else None

    def weight(self, values: Integers) -> Floats:
        """Logarithm of prior times likelihood (without common factors) of one value for every row."""
        total = self.log_prior[values]
        for copy, gain in zip(self.copies, self.gains, strict=True):
            total += np.where(copy == values, gain, 0.0)
        return total

    def normalisers(self) -> Iterator[Floats]:
        """ln Z after each copy more, shape (rows,)."""
        total = np.zeros(self.rows)
        # After a copy at p = 1 the normaliser is of no more use; a gain of 0 just keeps it finite.
        gains = np.where(np.isinf(self.gains), 0.0, self.gains)
        with np.errstate(divide="ignore"):
            steps = np.log(np.expm1(gains))
        for count, copy in enumerate(self.copies):
            weight = self.log_prior[copy] + steps[count]
            for earlier, gain in zip(self.copies[:count], gains[:count], strict=True):
                weight += np.where(earlier == copy, gain, 0.0)
            total = np.logaddexp(total, weight)
            yield total


def check_prior(prior: ArrayLike | None, size: int) -> Floats:
    """The prior as shares that sum to 1."""
    if prior is None:
        return uniform_prior(size)
    shares = np.asarray(prior, dtype=float)
    if shares.shape != (size,):
        raise TrustscopeError(f"The prior needs one share for each of the {size} values, not shape {shares.shape}.")
    if not np.all(shares >= 0) or not np.isclose(shares.sum(), 1, rtol=0, atol=1e-9):
        raise TrustscopeError("The prior must be shares that are not negative and sum to 1.")
    return np.asarray(shares / shares.sum())
