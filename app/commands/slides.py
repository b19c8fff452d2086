"""`trustscope slides`: scenario files as a slide deck, in one HTML file or for PowerPoint."""

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `slides`."""
    parser = commands.add_parser(
        "slides",
        help="write scenario files as a slide deck",
        description="Write a deck: title, question, a slide for each scenario with the verdict, the number and the "
        "same pictures on the same axes, what changed, what to do, and what is assumed, with speaker notes. It is one "
        "HTML file that needs no network (arrow keys walk, n shows the notes), or with -o FILE.pptx a deck for "
        "PowerPoint. One person of a built-in dataset is shown; of a file of your own no single record is.",
    )
    headless.add_page(parser, "slides.html")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.scenarios import files

    if files.ending_of(args.out, files.DECK, "a deck") == ".pptx":
        from trustscope.handouts.report.powerpoint import powerpoint

        return headless.write_page(args, powerpoint)
    from trustscope.handouts.report import slides

    return headless.write_page(args, slides)
