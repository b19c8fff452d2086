"""`python -m trustscope` is the `trustscope` command."""

from trustscope.app.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
