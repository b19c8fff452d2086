"""What a study cannot do, each as a sentence for the person who asked."""

from trustscope.errors import TrustscopeError


class StudyProblem(TrustscopeError):
    """A study cannot be made, changed or asked like that; the text says what to write instead."""
