"""`trustscope report`: one scenario, or several side by side, as one HTML file or as a PDF."""

from pathlib import Path

from trustscope.app import headless

OUT = Path("report.html")


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
    headless.add_page(parser, str(OUT))
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

    if not args.pdf and args.out.suffix.lower() != ".pdf":
        return headless.write_page(args, report)
    from trustscope.app.desktop.printing import pdf

    args.out = args.out.with_suffix(".pdf") if args.out == OUT else args.out
    return headless.write_page(args, lambda *scenarios, **how: pdf(report(*scenarios, **how), args.paper))
