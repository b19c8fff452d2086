"""``python -m tests.release.soak --moments 1000 --tries 1000``: kill -9 at random moments, and a hostile ledger.

Prints how it goes, and stops with an error at the first thing that is lost, changed, half-written or not detected.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.release import killing
from trustscope.release import keystore


def main(arguments=None):
    """Run both; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.release.soak", description=__doc__)
    parser.add_argument("--moments", type=int, default=1000)
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # The passphrase is not what is tested here.
    keystore.COST = 2**4
    with tempfile.TemporaryDirectory() as place:
        one, two = Path(place) / "moments", Path(place) / "tries"
        one.mkdir()
        two.mkdir()
        killing.tries(options.tries, two, key=options.seed)
        endings = killing.moments(options.moments, one, key=options.seed)
    print(
        f"{options.tries} tries, all detected; {options.moments} moments: 0 lost, 0 changed, 0 half-written; {endings}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
