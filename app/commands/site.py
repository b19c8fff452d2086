"""`trustscope site`: a static site with lessons, scenarios to try, the papers and the documentation."""

from pathlib import Path

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `site`."""
    parser = commands.add_parser(
        "site",
        help="write a static site: lessons, scenarios to try, papers, documentation",
        description="Write a folder to be put on any web server, or opened from a disk: all lessons and some scenarios "
        "as files that can be tried without a server, a page for each of the five papers, and the documentation. It "
        "takes some minutes, because everything is worked out beforehand. Its first page says what does not work.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="an empty folder, or one with an earlier site")
    parser.add_argument(
        "--docs", type=Path, metavar="DIR", help="the documentation in Markdown (default: that of a checkout)"
    )
    parser.add_argument(
        "--address", default="", metavar="URL", help="where the app runs in which readers can open the scenarios"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.app.explorable.sites import site

    found = site(args.folder, docs=args.docs, address=args.address, progress=headless.progress_of(args))
    size = sum(path.stat().st_size for path in found)
    print(f"{len(found)} files, {size / 1e6:.1f} MB: open {args.folder / 'index.html'} in a browser.")
    return 0
