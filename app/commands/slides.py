"""`trustscope slides`: scenario files as a slide deck in one HTML file."""

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `slides`."""
    parser = commands.add_parser(
        "slides",
        help="write scenario files as a slide deck",
        description="Write a slide for each scenario: one HTML file that needs no network, with the verdict, the "
        "number and the plots. Arrow keys walk through it; printed, each slide is a page. It holds no record of the "
        "data.",
    )
    headless.add_page(parser, "slides.html")


def run(args) -> int:
    """Write it."""
    return headless.answered(lambda: _run(args))


def _run(args) -> int:
    from trustscope.handouts.report import slides

    return headless.write_page(args, slides)
