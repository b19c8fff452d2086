"""All patches, and the switch that leaves them out."""

import os
from collections.abc import Iterator
from importlib.metadata import version

from trustscope.app.compat import (
    config_untouched,
    controls_described_once,
    controls_in_one_module,
    defaults_remembered,
    known_models,
    messages_not_lost,
    models_made_before,
    page_written_before,
    pages_built_after,
    sheets_shared,
)
from trustscope.app.compat.patch import Patch
from trustscope.app.serving import log

SWITCH = "TRUSTSCOPE_PLAIN"
PATCHES: tuple[Patch, ...] = tuple(
    module.PATCH
    for module in (
        defaults_remembered, controls_described_once, sheets_shared, controls_in_one_module,
        messages_not_lost, known_models, models_made_before, page_written_before,
        pages_built_after, config_untouched,
    )
)  # fmt: skip


def by_name(name: str) -> Patch:
    """The patch of this name."""
    return next(patch for patch in PATCHES if patch.name == name)


def left_out() -> frozenset[str]:
    """The names of the patches that `TRUSTSCOPE_PLAIN` leaves out.

    Raises
    ------
    SystemExit
        Where it names one that there is not.
    """
    asked = os.environ.get(SWITCH, "").strip()
    every = frozenset(patch.name for patch in PATCHES)
    if asked in ("", "0"):
        return frozenset()
    if asked == "1":
        return every
    named = frozenset(name.strip() for name in asked.split(","))
    if unknown := sorted(named - every):
        raise SystemExit(
            f"trustscope: {SWITCH} names no patch with {unknown[0]!r}. There are: {', '.join(sorted(every))}."
        )
    return named


def apply() -> None:
    """Put on all patches that are wanted and were tried with what is installed; once for a process."""
    without = left_out()
    for patch in PATCHES:
        if patch.name in without or not patch.fits:
            patch.take_off()
        else:
            patch.put_on()
    if untried := [patch.name for patch in PATCHES if not patch.fits and patch.name not in without]:
        versions = " and ".join(f"{name.title()} {version(name)}" for name in ("panel", "bokeh"))
        log.get(__name__).info("patches that are not for %s stay off: %s", versions, ", ".join(untried))


def scripts() -> str:
    """The JavaScript of all patches that are on."""
    return "\n".join(_scripts())


def _scripts() -> Iterator[str]:
    for patch in PATCHES:
        if patch.on and patch.script:
            yield "{\n" + patch.text() + "}\n"
