"""How much is found out as ever more recipients join, under two schemes: expected lines and measured dots."""

from dataclasses import dataclass

from trustscope.widgets.lines import Dots, Line, Lines


@dataclass(frozen=True)
class Runner:
    """One scheme: expected figures for 0, 1, 2 ... recipients, and the measured ones from 1 on."""

    colour: str
    expected: list[float]
    measured: list[float]
    name: str = ""


class Race(Lines):
    """Solid lines as far as there are recipients; dashed beyond, were there more like them."""

    def __init__(self, label: str, *, height: int = 216, x_label: str = "how many collude"):
        super().__init__(label, height=height, x_label=x_label)

    def show(self, runners: list[Runner], here: int, ghost: list[Runner] = ()):
        """Draw; `here` recipients are real, those beyond are imagined; `ghost` ran in a kept scenario."""
        end = max((len(r.expected) - 1 for r in runners), default=12)
        super().show(
            [line for runner in runners for line in _lines(runner, here)],
            [Dots(f"{r.name} measured".strip(), r.colour, range(1, len(r.measured) + 1), r.measured, size=9)
             for r in runners],
            x_range=(0, end + 0.2),
            ticks=range(0, end + 1, 2),
            ghost=[line for runner in ghost for line in _lines(runner, len(runner.expected) - 1)],
        )  # fmt: skip


def _lines(runner: Runner, here: int):
    for start, stop, dash in ((0, here, "solid"), (here, len(runner.expected) - 1, "dashed")):
        if stop > start:
            name = runner.name if dash == "solid" else f"{runner.name} if more joined".strip()
            yield Line(name, runner.colour, range(start, stop + 1), runner.expected[start : stop + 1], dash)
