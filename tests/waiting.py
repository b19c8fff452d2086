"""`expect` of Playwright, which waits without describing the page meanwhile.

At each of its tries that does not hold yet, Playwright's `expect` writes down the roles and names of the whole page,
for a message that nobody reads unless the last try fails: while it waits, the browser has no rest. What a locator can
wait for by itself is waited for in that way first, for a while; then Playwright is asked, and says what it would have
said.
"""

import os
import re
from contextlib import suppress

from playwright import sync_api

# Milliseconds that a busy machine may take; a quiet one takes a fraction of a second.
LONG = 1_000 * int(os.environ.get("PATIENCE", "120"))
sync_api.expect.set_options(timeout=LONG)

WHILE = min(10_000, LONG)


def _with_text(one, text, **_):
    return (one.filter(has_text=text).first, "attached") if isinstance(text, str | re.Pattern) else None


# For each question: what to wait for, and in which state; None where a locator cannot wait for it.
CHEAP = {
    "to_be_visible": lambda one, **_: (one, "visible"),
    "to_be_hidden": lambda one, **_: (one, "hidden"),
    "to_contain_text": _with_text,
    "to_have_text": _with_text,
    "to_have_count": lambda one, count, **_: (one.nth(count - 1), "attached") if count else (one.first, "detached"),
}
SAME = {"to_be_visible", "to_be_hidden"}  # where the locator's answer is the whole answer


class Waiting:
    """What `expect` says of a locator."""

    def __init__(self, locator: sync_api.Locator, checks: sync_api.LocatorAssertions):
        self.locator, self.checks = locator, checks

    def __getattr__(self, name: str):
        check = getattr(self.checks, name)
        if name not in CHEAP:
            return check

        def waited(*args, **options):
            if wait := CHEAP[name](self.locator, *args, **options):
                with suppress(sync_api.Error):
                    wait[0].wait_for(state=wait[1], timeout=min(WHILE, options.get("timeout", WHILE)))
                    if name in SAME:
                        return
            check(*args, **options)

        return waited


def expect(actual, message: str | None = None):
    """Say what must hold, as with Playwright's own."""
    checks = sync_api.expect(actual, message)
    return Waiting(actual, checks) if isinstance(actual, sync_api.Locator) else checks
