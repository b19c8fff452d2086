"""Panel's own inputs, dressed for this page."""

import panel as pn

from widgets.esm import css

CSS = css("inputs.css")
UNSEEN_CSS = css("unseen.css")
DROP_CSS = css("dropper.css")


def dropdown(label: str, options, **params) -> pn.widgets.Select:
    """A drop-down with its label."""
    return pn.widgets.Select(
        name=label,
        options=options,
        stylesheets=[CSS],
        sizing_mode="stretch_width",
        margin=(0, 0, 4, 0),
        **params,
    )


def whole_number(label: str, *, label_shown: bool = True, **params) -> pn.widgets.IntInput:
    """A box for a whole number; its name is always there for a screen reader."""
    return pn.widgets.IntInput(name=label, stylesheets=[CSS] if label_shown else [CSS, UNSEEN_CSS], **params)


class Dropper(pn.widgets.FileDropper):
    """Takes one file; what is larger than `most` bytes is refused here, whatever the browser says."""

    def __init__(self, most: int, **params):
        super().__init__(max_file_size=f"{most // 10**6}MB", **params)
        self._most = most
        self._refused = set()

    def _process_event(self, event):
        data = event.data
        if event.event_name == "upload_event":
            name = data["name"]
            if data["chunk"] == 1:
                self._refused.discard(name)
                self._file_buffer.clear()  # one file at a time: an abandoned upload is forgotten
            size = sum(map(len, self._file_buffer.get(name, ()))) + len(data["data"])
            if name in self._refused or size > self._most:
                self._refused.add(name)
                self._file_buffer.pop(name, None)
                return
        super()._process_event(event)

    def clear(self):
        """Forget the file: it has been read."""
        self.value, self.mime_type = {}, {}


def dropper(label: str, most: int) -> Dropper:
    """A place to drop one file of at most so many bytes."""
    return Dropper(
        most, name=label, multiple=False, previews=[], chunk_size=4_000_000, layout="compact",
        stylesheets=[DROP_CSS, CSS], sizing_mode="stretch_width", height=62, margin=(8, 0, 2, 0),
    )  # fmt: skip
