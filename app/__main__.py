"""`python -m app` is the `trustscope` command."""

from app.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
