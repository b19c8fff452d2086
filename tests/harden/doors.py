"""Secrets that are guessed, and what a server leaves that is killed."""

import re
import tempfile
import time
from pathlib import Path

from tests.harden.ground import Report, attacked
from tests.serving.visitors import fetch

GUESSES = 14


def wrong_codes(report: Report) -> None:
    """Wrong codes of a room from the address that a whole class has."""
    with attacked("class", "two-copies") as server:
        code = re.search(r"type the code (\w{4} \w{4})", server.said)[1].replace(" ", "")
        times, statuses = [], []
        for number in range(GUESSES):
            begin = time.monotonic()
            statuses.append(fetch(f"{server.address}/class?code=KX7MQ2T{number % 8 + 2}")[0])
            times.append(time.monotonic() - begin)
        report.say(f"{GUESSES} wrong codes: {statuses}, the last after {times[-1]:.1f} s")
        report.hold(303 not in statuses and times[-1] > 1, "guessing becomes slow")
        begin = time.monotonic()
        status, _, _ = fetch(f"{server.address}/class?code={code}")
        report.say(f"the right code from the same address: {status} after {time.monotonic() - begin:.1f} s")
        report.hold(status == 303 and time.monotonic() - begin < 15, "the right code enters")


def killed(report: Report) -> None:
    """The first process of a class is killed at once (SIGKILL); then another server is started."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with attacked("class", "two-copies", "--processes", "2", TMPDIR=folder) as server:
            report.say(f"while it runs: {', '.join(sorted(one.name for one in place.iterdir()))}")
            server.process.kill()
            server.process.wait()
        report.say(f"after SIGKILL: {len(list(place.iterdir()))} folders")
        with attacked("serve", TMPDIR=folder):
            left = list(place.iterdir())
            report.hold(
                len(left) == 1 and not list(left[0].glob("**/*.sqlite")), "the next start removes what was left"
            )
        report.hold(not list(place.iterdir()), "and leaves nothing itself")
