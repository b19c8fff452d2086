"""One way to fail: a sentence on the page, the cause in the log, and the page goes on."""

from trustscope.app.serving.log import report_error
from trustscope.datasets import DataProblem
from trustscope.scenarios.problem import Unusable

__all__ = ["Unusable", "explain_error"]


def explain_error(error: Exception, where: str) -> tuple[str, str]:
    """Headline and sentence for a person; the traceback of what nobody expected goes to the log.

    What a person typed or uploaded is not logged: only the place, the kind of error and the lines of our code.
    """
    if isinstance(error, Unusable):
        return error.title, error.sentence
    if isinstance(error, DataProblem):
        return "These data cannot be used.", str(error)
    reference = report_error(error, where)
    return (
        "This could not be shown.",
        f"Something went wrong that should not have. Change a setting to go on. The log has the cause: {reference}.",
    )
