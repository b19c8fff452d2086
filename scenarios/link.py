"""A scenario as the query of an address: short enough to be sent, the same for everybody who opens it."""

import base64
import binascii
import json
import zlib
from urllib.parse import parse_qs, urlencode

from trustscope.scenarios.base import BaseScenario, Reading
from trustscope.scenarios.versions import VERSION

MOST_TEXT = 20_000  # characters of a query that are looked at
MOST_FIELDS = 20  # names and values of a query that are looked at
MOST_JSON = 100_000  # bytes that it may unfold to
# What most scenarios hold, in the order in which it stands there: a link refers to it instead of spelling it out. A
# change makes links unreadable that were packed before it; what is added goes in front, and moves nothing.
COMMON = (
    b'"view":{"person":,"person_as":"path","closer":"attackers","copies_as":"scatter","cloud_of":"","errors_as":'
    b'"cumulative","tradeoff":{"private":"hits","useful":"histogram"},"map":{"figure":"gain","across":"recipients",'
    b'"upwards":"similarity","limit":},"differential":{"about":"apart","delta":'
    b'"data":{"name":"own","file":{"name":".csv","size":,"digest":""},"columns":["","order":{"attributes":,'
    b'"components":,"small":,"records":,"experiment":"1"},"preparation":[{"column":"","limit":null,"share":0.,"unit":,'
    b'"grid":,"action":"logarithm"},{"action":"bottom"},{"action":"round"}]},"seed":,"settings":{"scheme":"independent",'
    b'"locked":[],"attackers":["strongest","perfect","structured","raw","noise_distribution","univariate",'
    b'"principal_components","spectral_filter","bayes"],"knowledge":"everybody","others":,"known":["],"sample":,'
    b'"attribute":"","eps":,"kind":"euclidean","similarity":,"informed":true,"requirements":[{"what":"accuracy",'
    b'"limit":,"attacker":"","coalition":"named","size":,"members":[],"attribute":"","other":"","distance":,'
    b'"classifier":"svm","label":""},{"what":"hits"},{"what":"error"}],"scheme":"nested","recipients":[{"number":0,'
    b'"name":"Ministry","trust":50,"member":true},{"number":1,"name":"University","trust":45,"member":false},'
    b'{"number":2,"name":"Insurer","trust":40,"member":true},{"number":3,"name":"Bank","trust":40},{"number":4,'
    b'"name":"Press","trust":35},{"number":5,"name":"Start-up","trust":35}]'
)


def query_of(scenario: BaseScenario) -> str:
    """The query that `scenario_of` reads; of a page as it opens, its name alone."""
    kept = scenario.model_dump(mode="json", exclude_defaults=True)
    if not kept:
        return urlencode({"page": scenario.page})
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()
    return urlencode({"page": scenario.page, "v": VERSION, "s": _packed(text)})


def scenario_of(query: str, kind: type[BaseScenario]) -> Reading:
    """The scenario of a query: what can be used of it, and a sentence for each thing that cannot."""
    values = values_of(query)
    packed = values.get("s", [""])[0]
    if not packed:
        return Reading(kind.model_validate({}), ())
    try:
        content = json.loads(_unpacked(packed))
    except (ValueError, zlib.error, binascii.Error, RecursionError):
        return Reading(kind.model_validate({}), ("This link is damaged, so the page opens as it usually does.",))
    if isinstance(content, dict):
        content |= {"trustscope": _number(values.get("v", [""])[0])}
    return kind.read(content)


def page_of(query: str) -> str:
    """The page that a query names, or nothing."""
    return values_of(query).get("page", [""])[0]


def values_of(query: str, *, blank: bool = False) -> dict[str, list[str]]:
    """The values of a query by their names, those without a text only if `blank`; what is too much is not looked at."""
    fields = query[:MOST_TEXT].split("&", MOST_FIELDS)[:MOST_FIELDS]
    return parse_qs("&".join(fields), keep_blank_values=blank)


def _number(text: str) -> int | str:
    """The version that a link names; the present one where it names none, and the text where that is no number."""
    if not text:
        return VERSION
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _packed(text: bytes) -> str:
    pack = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=COMMON)
    return base64.urlsafe_b64encode(pack.compress(text) + pack.flush()).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    """What was packed; a ValueError where it unfolds to more than anybody needs."""
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    unpack = zlib.decompressobj(-15, zdict=COMMON)  # links that were packed without it are read as well
    found = unpack.decompress(raw, MOST_JSON)
    if unpack.unconsumed_tail or not unpack.eof:
        raise ValueError("too long, or cut off")
    return found
