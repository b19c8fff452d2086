"""`trustscope schema`: the form of scenario files."""


def add_parser(commands) -> None:
    """Add `schema`."""
    commands.add_parser(
        "schema",
        help="print the form of scenario files as JSON Schema",
        description="Print the form of scenario files as JSON Schema.",
    )


def run(args) -> int:
    """Print it."""
    import json

    from trustscope.scenarios.schema import schema

    print(json.dumps(schema(), indent=2, ensure_ascii=False))
    return 0
