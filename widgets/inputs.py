"""Panel's own inputs, dressed for this page."""

import panel as pn

CSS = """
:host { font-family: var(--ts-font, "Helvetica Neue", Arial, "Liberation Sans", sans-serif); color: var(--ts-text, #172033); }
.bk-input-group > label, .bk-input-group label { font-size: 12px; color: var(--ts-soft, #5b687a); margin: 0; }
.bk-input { font: inherit; font-size: 14px; background: var(--ts-card, #fff); color: var(--ts-text, #172033); border: 1px solid var(--ts-edge, #c6cfda); border-radius: 6px; min-height: 30px; height: 30px; padding: 2px 8px; }
select.bk-input { background-image: none; appearance: auto; }
.bk-input:focus { outline: 2px solid var(--ts-focus, #1292b4); outline-offset: 1px; border-color: var(--ts-focus, #1292b4); box-shadow: none; }
.bk-input option { background: var(--ts-card, #fff); color: var(--ts-text, #172033); }
"""
UNSEEN_CSS = """
label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
"""
DROP_CSS = """
:host { font-family: var(--ts-font, "Helvetica Neue", Arial, "Liberation Sans", sans-serif); }
.bk-input-group > label { display: none; }
.filepond--root { font: inherit; font-size: 13px; margin: 0; min-height: 44px; }
.filepond--root.bk-input, .filepond--drop-label { background: transparent; border: 0; padding: 0; }
.filepond--panel-root, .filepond--panel-center, .filepond--panel-top, .filepond--panel-bottom { background: transparent !important; border: 0 !important; }
.filepond--drop-label { border: 1px dashed var(--ts-edge, #c6cfda); border-radius: 8px; color: var(--ts-soft, #5b687a); min-height: 42px; box-sizing: border-box; }
.filepond--drop-label label { font-size: 13px; }
.filepond--credits { display: none; }
"""


def dropdown(label: str, options, **params) -> pn.widgets.Select:
    """A drop-down with its label."""
    return pn.widgets.Select(
        name=label, options=options, stylesheets=[CSS], sizing_mode="stretch_width", margin=(0, 0, 4, 0), **params
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
