"""`trustscope explorable`: a scenario file as one HTML file in which a reader moves a few controls."""

from pathlib import Path

from trustscope.app import headless

CONTROLS = (
    "a control that the reader moves; name up to three. There are pool (who pools), many (how many pool, the most "
    "trusted first), scheme, trust:NAME, and of Trust within (how close a guess must come), shape, others and "
    "attribute, of Categories prior and others. With positions: trust:Press=10,30,50. Default: many, scheme, and the "
    "trust of the most trusted recipient"
)


def add_parser(commands) -> None:
    """Add `explorable`."""
    parser = commands.add_parser(
        "explorable",
        help="write a scenario file as one HTML file that can be tried",
        description="Write one HTML file in which a reader moves up to three controls of a scenario of Trust or "
        "Categories, and sees the headline, one person, twenty people, pooling and the words change as in the app. It "
        "needs no server and no network, opens from a disk, and can be put into any site. Every position is worked out "
        "beforehand. Of a file of your own no single record is shown.",
    )
    headless.add_scenario(parser)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("explorable.html"), metavar="OUT",
        help="where it goes (default explorable.html)",
    )  # fmt: skip
    parser.add_argument("--control", action="append", default=[], metavar="NAME", help=CONTROLS)
    parser.add_argument(
        "--card", action="append", default=[], metavar="NAME",
        help="a card that is shown: headline, person, pooling, coalitions and so on; default: those that the page "
        "opens with",
    )  # fmt: skip
    parser.add_argument("--title", default="", help="what stands above it")
    parser.add_argument(
        "--address", default="", metavar="URL", help="where the app runs in which readers can open the scenario"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.app.explorable import explorable
    from trustscope.scenarios import files, stored

    files.ending_of(args.out, files.PAGE, "an explorable")
    made = explorable(
        stored.read(args.file), controls=args.control, cards=args.card, title=args.title, address=args.address,
        own=headless.own_data(args.data), progress=headless.progress_of(args),
    )  # fmt: skip
    return headless.write_output(made, args.out)
