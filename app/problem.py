"""One way to fail: a sentence on the page, the cause in the log, and the page goes on."""

import logging
import secrets

from trustscope.datasets import DataProblem

LOG = logging.getLogger("trustscope.page")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is easily taken for another


class Unusable(ValueError):
    """Data or settings of which no picture can be made: a headline and a sentence that says what to do."""

    def __init__(self, title: str, sentence: str):
        super().__init__(sentence)
        self.title, self.sentence = title, sentence


def told(error: Exception, where: str) -> tuple[str, str]:
    """Headline and sentence for a person; the traceback of what nobody expected goes to the log.

    What a person typed or uploaded is not logged: only the place, the kind of error and the lines of our code.
    """
    if isinstance(error, Unusable):
        return error.title, error.sentence
    if isinstance(error, DataProblem):
        return "These data cannot be used.", str(error)
    reference = "".join(secrets.choice(LETTERS) for _ in range(4))
    LOG.error("%s: error %s", where, reference, exc_info=error)
    return (
        "This could not be shown.",
        f"Something went wrong that should not have. Change a setting to go on. The log has the cause: {reference}.",
    )
