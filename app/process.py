"""What is set once for a whole process that serves pages."""

import sys

from bokeh.settings import settings
from threadpoolctl import threadpool_limits

from trustscope.app.compat import registry

SWITCH = 0.001  # seconds for which the loop may keep a preview from beginning in its thread, and a thread the loop


def prepare() -> None:
    """Keep matrices on one core each, let Bokeh suggest nothing, and put on the patches of the framework.

    Previews of several visitors run side by side in threads of our own. Panel asks models for attributes that they
    do not have, at every change; the names that Bokeh would suggest instead take longer to find than the change itself.
    """
    threadpool_limits(limits=1, user_api="blas")
    sys.setswitchinterval(SWITCH)
    settings.perform_error_diagnostics = False
    registry.apply()
