"""Run the attacks, all of them or those that are named: `python -m tests.harden half_requests hanging`."""

import argparse
import sys
import time

from benchmarks.host import Host
from tests.harden import doors, growing, hanging, heads, login, messages, mixed, names
from tests.harden.ground import Report

ATTACKS = (
    heads.cookies,
    heads.half_requests,
    heads.unread_answers,
    hanging.hanging,
    messages.unfinished_messages,
    messages.largest_visitor,
    messages.errors,
    growing.growing_messages,
    growing.growing_tokens,
    growing.growing_links,
    growing.hung_up_tries,
    doors.wrong_codes,
    doors.killed,
    login.behind_a_login,
    mixed.mixed,
    names.names,
    names.files,
)


def main() -> int:
    """The exit code: 0 if everything held."""
    names = [attack.__name__ for attack in ATTACKS]
    parser = argparse.ArgumentParser(prog="python -m tests.harden", description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(names))
    chosen = parser.parse_args().attacks or names
    if unknown := set(chosen) - set(names):
        parser.error(f"there is no attack called {', '.join(sorted(unknown))}")
    broken = []
    for attack in ATTACKS:
        if attack.__name__ in chosen:
            begin, report, host = time.monotonic(), Report(), Host()
            print(f"{attack.__name__}: {attack.__doc__}", flush=True)
            attack(report)
            print("    " + "; ".join(filter(None, (f"{time.monotonic() - begin:.0f} s", host.note()))), flush=True)
            broken += [f"{attack.__name__}: {what}" for what in report.broken]
    print("\n".join(["", *(f"BROKEN {one}" for one in broken)] if broken else ["", "Everything held."]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
