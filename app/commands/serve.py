"""`trustscope serve`, and `trustscope` alone: start the app, here or for others."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from trustscope.app.serving import log, memory, ports, scratch
from trustscope.app.serving.plan import Plan, PlanProblem
from trustscope.extras import require


def add_options(parser: argparse.ArgumentParser, suppress: bool = False) -> None:
    """The options of `trustscope` alone; suppressed defaults leave standing what was given before the subcommand."""

    def default(value):
        return argparse.SUPPRESS if suppress else value

    parser.add_argument("--port", type=int, default=default(5006), help="port to serve on (default 5006)")
    parser.add_argument(
        "--address", default=default("127.0.0.1"), help="address to serve on (default 127.0.0.1: this machine alone)"
    )
    parser.add_argument("--no-open", action="store_true", default=default(False), help="do not open the browser")
    parser.add_argument(
        "--window", action="store_true", default=default(False),
        help="open the app in a window of its own; closing it ends the app",
    )  # fmt: skip
    parser.add_argument(
        "--dataset", default=default(None), metavar="NAME", help="built-in dataset to start with (default: each page's)"
    )
    parser.add_argument(
        "--log-level", choices=log.LEVELS, default=default("warning"), help="how much the log says (default warning)"
    )
    parser.add_argument(
        "--lessons", dest="lessons_in", type=Path, default=default(None), metavar="FOLDER",
        help="folder with lessons of your own, which Learn offers beside its own",
    )  # fmt: skip
    parser.add_argument("--log-file", type=Path, default=default(None), metavar="FILE", help="log to a file")


def add_parser(commands) -> None:
    """Add `serve`."""
    parser = commands.add_parser(
        "serve",
        help="serve the app, also to others",
        description="Serve the app. On an address that others can reach a secret is needed: a token in the link, which "
        "is made if none is given, or a password. Secrets are better given as TRUSTSCOPE_TOKEN or TRUSTSCOPE_PASSWORD "
        "in the environment: a command line can be read by every user of the machine.",
    )
    add_serving(parser)


def add_serving(parser: argparse.ArgumentParser) -> None:
    """All options of `serve`."""
    add_options(parser, suppress=True)
    parser.add_argument(
        "--processes", type=int, metavar="N", help="processes (default: one, or one for each core when serving others)"
    )
    parser.add_argument("--token", help="secret in the link (at least 16 letters, digits, - or _)")
    parser.add_argument("--password", help="password that visitors are asked for (at least 8 characters)")
    parser.add_argument(
        "--origin", action="append", default=[], metavar="NAME",
        help="name under which browsers reach the app, such as trust.example.org or 10.0.0.5:5006 (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--embed", action="append", default=[], metavar="ORIGIN",
        help="page that may show the app in a frame, such as https://lms.example.org (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--behind-proxy", action="store_true", help="believe the X-Forwarded-* headers of a reverse proxy in front"
    )
    parser.add_argument("--metrics", action="store_true", help="answer /metrics for Prometheus")
    parser.add_argument("--max-sessions", type=int, default=200, metavar="N", help="open pages at once (default 200)")
    parser.add_argument(
        "--max-memory", type=int, metavar="MB", help="no new pages above this (default: three quarters of the memory)"
    )
    parser.add_argument("--ledgers", type=Path, metavar="FOLDER", help="folder with the ledgers of the release page")


def run(args, also: Callable[[Plan], str] = lambda plan: "") -> int:
    """Check what can be checked, say what is opened (and what `also` says of it), and serve until told to stop."""
    require("serve" if args.metrics else "app")
    try:
        _check_dataset(args.dataset)
        plan = _plan(args)
        _check_window(args.window, plan)
        log.configure(plan.log_level, plan.log_file)
        sockets = ports.bind(plan.address, plan.port)
    except PlanProblem as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"trustscope: the log cannot be written to {args.log_file}: {problem.strerror}.", file=sys.stderr)
        return 2
    print("\n".join(part for part in (plan.announcement(), also(plan), _lessons(plan)) if part), flush=True)
    show = not args.no_open and not args.window and _has_display()
    scratch.begin()
    try:
        return _serve(plan, sockets, show, args.window)
    finally:
        scratch.end()


def _serve(plan: Plan, sockets: list, show: bool, window: bool) -> int:
    if plan.processes == 1:
        with memory.importing():
            from trustscope.app.serving.worker import serve_alone

        return serve_alone(plan, sockets, show=show, window=window)
    from trustscope.app.serving.supervisor import supervise

    return supervise(plan, sockets, show=show)


def _plan(args) -> Plan:
    return Plan.from_options(
        address=args.address,
        port=args.port,
        dataset=args.dataset,
        processes=args.processes,
        token=args.token or os.environ.get("TRUSTSCOPE_TOKEN") or None,
        password=args.password or os.environ.get("TRUSTSCOPE_PASSWORD") or None,
        origins=args.origin,
        embed=args.embed,
        behind_proxy=args.behind_proxy,
        metrics=args.metrics,
        max_sessions=args.max_sessions,
        max_memory=args.max_memory,
        ledgers=args.ledgers,
        log_level=args.log_level,
        log_file=args.log_file,
        opened=getattr(args, "opened", ""),
        path=getattr(args, "path", "/"),
        rooms=getattr(args, "rooms", None),
        lessons=getattr(args, "lessons_in", None),
    )


def _lessons(plan: Plan) -> str:
    """What is said of a folder of lessons: how many there are, and which files cannot be used."""
    if plan.lessons is None:
        return ""
    from trustscope.app.learn.library import lessons_in

    found, problems = lessons_in(plan.lessons)
    word = "lesson" if len(found) == 1 else "lessons"
    return "\n".join([f"  {len(found)} {word} of your own on Learn.", *(f"  Left out: {one}" for one in problems)])


def _check_dataset(name: str | None) -> None:
    from trustscope import datasets

    if name is not None and name not in datasets.names():
        raise PlanProblem(f"there is no dataset called {name!r}; choose one of {', '.join(datasets.names())}.")


def _check_window(window: bool, plan: Plan) -> None:
    """A window of its own is one person's, on a machine with a screen."""
    if window and plan.processes != 1:
        raise PlanProblem("--window shows the app to one person on this machine: leave out --processes and --address.")
    if window and not _has_display():
        raise PlanProblem("--window needs a screen, and there is none here: start trustscope without it.")


def _has_display() -> bool:
    """Whether a browser could show itself here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
