"""`trustscope slides`: scenario files as a slide deck in one HTML file."""

import sys
from pathlib import Path

from trustscope.app import headless
from trustscope.app.commands.report import show_progress


def add_parser(commands) -> None:
    """Add `slides`."""
    parser = commands.add_parser(
        "slides",
        help="write scenario files as a slide deck",
        description="Write a slide for each scenario: one HTML file that needs no network, with the verdict, the "
        "number and the plots. Arrow keys walk through it; printed, each slide is a page. It holds no record of the "
        "data.",
    )
    headless.add_scenario(parser, several=True)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("slides.html"), metavar="OUT", help="where it goes (default slides.html)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(args) -> int:
    """Write it."""
    return headless.answered(lambda: _run(args))


def _run(args) -> int:
    from trustscope.scenarios import stored
    from trustscope.scenarios.report import slides

    scenarios = [stored.read(path) for path in args.file]
    own = headless.own_data(args.data)
    shown = not args.quiet and sys.stderr.isatty()
    return headless.written(slides(scenarios, progress=show_progress if shown else None, own=own), args.out)
