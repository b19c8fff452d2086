"""`python -m trustscope.app.compat`: all patches, and whether what they replace is as it was when they were tried."""

import sys

from trustscope.app.compat import inside
from trustscope.app.compat.registry import PATCHES, apply


def main() -> int:
    """Print the table; 1 where a part has changed."""
    apply()
    changed = [one.place for one in inside.PARTS if not one.known]
    for patch in PATCHES:
        mine = [one.place for one in patch.parts if not one.known]
        print(f"{patch.name:<26}{'on ' if patch.on else 'off'}  {'CHANGED' if mine else 'as known'}  {patch.gain}")
        changed += mine
    for place in dict.fromkeys(changed):
        print(f"    changed: {place}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
