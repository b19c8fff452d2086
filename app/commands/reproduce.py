"""`trustscope reproduce`: the papers' experiments, without the app."""

import sys
from pathlib import Path

from trustscope.extras import require


def add_parser(commands) -> None:
    """Add `reproduce`."""
    parser = commands.add_parser(
        "reproduce",
        help="run the papers' experiments and check their claims",
        description="Run experiments of the papers; exit code 0 says that every check held, 1 that one did not or "
        "could not run.",
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="li/fig2, li (all of a paper), 'li/fig*'; none: all")
    parser.add_argument("--paper-size", action="store_true", help="at the papers' own size (hours for some)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("reproduction"),
        metavar="DIR",
        help="where tables, pictures and the report go (default: reproduction)",
    )
    parser.add_argument(
        "--store",
        action="store_true",
        help="in a checkout: renew the results that come with the app, and docs/papers.md",
    )


def run(args) -> int:
    """Run the experiments that were asked for."""
    require("paper")
    from trustscope.handouts.papers.reproduce import reproduce

    try:
        return reproduce(args.ids, paper_size=args.paper_size, out=args.out, store=args.store)
    except (ValueError, OSError) as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ntrustscope: stopped; what was finished is kept in {args.out}.", file=sys.stderr)
        return 130
