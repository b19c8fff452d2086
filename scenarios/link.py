"""A scenario as the query of an address: short enough to be sent, the same for everybody who opens it."""

import base64
import binascii
import json
import zlib
from urllib.parse import parse_qs, urlencode

from trustscope.scenarios.scenario import Reading, Scenario
from trustscope.scenarios.versions import VERSION

MOST_TEXT = 20_000  # characters of a query that are looked at
MOST_JSON = 1_000_000  # bytes that it may unfold to


def query_of(scenario: Scenario) -> str:
    """The query that `scenario_of` reads; of a page as it opens, its name alone."""
    kept = scenario.model_dump(mode="json", exclude_defaults=True)
    if not kept:
        return urlencode({"page": scenario.page})
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()
    return urlencode({"page": scenario.page, "v": VERSION, "s": _packed(text)})


def scenario_of(query: str, kind: type[Scenario]) -> Reading:
    """The scenario of a query: what can be used of it, and a sentence for each thing that cannot."""
    values = parse_qs(query[:MOST_TEXT], max_num_fields=20)
    packed = values.get("s", [""])[0]
    if not packed:
        return Reading(kind(), ())
    try:
        content = json.loads(_unpacked(packed))
    except (ValueError, zlib.error, binascii.Error, RecursionError):
        return Reading(kind(), ("This link is damaged, so the page opens as it usually does.",))
    if isinstance(content, dict):
        content |= {"trustscope": _number(values.get("v", [""])[0])}
    return kind.read(content)


def page_of(query: str) -> str:
    """The page that a query names, or nothing."""
    return parse_qs(query[:MOST_TEXT], max_num_fields=20).get("page", [""])[0]


def _number(text: str) -> int | str:
    """The version that a link names; the present one where it names none, and the text where that is no number."""
    if not text:
        return VERSION
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _packed(text: bytes) -> str:
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(pack.compress(text) + pack.flush()).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    """What was packed; a ValueError where it unfolds to more than anybody needs."""
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    unpack = zlib.decompressobj(-15)
    found = unpack.decompress(raw, MOST_JSON)
    if unpack.unconsumed_tail or not unpack.eof:
        raise ValueError("too long, or cut off")
    return found
