"""What is set once for a whole process that serves pages."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps

from bokeh.settings import settings
from panel.config import config
from panel.io.state import state
from threadpoolctl import threadpool_limits

from trustscope.app.defaults import remember_defaults
from trustscope.app.serving.sending import ask_only_the_one_that_is_meant, lose_nothing
from trustscope.app.sheets import leave_out_unused

SWITCH = 0.001  # seconds for which the loop may keep a preview from beginning in its thread, and a thread the loop


def prepare() -> None:
    """Keep matrices on one core each; let Bokeh suggest nothing and remember its defaults; let Panel lose nothing, and
    set nothing that is set already.

    Previews of several visitors run side by side in threads of our own. Panel asks models for attributes that they
    do not have, at every change; the names that Bokeh would suggest instead take longer to find than the change itself.
    And it counts what it is busy with, for an indicator that no page has: that was a fifth of what a step of a slider
    took on the loop.
    """
    threadpool_limits(limits=1, user_api="blas")
    sys.setswitchinterval(SWITCH)
    settings.perform_error_diagnostics = False
    lose_nothing()
    ask_only_the_one_that_is_meant()
    remember_defaults()
    leave_out_unused()
    kind = type(state)
    kind._add_busy_event = kind._remove_busy_event = lambda self, event_id: None
    if not hasattr(type(config).set, "of_panel"):  # not `__wrapped__`: Panel's own function has that
        type(config).set = unless_set(type(config).set)


def unless_set(of_panel: Callable) -> Callable:
    """Panel's way to change settings for a while, which reads all of them before and afterwards.

    It does that for each of the sixteen parts of a frame, with what stands already: a third of the time in which a
    page's address is answered.
    """

    @wraps(of_panel)
    def changed(self, **settings):
        if all(getattr(self, name) is value for name, value in settings.items()):
            return nullcontext()
        return of_panel(self, **settings)

    changed.of_panel = of_panel  # type: ignore[attr-defined]
    return changed
