"""``python -m tests.release.soak --moments 1000 --tries 1000 --cuts 200``: kill -9, power cuts, and a hostile ledger.

Prints how it goes, and stops with an error at the first thing that is lost, changed, half-written or not detected.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.release import killing, power
from trustscope.release import keystore


def main(arguments=None):
    """Run all three; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.release.soak", description=__doc__)
    parser.add_argument("--moments", type=int, default=1000)
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # The passphrase is not what is tested here.
    keystore.COST = 2**4
    with tempfile.TemporaryDirectory() as place:
        one, two, three = (Path(place) / name for name in ("moments", "tries", "cuts"))
        for folder in (one, two, three):
            folder.mkdir()
        power.moments(options.cuts, three, key=options.seed)
        killing.tries(options.tries, two, key=options.seed)
        endings = killing.moments(options.moments, one, key=options.seed)
    print(
        f"{options.cuts} power cuts: 0 lost, 0 half-written; {options.tries} tries, all detected; "
        f"{options.moments} moments: 0 lost, 0 changed, 0 half-written; {endings}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
