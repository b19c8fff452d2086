"""Files for the tests, made by hand so that they need no other library: workbooks, Parquet, CSV."""

import base64
import io
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
