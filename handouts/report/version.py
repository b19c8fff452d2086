"""Which Trustscope made a hand-out, and with what."""

import platform
from importlib.metadata import PackageNotFoundError, version

OURS = version("trustscope")
LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn")


def versions() -> list[tuple[str, str]]:
    """Name and version of all that the figures depend on."""
    found = [("Trustscope", OURS), ("Python", platform.python_version())]
    for name in LIBRARIES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
