"""The one error that everything of ours raises on purpose: what every room may know."""


class TrustscopeError(ValueError):
    """Something cannot be done as it was asked for; the text says what, and what to do instead.

    All errors that Trustscope raises on purpose are of this kind, so that a program can catch them in one place.
    """


class WrongType(TrustscopeError, TypeError):
    """Something of another kind was given than can be used here."""
