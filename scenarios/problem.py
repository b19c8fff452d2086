"""What can be wrong with a scenario or its data, each as a sentence for the person who asked."""

from trustscope.errors import TrustscopeError


class ScenarioProblem(TrustscopeError):
    """A scenario that cannot be read, or cannot be worked out here; the text is one sentence or two."""


class Unusable(TrustscopeError):
    """Data or settings of which no picture can be made: a headline and a sentence that says what to do."""

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__(sentence)
        self.title, self.sentence = title, sentence
