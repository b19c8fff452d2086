"""Which documents are ours: patches of what all apps of a server share look here first."""

from weakref import WeakSet

from bokeh.document import Document
from panel.io.state import state

_ours: WeakSet[Document] = WeakSet()


def adopt(document: Document | None) -> None:
    """From now on a document is one of ours; None, in a script, is nobody's."""
    if document is not None:
        _ours.add(document)


def ours(document: Document | None) -> bool:
    """Whether a document is one of ours."""
    return document is not None and document in _ours


def at_work() -> bool:
    """Whether something is done for one of our documents just now."""
    return ours(state.curdoc)
