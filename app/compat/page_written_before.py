"""The page as a message is written in a thread before a browser asks for it (`app/serving/prebuilt.py`).

Bokeh writes it when it is asked for, on the server's loop, while the browser waits and nobody else is served.
"""

from collections.abc import Callable
from typing import Any

from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.document.events import DocumentChangedEvent
from bokeh.protocol.messages.pull_doc_reply import pull_doc_reply

from trustscope.app.compat.patch import Part, Patch


def write_page(document: Document) -> pull_doc_reply:
    """The page as a message that answers nobody yet."""
    nobody: Any = None
    message = pull_doc_reply.create(nobody, document)
    message.content_json  # noqa: B018  written here, and kept
    return message


def answering(message: pull_doc_reply, request: str) -> pull_doc_reply:
    """The message as the answer to a request."""
    message.header["reqid"] = ID(request)
    message._header_json = None
    return message


def watch(document: Document, changed: Callable[[DocumentChangedEvent], None]) -> None:
    """Tell of every change of a document, at once.

    `Document.on_change` would not do: Panel takes changes that are held out of the document, and sends them by itself.
    """
    tell = document.callbacks.trigger_on_change

    def told(event: DocumentChangedEvent) -> None:
        changed(event)
        tell(event)

    document.callbacks.trigger_on_change = told  # type: ignore[method-assign]


def unwatch(document: Document) -> None:
    """Tell of no change any more."""
    document.callbacks.__dict__.pop("trigger_on_change", None)


PATCH = Patch(
    name="page_written_before",
    gain="what the server's loop does from an address to its page's message: 21 % less",
    versions={"bokeh": ("3.9", "3.10")},
    parts=(
        Part("bokeh.document.callbacks:DocumentCallbackManager.trigger_on_change", "c7cce0606ce9"),
        Part("bokeh.protocol.message:Message.content_json", "c613d1a7feec"),
        Part("bokeh.protocol.message:Message.header_json", "4dfdffa1a254"),
        Part("bokeh.protocol.messages.pull_doc_reply:pull_doc_reply.create", "f138276ac344"),
    ),
)
