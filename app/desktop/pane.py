"""The window of pywebview, in a process of its own: `python -m trustscope.app.desktop.pane LINK`."""

import json
import sys
import time
from pathlib import Path

from trustscope.app.desktop.folder import Size, read_size, settings_folder, write_size

ICON = Path(__file__).parent.parent / "icon.png"
LOOK = 1.0  # seconds between two looks at the page's title


def main() -> int:
    """Show the page until the window is closed; the exit code."""
    import webview

    webview.settings["ALLOW_DOWNLOADS"] = True
    folder = settings_folder()
    size = read_size(folder)
    window = webview.create_window(
        "Trustscope", sys.argv[1], width=size.width, height=size.height, min_size=(480, 360), text_select=True
    )
    window.events.initialized += lambda renderer: _mend_saving()
    window.events.closing += lambda: write_size(folder, Size(int(window.width), int(window.height)))
    webview.start(_follow_title, (window,), icon=str(ICON))
    return 0


def _mend_saving() -> None:
    """Let a file be saved under its own name where the window is Qt's.

    pywebview proposes the number of a blob for a name, and then asks Qt 6 for what only Qt 5 had.
    """
    qt = sys.modules.get("webview.platforms.qt")  # there once pywebview has chosen it
    if qt is None:
        return

    def save(view, download):
        path, _ = qt.QFileDialog.getSaveFileName(view, "Save", str(Path.home() / download.suggestedFileName()))
        if path:
            place = Path(path)
            download.setDownloadDirectory(str(place.parent))
            download.setDownloadFileName(place.name)
            download.accept()

    qt.BrowserView.on_download_requested = save


def _follow_title(window) -> None:
    """The window is called what the page is called; pywebview runs this beside the window."""
    shown = ""
    while not window.events.closed.is_set():
        time.sleep(LOOK)
        try:
            # As it is: what pywebview calls evaluating is an `eval` in the page, which the page's policy forbids.
            title = _plain(window.run_js("document.title"))
        except Exception:  # the window is being closed, or the page is on its way
            continue
        if title and title != shown:
            shown = title
            window.set_title(title)


def _plain(title: object) -> str:
    """A text as it is; some platforms give it as JSON, in quotation marks."""
    if not isinstance(title, str):
        return ""
    return json.loads(title) if title.startswith('"') and title.endswith('"') and len(title) > 1 else title


if __name__ == "__main__":
    sys.exit(main())
