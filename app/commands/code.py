"""`trustscope code`: a scenario as a Python script or a notebook."""

from pathlib import Path

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `code`."""
    parser = commands.add_parser(
        "code",
        help="write a scenario as a Python script or a notebook",
        description="Write a scenario as short Python that rebuilds it with the engine alone and prints its figures.",
    )
    headless.add_scenario(parser)
    parser.add_argument("--notebook", action="store_true", help="a notebook in place of a script")
    parser.add_argument("-o", "--out", type=Path, metavar="OUT", help="where it goes (default: it is printed)")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.scenarios import code, stored

    scenario = stored.read(args.file)
    make = code.notebook if args.notebook else code.script
    return headless.write_output(make(scenario, headless.own_data(args.data)), args.out)
