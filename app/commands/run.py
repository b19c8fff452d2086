"""`trustscope run`: the verdict and every figure of a scenario, without a page."""

from pathlib import Path

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `run`."""
    parser = commands.add_parser(
        "run",
        help="print the figures of a scenario file as JSON",
        description="Work out a scenario over all rows and print its verdict and every figure as JSON: what is "
        "expected, what was measured, and whether the two agree.",
    )
    headless.add_scenario(parser)
    parser.add_argument("--csv", type=Path, metavar="DIR", help="write the table of each card into this folder as well")


@headless.with_exit_code
def run(args) -> int:
    """Print the figures."""
    import json

    from trustscope.scenarios import stored

    scenario = stored.read(args.file)
    found = scenario.figures(headless.own_data(args.data))
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    if args.csv is not None:
        _write(found, args.csv)
    return 0


def _write(found, folder: Path) -> None:
    from trustscope.scenarios import files
    from trustscope.scenarios.table import csv, file_name

    folder.mkdir(parents=True, exist_ok=True)
    for title, table in found.tables.items():
        if not len(table.columns):
            continue  # of a card that was not computed
        files.write(folder / f"{file_name(title)}.csv", csv(table))
