"""Patches of the framework, on or off for a while."""

import contextlib
from collections.abc import Iterator

import pytest

from trustscope.app.compat.patch import Patch


def needs(patch: Patch) -> pytest.MarkDecorator:
    """Leave a test of what a patch does to the versions for which there is one."""
    return pytest.mark.skipif(not patch.fits, reason=f"these versions have no patch {patch.name}")


@contextlib.contextmanager
def patched(*patches: Patch, on: bool = True) -> Iterator[None]:
    """With these patches on, or off, whatever the process had."""
    before = [patch.on for patch in patches]
    for patch in patches:
        patch.put_on() if on else patch.take_off()
    try:
        yield
    finally:
        for patch, was in reversed(list(zip(patches, before, strict=True))):
            patch.put_on() if was else patch.take_off()
