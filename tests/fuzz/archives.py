"""Hostile gzip files, zip archives and workbooks."""

import gzip
import io
import random
import zipfile

from tests.datasets.data_files import XLS, Days, ods, sheet_xml, xlsb, xlsx
from tests.fuzz.tables import NAMES, VALUES, plain, spoil

_BOMB = 300_000_000


def gzipped(rng: random.Random) -> tuple[str, bytes]:
    """Compressed text: spoiled, cut off, in many members, nested, or much longer than it looks."""
    how = rng.randrange(6)
    data = plain(rng)[1]
    if how == 0:
        made = spoil(rng, gzip.compress(data))
    elif how == 1:
        made = gzip.compress(data) + rng.randbytes(rng.randint(0, 30))
    elif how == 2:
        made = gzip.compress(b"") * rng.choice((10, 30_000, 120_000)) + gzip.compress(data)
    elif how == 3:
        made = gzip.compress(gzip.compress(data))
    elif how == 4:
        made = b"".join(gzip.compress(bytes([b])) for b in data[:2000])
    else:
        run = rng.choice((b"\0", b"1\n", b",", b" ", b'"'))
        made = gzip.compress(run * ((_BOMB if rng.random() < 0.2 else 3_000_000) // len(run)), 1)
    return "a.csv.gz", made


def zipped(rng: random.Random) -> tuple[str, bytes]:
    """Archives that are no workbooks, or pretend to be."""
    names = ("xl/workbook.xml", "xl/workbook.bin", "content.xml", "word/document.xml", "a.csv", "../../x", "\u202e")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for i in range(rng.choice((1, 1, 2, 3000))):
            size = rng.choice((0, 100, 20_000)) if i or rng.random() < 0.9 else 50_000_000
            body = rng.choice((b"<a>", b" ", b"\0", b"x")) * size
            archive.writestr(rng.choice(names) + (str(i) if i else ""), body)
    data = made.getvalue()
    return "a.xlsx", spoil(rng, data) if rng.random() < 0.3 else data


def workbook_bytes(rng: random.Random) -> tuple[str, bytes]:
    """A workbook of any format with bytes changed from outside."""
    which = rng.choice(("xlsx", "xls", "xls", "xlsb", "ods"))
    return f"a.{which}", spoil(rng, _sound(rng, which))


def workbook_inside(rng: random.Random) -> tuple[str, bytes]:
    """A workbook whose archive is sound and whose parts are not."""
    which = rng.choice(("xlsx", "xlsb", "xlsb", "ods"))
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(_sound(rng, which))) as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for member in old.infolist():
            body = old.read(member)
            spoilt = rng.random() < (0.9 if "sheet" in member.filename or "content" in member.filename else 0.15)
            new.writestr(member.filename, spoil(rng, body) if spoilt and body else body)
    return f"a.{which}", made.getvalue()


def workbook_vast(rng: random.Random) -> tuple[str, bytes]:
    """Few bytes that stand for very many cells, sheets or characters."""
    how = rng.randrange(6)
    rows = [["a", "b"], [1, "x"], [2, "y"], [3, "x"]]
    number = rng.choice((10, 16_384, 1_048_576, 2**31, 10**12))
    if how == 0:
        cell = (
            f'<table:table-cell table:number-columns-repeated="{number}" office:value-type="float" office:value="1"/>'
        )
        again = rng.choice((1, 1_048_576, 2**32))
        return "a.ods", ods(
            rows, more=f'<table:table-row table:number-rows-repeated="{again}">{cell}</table:table-row>'
        )
    if how == 1:
        corner = (
            f'<row r="{number}"><c r="{rng.choice(("A", "XFD", "ZZZZZZZ"))}{number}"><v>1</v></c></row></sheetData>'
        )
        return "a.xlsx", xlsx({"S": sheet_xml(rows).replace("</sheetData>", corner)})
    if how == 2:
        return "a.xlsx", xlsx({f"S{i}": sheet_xml([]) for i in range(rng.choice((3, 300)))})
    if how == 3:
        return "a.xlsx", xlsx({"S": sheet_xml([["x" * rng.choice((100, 2_000_000)), "b"], [1, 2], [2, "y" * 40_000]])})
    if how == 4:
        entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(9))
        bomb = f'<!DOCTYPE x [<!ENTITY e0 "lol">{entities}]>' + sheet_xml([["a"], ["&e9;"], [1]]).replace("&amp;", "&")
        return "a.xlsx", xlsx({"S": bomb})
    return "a.xlsx", xlsx({"S": sheet_xml([["a"] * 300, [1] * 300, [2] * 300])})


def _sound(rng: random.Random, which: str) -> bytes:
    if which == "xls":
        return XLS
    rows = [[f"c{i}" for i in range(4)], *([i, "xyz"[i % 3], i / 7, str(i % 2)] for i in range(rng.choice((3, 30))))]
    if which == "xlsx":
        rows[1][2] = Days(rng.choice((0, 25569, -1, 1e9, 2_958_466)))
        rows[2][3] = rng.choice(NAMES + VALUES).replace("\0", "").replace("\x07", "").replace("\x1b", "")
        return xlsx({rng.choice(("S", "&lt;b&gt;", "a\u202eb")): sheet_xml(rows)})
    return xlsb(rows) if which == "xlsb" else ods(rows)


MAKERS = {
    "gzip": (gzipped, 8),
    "zip": (zipped, 4),
    "workbook, bytes": (workbook_bytes, 9),
    "workbook, inside": (workbook_inside, 9),
    "workbook, vast": (workbook_vast, 3),
}
