"""What is set once for a whole process that serves pages."""

from threadpoolctl import threadpool_limits


def prepare() -> None:
    """Keep matrices on one core each: previews of several visitors run side by side in threads of our own."""
    threadpool_limits(limits=1, user_api="blas")
