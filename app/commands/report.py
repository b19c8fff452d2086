"""`trustscope report`: one scenario, or several side by side, as one HTML file."""

import sys
from pathlib import Path

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `report`."""
    parser = commands.add_parser(
        "report",
        help="write a report of scenario files",
        description="Write a report of a scenario, or of several side by side: one HTML file that needs no network and "
        "no scripts, with every plot, its figures, all attackers, and how to reproduce it. It holds no record of the "
        "data.",
    )
    headless.add_scenario(parser, several=True)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("report.html"), metavar="OUT", help="where it goes (default report.html)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args) -> int:
    """Write it."""
    return headless.answered(lambda: _run(args))


def _run(args) -> int:
    from trustscope.scenarios import stored
    from trustscope.scenarios.report import report

    scenarios = [stored.read(path) for path in args.file]
    own = headless.own_data(args.data)
    shown = not args.quiet and sys.stderr.isatty()
    text = report(scenarios, progress=show_progress if shown else None, own=own)
    return headless.written(text, args.out)


def show_progress(fraction: float, text: str) -> None:
    """One line that is written over."""
    print(f"\r{100 * fraction:3.0f} % {text[:60]:60}", end="\n" if fraction >= 1 else "", file=sys.stderr, flush=True)
