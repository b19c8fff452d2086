"""What is set once for a whole process that serves pages."""

from bokeh.settings import settings
from threadpoolctl import threadpool_limits

from trustscope.app.defaults import remember_defaults
from trustscope.app.serving.sending import lose_nothing


def prepare() -> None:
    """Keep matrices on one core each; let Bokeh suggest nothing and remember its defaults; let Panel lose nothing.

    Previews of several visitors run side by side in threads of our own. Panel asks models for attributes that they
    do not have, at every change; the names that Bokeh would suggest instead take longer to find than the change itself.
    """
    threadpool_limits(limits=1, user_api="blas")
    settings.perform_error_diagnostics = False
    lose_nothing()
    remember_defaults()
