"""The `trustscope` command: start the app, or one of the subcommands of `trustscope.app.commands`."""

import argparse
import os
import sys
from types import ModuleType

from trustscope import __version__
from trustscope.app import commands
from trustscope.app.commands import serve
from trustscope.extras import MissingExtra


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and do what it says; the exit code. Without a subcommand it serves the app."""
    argv = sys.argv[1:] if argv is None else argv
    parser, found = make_parser()
    args = parser.parse_args(argv)
    if args.command is None:  # every option of `trustscope` alone is one of `trustscope serve` as well
        args = parser.parse_args(["serve", *argv])
    try:
        code = found[args.command].run(args)
        sys.stdout.flush()  # what is left would fail after this function, where nobody can say anything
    except MissingExtra as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ntrustscope: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads has read enough, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def make_parser() -> tuple[argparse.ArgumentParser, dict[str, ModuleType]]:
    """The parser of the command line, and the modules of the subcommands by name."""
    parser = argparse.ArgumentParser(
        prog="trustscope",
        description="See what perturbed copies of one dataset give away when their holders collude. "
        "Without a command: start the app on this machine and open it in the browser.",
    )
    parser.add_argument("--version", action="version", version=f"trustscope {__version__}")
    serve.add_options(parser)
    chosen = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    found = commands.find_commands()
    for command in found.values():
        command.add_parser(chosen)
    return parser, found
