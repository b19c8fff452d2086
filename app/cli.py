"""The `trustscope` command."""


def main() -> None:
    """Start the app."""
