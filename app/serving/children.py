"""No process is left behind."""

import contextlib

import psutil


def end_children(patience: float = 1.0) -> None:
    """End every process that this one, or one of its children, has started."""
    children = psutil.Process().children(recursive=True)
    for child in children:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.terminate()
    _, late = psutil.wait_procs(children, timeout=patience)
    for child in late:
        with contextlib.suppress(psutil.NoSuchProcess):
            child.kill()
    psutil.wait_procs(late, timeout=patience)
