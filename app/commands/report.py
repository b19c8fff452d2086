"""`trustscope report`: one scenario, or several side by side, as one HTML file or as a PDF."""

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `report`."""
    parser = commands.add_parser(
        "report",
        help="write a report of scenario files",
        description="Write a report of a scenario, or of several side by side, for people who decide: the question, "
        "the answer, one picture and what is assumed on the first page, then details, every figure, and how to "
        "reproduce it. It is one HTML file that needs no network and no scripts, or a PDF. It holds no record of the "
        "data.",
    )
    headless.add_page(parser, "report.html")
    parser.add_argument(
        "--pdf",
        action="store_true",
        help="print it as a PDF, by the Chromium, Chrome or Edge that is installed; so is -o FILE.pdf",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the paper of the PDF (default a4)")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.handouts.report import report
    from trustscope.scenarios import files

    ending = files.ending_of(args.out, files.REPORT, "a report")
    if not args.pdf and ending != ".pdf":
        return headless.write_page(args, report)
    from trustscope.app.desktop import printing

    printing.found_browser()  # before all is worked out
    args.out = args.out if ending == ".pdf" else args.out.with_suffix(".pdf")
    return headless.write_page(args, lambda *scenarios, **how: printing.pdf(report(*scenarios, **how), args.paper))
