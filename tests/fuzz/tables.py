"""Hostile delimited text."""

import random

MARKS = "\u202e\u202d\u2066\u200b\u200f\ufeff\u0000\u0007\u001b\u0085\u2028\ue000\ud7ff"
NAMES = (
    "__proto__",
    "constructor",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a\u202eb",
    "\u200b",
    "",
    " ",
    "=1+1",
    "'; DROP TABLE x; --",
    "{{7*7}}",
    "${x}",
    "%s%n",
    "\\",
    "a" * 5000,
    "é" * 300,
    "💥",
    "a\nb",
    'a"b',
    "index",
    "0",
    "nan",
)
VALUES = (
    *("", "0", "-0", "1e309", "-1e309", "1e-400", "inf", "-inf", "nan", "NaN", "None", "null", "#REF!", "?", "-"),
    *("9" * 19, "9" * 40, "0" * 30, "007", "1,5", "1.5", "1.234,5", "1,234.5", "(5)", "$5", "5 %", "5%", "1_000", "٣"),
    *("2020-01-01", "31.12.2020", "13/01/2020", "01/02/2020", "0000-00-00", "9999-12-31", "2020-02-30", "12:00"),
    *("2020-01-01T00:00:00Z", "1 Jan 2020", "10000-01-01", "-1-1-1", "true", "FALSE", "yes", "no", "y", "N"),
    *("<b>x</b>", "a\u202eb", "\u200b", "\ufeff", "=HYPERLINK()", "x" * 300, "💥", "é", "ß", "\t", "'", "''"),
)
ENCODINGS = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "cp1252",
    "cp1251",
    "shift_jis",
    "gb18030",
)


def plain(rng: random.Random) -> tuple[str, bytes]:
    """A table of odd values under odd names."""
    width, rows = rng.randint(1, 8), rng.choice((0, 1, 2, 5, 30, 200))
    delimiter = rng.choice(",;\t| ")
    names = [rng.choice(NAMES) if rng.random() < 0.4 else f"c{i}" for i in range(width)]
    pools = [rng.sample(VALUES, rng.randint(1, 4)) for _ in range(width)]
    quote = rng.choice((_quoted, str))
    lines = [names, *([rng.choice(pool) for pool in pools] for _ in range(rows))]
    end = rng.choice(("\n", "\r\n", "\r"))
    text = end.join(delimiter.join(map(quote, line)) for line in lines) + end
    return _name(rng, "csv"), text.encode(rng.choice(ENCODINGS), "replace")


def spoiled(rng: random.Random) -> tuple[str, bytes]:
    """A table with bytes changed, cut off, repeated or put in."""
    return _name(rng, "csv"), spoil(rng, plain(rng)[1])


def wrong_encoding(rng: random.Random) -> tuple[str, bytes]:
    """Two encodings in one file, with marks and zeros among them."""
    parts = [plain(rng)[1], "".join(rng.choices(MARKS, k=rng.randint(1, 40))).encode("utf-8", "replace"), plain(rng)[1]]
    if rng.random() < 0.5:
        parts.insert(0, bytes(rng.choices(range(256), k=rng.randint(1, 60))))
    return _name(rng, "csv"), b"".join(parts)


def long_field(rng: random.Random) -> tuple[str, bytes]:
    """A field of up to some megabytes, in the header or below, of characters that make expressions sweat."""
    size = rng.choice((1_000, 100_000, 140_000, 300_000, 9_000_000))
    run = rng.choice((" ", "1", "1 ", ",", "1,", ".", "-", '"', "a", "\t", "1.000", "(", "e", "+", "\x0b", "é"))
    field = (run * size)[:size] + rng.choice(("", "x", '"'))
    where = rng.choice(("{f},b\n1,2\n3,4\n", "a,b\n{f},2\n3,4\n", "{f}\n1\n2\n", "a;b\n1;2\n3;{f}\n", "a\n1\n{f}"))
    return _name(rng, "csv"), where.format(f=field).encode()


def wide(rng: random.Random) -> tuple[str, bytes]:
    """Up to a hundred thousand columns."""
    width = rng.choice((200, 201, 5_000, 100_000))
    delimiter, rows = rng.choice(",;\t|"), rng.choice((0, 2, 300))
    head = delimiter.join(rng.choice(("a", "1", "")) for _ in range(width))
    short = delimiter.join("1" for _ in range(rng.choice((1, 3, width if width < 1000 else 3))))
    return _name(rng, "csv"), (head + "\n" + (short + "\n") * rows).encode()


def quotes(rng: random.Random) -> tuple[str, bytes]:
    """Quotation marks where they do not belong."""
    pieces = ('"', '""', '",', '"\n', ",", "\n", "a", "1", '"a"', ' "', "'", '\\"')
    return _name(rng, "csv"), ("a,b\n" + "".join(rng.choices(pieces, k=rng.randint(1, 3000)))).encode()


def tall(rng: random.Random) -> tuple[str, bytes]:
    """Many rows of very little."""
    line = rng.choice((b"1\n", b"\n", b",\n", b"1,\n", b"a\n", b"0\r", b'""\n', b"007\n"))
    return _name(rng, "csv"), rng.choice((b"", b"a\n", b"a,b\n")) + line * rng.choice((10, 5000, 400_000, 2_100_000))


def spoil(rng: random.Random, data: bytes) -> bytes:
    """Change, cut, repeat or insert a few bytes."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        place = rng.randrange(len(data))
        how = rng.randrange(6)
        if how == 0:
            data[place] ^= 1 << rng.randrange(8)
        elif how == 1:
            data[place] = rng.choice((0, 255, 127, 128, rng.randrange(256)))
        elif how == 2:
            del data[place : place + rng.choice((1, 4, 50))]
        elif how == 3:
            data[place:place] = bytes(rng.choices(range(256), k=rng.choice((1, 4, 40))))
        elif how == 4:
            data[place:place] = data[place : place + rng.choice((4, 100))] * rng.choice((1, 5))
        elif rng.random() < 0.3:
            del data[place:]
    return bytes(data)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _name(rng: random.Random, extension: str) -> str:
    start = rng.choice(("a", "a", "<b>", "a\u202e", "../../etc/passwd", "C:\\x\\a", "__proto__", "a" * 300))
    return f"{start}.{rng.choice((extension, extension, 'csv', 'xlsx', 'parquet', 'gz', 'ods', ''))}"


MAKERS = {
    "text, odd": (plain, 10),
    "text, spoiled": (spoiled, 12),
    "text, encodings": (wrong_encoding, 8),
    "text, long field": (long_field, 4),
    "text, wide": (wide, 3),
    "text, quotes": (quotes, 5),
    "text, tall": (tall, 2),
}
