"""The data desk of the Trust dashboard: numbers from a set or a file, or made to order."""

import panel as pn

from trustscope.app.data import DataDesk
from trustscope.app.trust.generator import Generator

MADE = "gaussian"


class TrustDesk(DataDesk):
    """Where the Gaussian set is chosen, the generator that makes it is shown."""

    def __init__(self, dataset: str = "census", **params):
        self.generator, self._ordered = Generator(), None
        super().__init__(dataset, **params)
        self.generator.param.watch(self._made, "changed")

    def _open(self, name):
        return self._order() if name == MADE else super()._open(name)

    def _order(self):
        self._ordered = self.generator.dataset()
        return self._ordered

    @property
    def made(self) -> bool:
        """Whether what is loaded was made to order: all its attributes then have one unit."""
        return self.dataset is self._ordered

    def _first(self, dataset):
        return dataset.numeric if dataset is self._ordered else super()._first(dataset)

    def _make_chooser(self):
        return pn.Column(super()._make_chooser(), self.generator, sizing_mode="stretch_width", margin=0)

    def _show_chooser(self):
        super()._show_chooser()
        self.attributes.visible, self.generator.__panel__().visible = not self.made, self.made

    def _made(self, event):
        self.use(self._order())
