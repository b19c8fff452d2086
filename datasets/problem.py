"""The one error this package raises on purpose."""

from trustscope.errors import TrustscopeError


class DataProblem(TrustscopeError):
    """Data that cannot be used, said in one sentence that a person can act on.

    The message may quote parts of the file (a column name, a value). It is plain text: whoever shows it on a
    page must escape it.
    """
