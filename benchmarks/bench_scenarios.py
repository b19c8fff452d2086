"""What links and comparing cost: a slider step and the opening of a page, with them and without, in one process."""

from functools import cache, partial
from itertools import product

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.app.page import Frame
from trustscope.scenarios.link import query_of
from trustscope.scenarios.trust.scenario import TrustScenario

PAGE = query_of(TrustScenario().replace({"data.name": "iris"}))  # few rows: what links cost is not hidden behind them
REPETITIONS = 25
STEPS = 4  # of the slider, before it is let go


class Unlinked(Frame):
    """A page whose address, history and bar follow nothing."""

    def _follow(self):
        pass


@cache
def _page(kind: type[Frame], compared: bool = False) -> Frame:
    """A page that stands; where it is compared, with what it opened with behind it."""
    frame = kind(PAGE)
    if compared:
        frame.comparison.keep(frame.dashboard)
    return frame


_trusts = product(range(20, 90), range(20, 90))  # never twice the same, which would be remembered


def _drag(frame: Frame) -> None:
    """Some steps of the first recipient's slider, and letting it go."""
    controls = frame.dashboard.controls
    for _ in range(STEPS):
        first, second, *others = frame.dashboard.scenario.settings.recipients
        one, other = next(_trusts)
        controls.recipients.value = (first.replace({"trust": one}), second.replace({"trust": other}), *others)
    controls.recipients.settled = controls.recipients.value


def link_while_dragging() -> float:
    """A drag and its end on a page with a link, over one without."""
    return speed_ratio(partial(_drag, _page(Frame)), partial(_drag, _page(Unlinked)), repetitions=REPETITIONS)


def comparing_while_dragging() -> float:
    """A drag and its end beside a kept scenario, over one without."""
    return speed_ratio(partial(_drag, _page(Frame, True)), partial(_drag, _page(Frame)), repetitions=REPETITIONS)


def opening_a_link() -> float:
    """Opening a link to a page that was changed, over opening the page as it is."""
    scenario = Frame(PAGE).dashboard.settled
    people = tuple(one.replace({"trust": one.trust - 5}) for one in scenario.settings.recipients)
    link = query_of(scenario.replace({"settings.recipients": people, "settings.scheme": "nested"}))
    return speed_ratio(partial(Frame, link), partial(Frame, PAGE), repetitions=REPETITIONS)


BENCHMARKS = [
    Benchmark("a drag of a slider with the link / with the link switched off", link_while_dragging, limit=1.1,
              tags=("app", "link")),
    Benchmark("a drag of a slider beside a kept scenario / without one", comparing_while_dragging, limit=1.5,
              tags=("app", "compare")),
    Benchmark("opening a link / opening the plain page", opening_a_link, limit=1.2, tags=("app", "link")),
]  # fmt: skip
