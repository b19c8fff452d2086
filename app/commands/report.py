"""`trustscope report`: one scenario, or several side by side, as one HTML file."""

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
    headless.add_page(parser, "report.html")


def run(args) -> int:
    """Write it."""
    return headless.answered(lambda: _run(args))


def _run(args) -> int:
    from trustscope.handouts.report import report

    return headless.write_page(args, report)
