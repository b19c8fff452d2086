"""`trustscope film`: a scenario file as a moving picture."""

from pathlib import Path

from trustscope.app import headless


def add_parser(commands) -> None:
    """Add `film`."""
    parser = commands.add_parser(
        "film",
        help="write a scenario file as a moving picture",
        description="Write a film of a scenario of Trust or Categories: recipients pool one after the other, what is "
        "believed of one person narrows, and the noise is switched to the other scheme. It is 800 pixels wide, below "
        "2 MB, and goes into a README, slides or a message. Of a file of your own no single record is shown.",
    )
    headless.add_scenario(parser)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("film.apng"), metavar="OUT",
        help="where it goes: .apng, .gif, or .webm if ffmpeg is installed (default film.apng)",
    )  # fmt: skip
    parser.add_argument("--title", default="", help="what stands above it")
    parser.add_argument("--quiet", action="store_true", help="no progress")


@headless.with_exit_code
def run(args) -> int:
    """Write it."""
    from trustscope.handouts.film import film
    from trustscope.scenarios import files, stored

    files.check_folder(args.out)  # before the work
    made = film(
        stored.read(args.file), args.out.suffix.lower(), title=args.title, own=headless.own_data(args.data),
        progress=headless.progress_of(args),
    )  # fmt: skip
    return headless.write_output(made, args.out)
