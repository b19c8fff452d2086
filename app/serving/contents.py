"""What a message of a page may hold.

A message is JSON, in which an object with a `type` stands for something else. Of what Bokeh's server can read, some is
far larger than what was sent: bytes that were packed, a table of texts as wide as the sender says, a set of numbers
whose digests are all the same. Pages send none of that.
"""

from trustscope.app.serving import log

# Changes of a document: what a person did, and a size or a text that the browser sets.
EVENTS = ("MessageSent", "ModelChanged")
MOST_EVENTS = 20  # in one message; the four sizes of a plot come together
MOST_DONE = 5  # of them what a person did: each may be a step of a slider. Ours come one by one
SIZES = ("inner_width", "inner_height", "outer_width", "outer_height")
TYPED = ("value", "value_input")  # Panel's lines of text
LONGEST = 10_000  # characters of a text that is typed into one
DEEPEST = 200  # lists and objects within one another; a lesson that is being written has 60


def allowed(content: object) -> bool:
    """Whether a message holds nothing but what pages send; how much there is of it, `inbox` has looked at.

    No page makes models in the browser, but without our patch `known_models` one that the server has added to an open
    page is sent back whole. It is put down to its name here, in what was given, and nothing else of it is read. Parts
    of models at which nobody looks are taken out of what was given, too.
    """
    if not isinstance(content, dict):
        return False
    events = content.get("events", [])
    if not isinstance(events, list) or not all(isinstance(one, dict) and one.get("kind") in EVENTS for one in events):
        return False
    if len(events) > MOST_EVENTS or sum(one["kind"] == "MessageSent" for one in events) > MOST_DONE:
        return False
    level: list = [content]  # level by level and not inwards: whoever nests deeply must not end the walk with an error
    for _ in range(DEEPEST):
        inner: list = []
        for one in level:
            if isinstance(one, dict):
                if one.get("type") == "object" and isinstance(name := one.get("id"), str):
                    one.clear()
                    one["id"] = name
                elif "type" in one and not _is_sent(one):
                    return False
                inner.extend(one.values())
            elif isinstance(one, list):
                inner.extend(one)
        if not inner:
            break
        level = inner
    else:
        return False
    if events:
        events[:] = [one for one in events if one["kind"] == "MessageSent" or _is_kept(one)]
    return True


def _is_kept(change: dict) -> bool:
    """Whether a part of a model that the browser has set is one that somebody here looks at.

    Bokeh would take over all others too, of any size and for as long as the page is open.
    """
    name, value = change.get("attr"), change.get("new")
    if name in SIZES and isinstance(value, int | float | None):
        return True
    if name in TYPED and isinstance(value, str) and len(value) <= LONGEST:
        return True
    log.get(__name__).debug("a browser has set a part of a model at which nobody looks")
    return False


def _is_sent(one: dict) -> bool:
    """Whether an object that stands for something else is one that pages send."""
    kind = one["type"]
    if kind == "map":  # texts alone as keys: the digests of numbers can be chosen by whoever sends them
        entries = one.get("entries", [])
        pairs = isinstance(entries, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in entries)
        return pairs and all(isinstance(key, str) for key, _ in entries)
    if kind == "bytes":  # a piece of data that came as it is, beside the message
        return isinstance(one.get("data"), dict)
    return kind == "event" or (kind == "number" and one.get("value") in ("nan", "+inf", "-inf"))
