"""What the figures of a report are counted in, in words."""

import re

from trustscope.scenarios.metrics import SHARE, Metric

ERROR = "mean square error; guessing the average gives 1"
# The first pattern that fits the name of a figure, page by page and then on all pages.
PATTERNS = {
    "survey": (
        ("arrived|refused", "respondents"), ("received", "answers"), (r"level(\..*)?", "directions"),
        ("error", "share of people; 0.01 is a point"),
    ),
    "rotation": (
        ("attributes", "attributes"), ("distance.change", "lengths of the longest record"), ("ratio", "times"),
        (r"released|moved\..*|known|linked|sample", "records"), ("freedom", "directions"), (r"axes(\..*)?", "axes"),
    ),
    "papers": ((r"claim\..*", "as the paper counts it"),),
}  # fmt: skip
EVERYWHERE = (
    ("rows", "rows"),
    ("values", "values"),
    (r"(.*\.)?error(\..*)?", ERROR),
    (r"differential\.(low|high)", "unit of the attribute"),
    (r"differential\.delta", "probability"),
    (r"differential\.mu\..*", "standard deviations (μ)"),
    (r"differential\.rho\..*", "privacy loss ρ, in nats"),
    (r"differential\.epsilon\..*", "privacy loss ε, in nats"),
    (r".*\.gamma", "times"),
    (r"memory\..*", "values for one person"),
)


def unit_of(figure: Metric, page: str) -> str:
    """The unit of a figure; nothing where its value is a word, or yes or no."""
    if figure.unit:
        return "per cent" if figure.unit == SHARE else figure.unit
    if figure.value is None or isinstance(figure.value, str | bool) or type(figure.value).__name__ == "bool":
        return ""
    every = (*PATTERNS.get(page, ()), *EVERYWHERE)
    return next((unit for pattern, unit in every if re.fullmatch(pattern, figure.name)), "plain number")
