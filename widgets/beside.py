"""Plots and tables that can show what the same plot drew of a kept scenario, faintly behind what they draw now."""

from collections.abc import Iterator
from typing import Any


class Beside:
    """Where `beside` is another plot of the same kind, `draw` draws faintly what that one shows."""

    beside: Any = None
    beside_called = "A"  # the letter of the kept scenario


def plots_of(view: Any) -> Iterator[tuple[str, Beside]]:
    """The plots and tables that a view holds, by the names of its attributes."""
    for name, one in list(vars(view).items()):
        if isinstance(one, Beside):
            yield name, one
        elif hasattr(one, "plots"):  # two ways to look at one thing
            for inner, plot in one.plots().items():
                yield f"{name}.{inner}", plot
