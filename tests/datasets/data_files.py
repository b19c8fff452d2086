"""Files for the tests, made by hand so that they need no other library: workbooks, Parquet, CSV."""

import base64
import io
import struct
import zipfile
import zlib

import pyarrow as pa
from pyarrow import parquet

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES = (
    f'<styleSheet {_MAIN}><cellXfs count="2"><xf numFmtId="0"/>'
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)


class Days(float):
    """A cell that Excel shows as a date: days since the end of 1899."""


def sheet_xml(rows, at=(1, 1)):
    """Write a worksheet; `at` is the row and column of its first cell."""
    lines = []
    for i, row in enumerate(rows, at[0]):
        cells = "".join(_cell(f"{_letters(j)}{i}", value) for j, value in enumerate(row, at[1]) if value is not None)
        lines.append(f'<row r="{i}">{cells}</row>')
    return f"<worksheet {_MAIN}><sheetData>{''.join(lines)}</sheetData></worksheet>"


def xlsx(sheets):
    """Make a workbook from {title: worksheet XML}."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")]))
        tabs = "".join(f'<sheet name="{t}" sheetId="{i}" r:id="rId{i}"/>' for i, t in enumerate(sheets, 1))
        archive.writestr("xl/workbook.xml", f'<workbook {_MAIN} xmlns:r="{_REL}"><sheets>{tabs}</sheets></workbook>')
        targets = [("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)]
        archive.writestr("xl/_rels/workbook.xml.rels", _relations([*targets, ("styles", "styles.xml")]))
        archive.writestr("xl/styles.xml", _STYLES)
        for i, xml in enumerate(sheets.values(), 1):
            archive.writestr(f"xl/worksheets/sheet{i}.xml", xml)
    return made.getvalue()


def ods(rows, title="S", more=""):
    """Make an OpenDocument workbook with one sheet; `more` is XML to follow the rows."""
    names = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    sheet = f'<table:table table:name="{title}">{lines}{more}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", f"<office:document-content {names}>{body}</office:document-content>")
    return made.getvalue()


def xlsb(rows, title="S"):
    """Make a binary workbook with one sheet: records of a number, a length and a body (MS-XLSB 2.1.4)."""
    bundle = struct.pack("<II", 0, 1) + _wide("rId1") + _wide(title)
    book = b"".join(_record(number, body) for number, body in ((131, b""), (143, b""), (156, bundle), (144, b"")))
    extent = struct.pack("<IIII", 0, len(rows) - 1, 0, max(map(len, rows)) - 1)
    sheet = _record(129) + _record(148, extent) + _record(145)
    for i, row in enumerate(rows):
        sheet += _record(0, struct.pack("<IIHBBBI", i, 0, 300, 0, 0, 0, 0))
        for j, value in enumerate(row):
            place, real = struct.pack("<II", j, 0), isinstance(value, (int, float))
            sheet += _record(5, place + struct.pack("<d", value)) if real else _record(6, place + _wide(value))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.bin")]))
        archive.writestr("xl/workbook.bin", book + _record(132))
        archive.writestr("xl/_rels/workbook.bin.rels", _relations([("worksheet", "worksheets/sheet1.bin")]))
        archive.writestr("xl/worksheets/sheet1.bin", sheet + _record(146) + _record(130))
    return made.getvalue()


def _ods_cell(value):
    if isinstance(value, (int, float)):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'


def _record(number, body=b""):
    head = bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])
    size, rest = b"", len(body)
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return head + size + bytes([rest]) + body


def _wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def parquet_bytes(columns, **options):
    made = io.BytesIO()
    parquet.write_table(pa.table(columns), made, **options)
    return made.getvalue()


def _relations(targets):
    items = "".join(
        f'<Relationship Id="rId{i}" Type="{_REL}/{kind}" Target="{t}"/>' for i, (kind, t) in enumerate(targets, 1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def _cell(place, value):
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, Days):
        return f'<c r="{place}" s="1"><v>{float(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{place}"><v>{value}</v></c>'
    text = value.replace("&", "&amp;").replace("<", "&lt;")
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _letters(number):
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


# A workbook of Excel 97: one sheet called S<1>, with Age (30, 40, 50) and Kind (x, y, x).
XLS = zlib.decompress(
    base64.b85decode(
        "c-rk)O-NKx6#njeGtLj=_{PRSBN>D&&5g8ik@GSr7m-*kiV$*ah7e_x!9}`AQ)d|jt%^2=n>JRPeyD}*A_AipK@iN?"
        "vQ=QvLg#hvnfr9KSvZlBalgks_q=nzd+&Mgo_pTU`=v;3?ny%)TM&ndf)hYhiA_)mxF;5<-EpMq)_y9E#-2jJPYYS)"
        "#mnk<KDmZ+z4I{e*z=ksuuP>7qv#n)r((N^lk7u6NFO>$3fw1481?K`Ez7Gc_pyA$%vUT=u;muZPU7aoWh~h}tsN?g"
        "FBwhT7KR-68Ta|jmUh(Pjf~>S+oH(zqAN3)82&dK8a*M*gVwD(l}=?6!#PB00q60<i2*C_PF;*?`|jEW$o_M)-B-qb"
        "$M67CaQZpGvj}0)lr0`yINly##X(wVc?L?x=(?67?aW|0NkMR(%6L%bW8S~kru|#ZaUCL=L=Ec^j&6%G^y<U!AI=W+"
        "+E>^z#W}l}*$+u);NYh0L7l^ZnjFk+WqFk4G>>|K^#+zva+T`l-a4h6o?*@`w>Hx}#~2^&!zKC=(zD;rJ#Wl@wOdGE"
        "=*~|>7e3i@Xrd=glKRVI25q8E+`B9B!ggz+vcMOX^}l5VzhNog9rgIC!5V_BMpzcl<lPa9FShV+7(up0FroNj{ccLW"
        "QHF0Y|AFEc@4l({W*NT8{I`m4u8$u#YVlMml+QL0gocKOhK7cQhK9zUL#VfVQ@!hZ)i;Ds{nuHeQqaFi{#%^K2pwbe"
        "VR{N_sxug`D1P?CE8MZfHv72$3nebn>=_JUfc+S%IDY9HP?TQJwmVvXZwpmAf1wgTcX<9^g!RRr"
    )
)
