"""From columns of a table to codes and back: one domain, several as one (the product), and whole tables.

Several sensitive attributes are perturbed as a single one whose domain is the product of theirs (Sec. 4 of
Xiao et al. 2009): a record then keeps all its sensitive values together, or has all of them drawn anew.
"""

import math

import numpy as np
import pandas as pd

from trustscope.engine.arrays import ArrayLike, Integers, Several
from trustscope.engine.uniform.law import check_codes, check_size
from trustscope.errors import TrustscopeError


class Domain:
    """The values that one column may have, and their codes 0..size-1.

    Parameters
    ----------
    values : sequence
        All different, none missing; in the order of their codes.

    Attributes
    ----------
    values : pandas.Index
    size : int
    """

    def __init__(self, values: Several | pd.Index) -> None:
        self.values = pd.Index(values)
        if self.values.hasnans:
            raise TrustscopeError("A missing value cannot be part of the domain; give it a category of its own.")
        if not self.values.is_unique:
            repeated = self.values[self.values.duplicated()][0]
            raise TrustscopeError(f"The domain has “{repeated}” more than once.")
        self.size = check_size(len(self.values))

    @classmethod
    def of(cls, column: ArrayLike) -> "Domain":
        """The domain of a column: its categories if it is categorical, or its distinct values, sorted."""
        column = pd.Series(column)
        _complete(column)
        if isinstance(column.dtype, pd.CategoricalDtype):
            return cls(column.cat.categories)
        distinct = np.asarray(pd.unique(column))
        try:
            return cls(np.sort(distinct))
        except TypeError:  # numbers among texts have no order
            return cls(sorted(distinct, key=str))

    def encode(self, column: ArrayLike) -> Integers:
        """Codes of a column's values, shape (rows,)."""
        column = pd.Series(column)
        _complete(column)
        codes = self.values.get_indexer(column)  # type: ignore[arg-type]  # the stubs take an Index only
        if (codes < 0).any():
            stranger = column.iloc[int(np.argmin(codes))]
            raise TrustscopeError(f"The value “{stranger}” is not in the domain.")
        return codes.astype(np.min_scalar_type(self.size - 1))

    def decode(self, codes: ArrayLike) -> pd.Index:
        """Values of codes, a pandas.Index of length rows."""
        return self.values.take(check_codes(codes, self.size))


class ProductDomain:
    """Several domains as one; the last column's code changes fastest.

    Parameters
    ----------
    domains : dict of str to Domain
        By column.

    Attributes
    ----------
    domains : dict of str to Domain
    size : int
        The product of their sizes.
    """

    def __init__(self, domains: dict[str, Domain]) -> None:
        if not domains:
            raise TrustscopeError("At least one sensitive column is needed.")
        self.domains = dict(domains)
        self._sizes = tuple(domain.size for domain in self.domains.values())
        self.size = check_size(math.prod(self._sizes))

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "ProductDomain":
        """The product of the domains of all columns of a frame."""
        return cls({name: Domain.of(frame[name]) for name in frame.columns})

    def encode(self, frame: pd.DataFrame) -> Integers:
        """Codes of the rows of a frame that has (at least) these columns, shape (rows,)."""
        missing = [str(name) for name in self.domains if name not in frame]
        if missing:
            raise TrustscopeError(f"The table has no column {', '.join(missing)}.")
        parts = [domain.encode(frame[name]).astype(np.int64) for name, domain in self.domains.items()]
        return np.ravel_multi_index(parts, self._sizes).astype(np.min_scalar_type(self.size - 1))

    def decode(self, codes: ArrayLike, index: pd.Index | None = None) -> pd.DataFrame:
        """The columns that codes stand for, a DataFrame with one row for a code."""
        parts = np.unravel_index(check_codes(codes, self.size).astype(np.int64), self._sizes)
        columns = {name: domain.decode(part) for (name, domain), part in zip(self.domains.items(), parts, strict=True)}
        return pd.DataFrame(columns, index=index)


def _complete(column: pd.Series | pd.Index) -> None:
    if column.isna().any():
        name = f"The column “{column.name}”" if column.name is not None else "The column"
        raise TrustscopeError(f"{name} has missing values; fill them or give them a category of their own.")
