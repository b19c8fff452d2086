"""The `trustscope` command: start the app, or reproduce the papers without it."""

import argparse
import os
import socket
import sys
from pathlib import Path

from trustscope import datasets
from trustscope.app import release_command


def main(argv: list[str] | None = None) -> int:
    """Parse the command line, check what can be checked, and do what it says; the exit code."""
    args = _parser().parse_args(argv)
    if args.command == "release":
        return release_command.run(args)
    if args.command:
        return _papers(args)
    if problem := _problem(args):
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    # Panel takes a second to import: not before the command line is known to be good.
    import panel as pn

    from trustscope.app.page import make_page

    address = f"http://{args.address}:{args.port}/"
    print(f"Trustscope is at {address} (stop it with Ctrl-C)", flush=True)
    pn.serve(
        {"/": lambda: make_page(args.dataset)},
        port=args.port,
        address=args.address,
        show=not args.no_open and _has_display(),
        title="Trustscope",
        websocket_origin=_origins(args.address, args.port),
        verbose=False,
    )
    return 0


def _papers(args) -> int:
    """`reproduce` and `list`."""
    from trustscope.scenarios.papers.reproduce import listing, reproduce

    if args.command == "list":
        print(listing())
        return 0
    try:
        return reproduce(args.ids, paper_size=args.paper_size, out=args.out, store=args.store)
    except (ValueError, OSError) as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\ntrustscope: stopped; what was finished is kept in {args.out}.", file=sys.stderr)
        return 130


def _origins(address: str, port: int) -> list[str]:
    """The names under which a browser may reach the app; one that listens everywhere cannot know them."""
    return ["*"] if address in ("0.0.0.0", "::") else [f"{address}:{port}", f"localhost:{port}"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trustscope",
        description="See what perturbed copies of one dataset give away when their holders collude.",
    )
    parser.add_argument("--port", type=int, default=5006, help="port to serve on (default 5006)")
    parser.add_argument(
        "--address", default="127.0.0.1", help="address to serve on (default 127.0.0.1: this machine alone)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--dataset",
        default="census",
        metavar="NAME",
        help=f"dataset to start with: {', '.join(datasets.names())}",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="without the app")
    run = commands.add_parser(
        "reproduce", help="run the papers' experiments and check their claims",
        description="Run experiments of the papers; exit code 0 says that every check held, 1 that one did not or "
        "could not run.",
    )  # fmt: skip
    run.add_argument("ids", nargs="*", metavar="ID", help="li/fig2, li (all of a paper), 'li/fig*'; none: all")
    run.add_argument("--paper-size", action="store_true", help="at the papers' own size (hours for some)")
    run.add_argument("--out", type=Path, default=Path("reproduction"), metavar="DIR",
                     help="where tables, pictures and the report go (default: reproduction)")  # fmt: skip
    run.add_argument("--store", action="store_true",
                     help="in a checkout: renew the results that come with the app, and docs/papers.md")  # fmt: skip
    commands.add_parser("list", help="list the experiments", description="List the experiments.")
    release_command.add_parser(commands)
    return parser


def _problem(args) -> str | None:
    """One sentence on what keeps the app from starting, or None."""
    if args.dataset not in datasets.names():
        return f"there is no dataset called {args.dataset!r}; choose one of {', '.join(datasets.names())}."
    if not 0 < args.port < 65536:
        return f"port {args.port} does not exist; choose one from 1 to 65535."
    try:
        family = socket.getaddrinfo(args.address, args.port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        return f"{args.address!r} is not an address of this machine; 127.0.0.1 always is."
    with socket.socket(family[0], family[1]) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(family[4])
        except PermissionError:
            return f"port {args.port} is reserved for the system; choose one above 1023."
        except OSError as error:
            if error.errno in (98, 48, 10048):  # in use: Linux, macOS, Windows
                return f"port {args.port} is taken by another program; try --port {args.port + 1}."
            return f"{args.address!r} is not an address of this machine; 127.0.0.1 always is."
    return None


def _has_display() -> bool:
    """Whether a browser could show itself here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
