"""`trustscope open`: start the app on a scenario file."""

import sys
from pathlib import Path

from trustscope.app import headless
from trustscope.app.commands import serve


def add_parser(commands) -> None:
    """Add `open`."""
    parser = commands.add_parser(
        "open",
        help="start the app on a scenario file",
        description="Start the app on this machine and open it in the browser at what stands in a scenario file. "
        "What cannot be used of the file is left out, and said.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.json", help="scenario file, as saved by the app")
    serve.add_serving(parser)


@headless.with_exit_code
def run(args) -> int:
    """Serve the app; its address holds the scenario."""
    from trustscope.scenarios.link import query_of
    from trustscope.scenarios.stored import usable

    reading = usable(args.file)
    for problem in reading.problems:
        print(f"trustscope: {problem}", file=sys.stderr)
    args.opened = query_of(reading.scenario)
    return serve.run(args)
