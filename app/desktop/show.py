"""Showing the window, and ending the server when it is closed."""

import asyncio
import contextlib
import subprocess
import webbrowser
from collections.abc import Callable, Iterable

from trustscope.app.desktop.choice import Window

EARLY = 5.0  # seconds: a window that ends sooner was handed over to one that was open, or could not be opened at all
LOOK = 1.0  # seconds between two looks at who is there


async def show(
    windows: Iterable[Window], link: str, stop: asyncio.Event, visitors: Callable[[], int],
    say: Callable[[str], None] = print, early: float = EARLY, look: float = LOOK,
) -> None:  # fmt: skip
    """Open the first window that can be opened; when it is closed, the server is told to stop.

    Parameters
    ----------
    windows : ways to show the app, the best first
    link : the address, for the ordinary browser
    stop : set when the window is closed
    visitors : how many pages are open
    say : called with a sentence where no window of its own could be had
    early, look : seconds (see above)
    """
    loop = asyncio.get_running_loop()
    for window in windows:
        if not window.command:
            say("No window of its own could be opened: the app is in the browser, and Ctrl-C here ends it.")
            await loop.run_in_executor(None, webbrowser.open, link)
            return
        begun = loop.time()
        code = await _lasting(window.command)
        if loop.time() - begun >= early:
            break
        if code == 0:
            await _all_gone(visitors, look)
            break
    stop.set()


async def _lasting(command: tuple[str, ...]) -> int:
    """Run it until it ends; where this is given up, it is ended. The exit code."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )  # fmt: skip
    except OSError:
        return 127
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()


async def _all_gone(visitors: Callable[[], int], look: float) -> None:
    """Wait until somebody has come, and then until the last one has gone."""
    while not visitors():
        await asyncio.sleep(look)
    while visitors():
        await asyncio.sleep(look)
