"""`trustscope list`: the papers' experiments."""


def add_parser(commands) -> None:
    """Add `list`."""
    commands.add_parser("list", help="list the papers' experiments", description="List the experiments.")


def run(args) -> int:
    """Print the list."""
    from trustscope.handouts.papers.reproduce import listing

    print(listing())
    return 0
