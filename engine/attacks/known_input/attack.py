"""What the linked records give away of all the others (Giannella et al. 2009, Sec. IV-B to IV-F, Appendix I)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from trustscope.engine.arrays import ArrayLike, Bools, Floats, Integers, Numbers
from trustscope.engine.attacks.known_input.breach import breach_probability, cosine_breach, projection_breach
from trustscope.engine.attacks.known_input.linking import TOLERANCE, Links, checked, link
from trustscope.engine.attacks.known_input.twins import rounding, twins_of
from trustscope.engine.measures import breached
from trustscope.engine.rotation import haar
from trustscope.errors import TrustscopeError

__all__ = ["ATTACKERS", "KnownInputAttack", "attack"]

ATTACKERS = ("uniform", "projection")

# Directions in which the known records extend less than this, relative to the longest one, are ignored.
RANK = 1e-9


@dataclass(frozen=True, eq=False)
class KnownInputAttack:
    """What the attacker knows after linking.

    Attributes
    ----------
    links : Links
    released : numpy.ndarray, shape (rows, n)
    translated : bool
    basis, image : numpy.ndarray, shape (n, k)
        U_k, an orthonormal basis of the span of the linked records (with translation: of their differences),
        and M_T U_k, where the release sent it.
    complement, complement_image : numpy.ndarray, shape (n, n - k)
        U_{n-k} and V_{n-k}, bases of what is orthogonal to either.
    origin, origin_image : numpy.ndarray, shape (n,)
        A record and its released row, from which the others are measured: with translation the first linked
        one, otherwise zero. The choice does not matter: differences from any linked record have the same span,
        and the same distance from it.
    residuals : numpy.ndarray, shape (rows,)
        Distance of the record behind each released row from what is known: r.
    norms : numpy.ndarray, shape (rows,)
        Lengths of the records; with translation, where they do not show, the attacker's guess or what was given.
    linked_rows : numpy.ndarray of bool, shape (rows,)
        Released rows that are known anyway, identical ones too: they hold the same record.
    """

    links: Links
    released: Floats
    translated: bool
    basis: Floats
    image: Floats
    complement: Floats
    complement_image: Floats
    origin: Floats
    origin_image: Floats
    residuals: Floats
    norms: Floats
    linked_rows: Bools

    @property
    def freedom(self) -> int:
        """n - k, the dimensions across which anything is possible."""
        return int(self.complement.shape[1])

    @property
    def informed(self) -> bool:
        """Whether the attacker can guess at all: not while a shift is possible and no record is linked."""
        return not self.translated or bool(self.linked_rows.any())

    def breach(self, eps: float, *, attacker: str = "uniform", kind: str = "euclidean") -> Floats:
        """Probability of a breach of every released row; 1 for the linked ones.

        Parameters
        ----------
        eps : float
        attacker : {"uniform", "projection"}
            The uniform choice of Theorem 4.2, or the projection onto what is known.
        kind : {"euclidean", "cosine"}
            Those with a closed form (Definition 3.1); `measured` has all three.

        Returns
        -------
        numpy.ndarray, shape (rows,)
        """
        return np.where(self.linked_rows, 1.0, self.breach_of(slice(None), eps, attacker=attacker, kind=kind))

    def breach_of(
        self,
        rows: int | slice | Integers | Sequence[int],
        eps: Numbers,
        *,
        attacker: str = "uniform",
        kind: str = "euclidean",
    ) -> Numbers:
        """The closed form for some released rows, linked or not; `eps` may be an array that broadcasts with them."""
        _refuse_attacker(attacker)
        if kind not in ("euclidean", "cosine"):
            raise TrustscopeError(f"There is a closed form for euclidean and cosine, not {kind!r}; use measured().")
        if kind == "cosine" and self.translated:
            raise TrustscopeError("With translation the cosine has no closed form; use measured().")
        norms, residuals = self.norms[rows], self.residuals[rows]
        if not self.informed:
            return np.zeros(np.broadcast_shapes(np.shape(eps), norms.shape))
        if attacker == "uniform":
            return (cosine_breach if kind == "cosine" else breach_probability)(eps, norms, residuals, self.freedom)
        if np.any(~(np.asarray(eps, dtype=float) >= 0)):
            raise TrustscopeError("The threshold must be a finite number and not negative.")
        if kind == "cosine":
            # The projection has cosine sqrt(1 - (r / ||x||)^2) with the record.
            eps = np.sqrt(1 - (1 - np.minimum(eps, 1)) ** 2)
        return projection_breach(eps, norms, residuals)

    def most_exposed(
        self, eps: float, *, attacker: str = "uniform", kind: str = "euclidean"
    ) -> tuple[int | None, float]:
        """The row, other than the linked ones, with the highest probability, and that probability: rho(eps).

        Ties go to the record nearest to what is known, relative to its length. (None, nan) if all are linked.
        """
        chance = np.where(self.linked_rows, -1.0, self.breach(eps, attacker=attacker, kind=kind))
        if self.linked_rows.all():
            return None, float("nan")
        relative = self.residuals / np.where(self.norms > 0, self.norms, 1.0)
        best = np.flatnonzero(chance == chance.max())
        row = best[np.argmin(relative[best])]
        return int(row), float(chance[row])

    def estimate(
        self,
        rows: slice | Integers | Sequence[int] | None = None,
        *,
        attacker: str = "uniform",
        rng: np.random.Generator | None = None,
    ) -> Floats:
        """The attacker's guess of the records behind some released rows, shape (rows, n).

        Parameters
        ----------
        rows : slice or array-like of int, optional
            All by default.
        attacker : {"uniform", "projection"}
        rng : numpy.random.Generator
            For the uniform choice: one matrix is drawn, the same for all rows (Algorithm IV-D.1).
        """
        _refuse_attacker(attacker)
        if not self.informed:
            raise TrustscopeError(
                "No known record could be linked, so nothing is known of the shift: there is no estimate."
            )
        y = (self.released if rows is None else self.released[rows]) - self.origin_image
        guess = (y @ self.image) @ self.basis.T
        if attacker == "uniform":
            if rng is None:
                raise TrustscopeError("The uniform choice is a random one: give a generator.")
            # x^ = U_k (M_T U_k)' y + U_{n-k} P' V_{n-k}' y
            guess += ((y @ self.complement_image) @ haar(self.freedom, rng)) @ self.complement.T
        return self.origin + guess

    def measured(
        self,
        original: ArrayLike,
        eps: Numbers,
        *,
        attacker: str = "uniform",
        kind: str = "euclidean",
        draws: int = 200,
        rng: np.random.Generator | None = None,
    ) -> Floats:
        """Share of the draws in which each released row is breached, by any of the three definitions.

        Parameters
        ----------
        original : array-like, shape (rows, n)
            The records in the order of the released rows.
        eps, attacker, kind
            As in `engine.measures.breached`; "entry" is the paper's MED.
        draws : int
            Matrices drawn; the projection needs one look.

        Returns
        -------
        numpy.ndarray, shape (rows,)
        """
        _refuse_attacker(attacker)
        if draws != int(draws) or draws < 1:
            raise TrustscopeError(f"There must be at least one draw, a whole number, not {draws}.")
        if np.shape(original) != self.released.shape:
            raise TrustscopeError(
                f"There must be a record for each released row, {self.released.shape}, not {np.shape(original)}."
            )
        times = draws if attacker == "uniform" and self.freedom else 1
        count = np.zeros(len(self.released))
        if not self.informed:
            return count
        for _ in range(times):
            count += breached(original, self.estimate(attacker=attacker, rng=rng), eps, kind)
        return count / times


def attack(
    known: ArrayLike,
    released: ArrayLike,
    *,
    translated: bool = False,
    links: Links | None = None,
    norms: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
) -> KnownInputAttack:
    """Link the known records and work out what they say about all other rows.

    Parameters
    ----------
    known : array-like, shape (a, n)
    released : array-like, shape (rows, n)
    translated : bool
        Whether there may have been a shift.
    links : Links, optional
        What `link` returned, where it was called before.
    norms : array-like, shape (rows,), optional
        With translation: the true lengths of the records behind the rows, for an audit by the owner. The
        attacker, who does not see them, takes those of her average guess.
    tolerance : float
        For `link`: raise it where the released values were rounded.

    Returns
    -------
    KnownInputAttack
    """
    x, y = checked(known, released)
    if links is None:
        links = link(x, y, translated=translated, tolerance=tolerance)
    else:
        _refuse_others_links(links, x, y, translated)
    linked = links.linked
    inputs, outputs = x[linked], y[links.rows[linked]]
    columns = x.shape[1]
    origin, origin_image = np.zeros(columns), np.zeros(columns)
    if translated and len(linked):
        origin, origin_image = inputs[0], outputs[0]
        inputs, outputs = inputs[1:] - origin, outputs[1:] - origin_image
    basis, image, complement, complement_image = _bases(inputs, outputs, columns)
    away = y - origin_image if translated else y
    along = away @ image
    rest = along @ image.T
    np.subtract(away, rest, out=rest)
    residuals = np.sqrt(np.einsum("ij,ij->i", rest, rest))
    if norms is None:
        # Columns of the basis are orthonormal: without an origin, coordinates have the length of what they stand for.
        inside = origin + along @ basis.T if translated else along
        norms = np.sqrt(np.einsum("ij,ij->i", inside, inside) + residuals**2)
    norms = np.asarray(norms, dtype=float)
    if norms.shape != (len(y),):
        raise TrustscopeError(f"There must be one length for each of the {len(y)} rows, not {norms.shape}.")
    known_rows = twins_of(y, links.rows[linked], rounding(y, translated=translated))
    return KnownInputAttack(
        links,
        y,
        translated,
        basis,
        image,
        complement,
        complement_image,
        origin,
        origin_image,
        residuals,
        norms,
        known_rows,
    )


def _bases(inputs: Floats, outputs: Floats, columns: int) -> tuple[Floats, Floats, Floats, Floats]:
    """U_k, M_T U_k, U_{n-k}, V_{n-k} from linked records and their images."""
    if not len(inputs):
        whole = np.eye(columns)
        return np.empty((columns, 0)), np.empty((columns, 0)), whole, whole
    left, sizes, right = np.linalg.svd(inputs.T)
    rank = int(np.count_nonzero(sizes > RANK * sizes.max())) if sizes.max() > 0 else 0
    # X = U S V', so M_T U = Y V / S.
    image = outputs.T @ right[:rank].T / sizes[:rank]
    turned, _, back = np.linalg.svd(image) if rank else (np.eye(columns), None, np.empty((0, 0)))
    # The nearest orthonormal matrix: rounding is not amplified further.
    return left[:, :rank], turned[:, :rank] @ back, left[:, rank:], turned[:, rank:]


def _refuse_others_links(links: Links, x: Floats, y: Floats, translated: bool) -> None:
    """Links of other records, or of another release, would give estimates of nothing."""
    linked = links.linked
    fits = len(links.rows) == len(x) and bool(np.all(links.rows < len(y)))
    if fits and len(linked):
        before, after = x[linked], y[links.rows[linked]]
        lengths = np.linalg.norm(after - after[0] if translated else after, axis=1)
        slack = 2 * max(links.tolerance, 1e-6) * lengths.max()
        fits = bool(np.abs(cdist(before, before) - cdist(after, after)).max() <= slack)
        fits = fits and (translated or bool(np.abs(np.linalg.norm(before, axis=1) - lengths).max() <= slack))
    if not fits:
        raise TrustscopeError(
            "The links are not those of these known records among these released rows: link them anew."
        )


def _refuse_attacker(attacker: str) -> None:
    if attacker not in ATTACKERS:
        raise TrustscopeError(f"The attacker must be one of {', '.join(ATTACKERS)}, not {attacker!r}.")
