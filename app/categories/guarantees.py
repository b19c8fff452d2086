"""What one recipient's retention probability guarantees, and the largest one that keeps a promise."""

from html import escape

import numpy as np
import panel as pn
import param

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.app.categories.shares import pick
from trustscope.engine import measures
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.settings import retention, retentions
from trustscope.scenarios.words import count, share
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.curves import Curve, Curves
from trustscope.widgets.slider import Slider

HALVES_CSS = """
:host { display: grid !important; grid-template-columns: minmax(0, 9fr) minmax(0, 11fr); gap: 16px; }
@media (max-width: 1180px) { :host { grid-template-columns: minmax(0, 1fr); } }
"""
PRIORS = np.concatenate([[0, 0.002, 0.005], np.linspace(0.01, 1, 100)])


class GuaranteesView(pn.viewable.Viewer):
    """Read-outs of gamma, rho1-to-rho2 and delta-growth; `asked` is (recipient's number, per cent) to set."""

    asked = param.ClassSelector(class_=tuple, default=(), doc="Whom to give which retention.")

    def __init__(self):
        super().__init__()
        self.whose = Choice(label="Whose guarantees", options=[], value=None)
        self.rho1 = Slider(label="ρ₁: what was believed less than", start=1, end=98, step=1, value=10)
        self.rho2 = Slider(label="ρ₂: is never believed more than", start=2, end=99, step=1, value=50)
        self.delta = Slider(label="δ: no belief grows by more than", start=1, end=99, step=1, value=30)
        self.give_rho = Action(text="", margin=(2, 0, 12, 0))
        self.give_delta = Action(text="", margin=(2, 0, 6, 0))
        self.curves = Curves("The worst that a copy can do to a belief", height=240, shares=True)
        self._rho_words, self._delta_words = self._line(), self._line()
        side = pn.Column(
            self.rho1, self.rho2, self._rho_words, self.give_rho, self.delta, self._delta_words, self.give_delta,
            sizing_mode="stretch_width", margin=(4, 0, 6, 0),
        )  # fmt: skip
        body = pn.Column(side, self.curves, stylesheets=[HALVES_CSS], sizing_mode="stretch_width", margin=0)
        self.card = Card("What is guaranteed", body, control=self.whose, help_text=texts.GUARANTEES)
        self._settings, self._size = None, 2
        self._wire()

    @staticmethod
    def _line():
        return pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(2, 0, 4, 0))

    def _wire(self):
        for slider in (self.rho1, self.rho2, self.delta):
            slider.param.watch(self._promised, "value")
        self.whose.param.watch(lambda e: self._show(), "value")
        self.give_rho.param.watch(lambda e: self._give(self.largest()[0]), "clicks")
        self.give_delta.param.watch(lambda e: self._give(self.largest()[1]), "clicks")

    def _promised(self, event):
        if event.obj is self.rho1 and self.rho2.value <= self.rho1.value:
            self.rho2.value = self.rho1.value + 1
        elif event.obj is self.rho2 and self.rho1.value >= self.rho2.value:
            self.rho1.value = self.rho2.value - 1
        self._show()

    def _give(self, largest):
        whole = whole_per_cent(largest)
        if whole:
            self.asked = ()
            self.asked = (self._recipient().number, whole)

    def largest(self) -> tuple[float, float]:
        """The largest p that keeps the promise of rho, and that of delta."""
        rho = measures.retention_for_rho(self.rho1.value / 100, self.rho2.value / 100, self._size)
        return float(rho), float(measures.retention_for_delta(self.delta.value / 100, self._size))

    def _recipient(self):
        chosen = pick(self.whose, self._settings.recipients, "What {}'s copy guarantees")
        return next(r for r in self._settings.recipients if r.number == chosen)

    def show(self, settings, size: int):
        """Other settings."""
        self._settings, self._size = settings, size
        self._show()

    def _show(self):
        if self._settings is None:
            return
        r, size = self._recipient(), self._size
        p = retention(r)
        rho1, rho2, delta = (slider.value / 100 for slider in (self.rho1, self.rho2, self.delta))
        for slider in (self.rho1, self.rho2):
            slider.readout = share(slider.value / 100)
        self.delta.readout = f"{self.delta.value:.0f} points"
        by_rho, by_delta = self.largest()
        raised = float(measures.rho2_of_retention(rho1, p, size))
        grown = float(measures.delta_of_retention(p, size))
        keeps = p < 1 and bool(measures.rho_holds(p, size, rho1, rho2)), grown <= delta + 1e-9
        self._rho_words.object = _sentence(keeps[0], f"At {share(p)} it can rise to {share(raised)}.", by_rho)
        self._delta_words.object = _sentence(
            keeps[1], f"At {share(p)} it can grow by {100 * grown:.0f} points.", by_delta
        )
        for action, largest in ((self.give_rho, by_rho), (self.give_delta, by_delta)):
            whole = whole_per_cent(largest)
            action.param.update(
                text=f"Give {r.name} {whole} %" if whole else "1 % is already too much", disabled=not whole
            )
        self._draw(r, rho1)

    def _draw(self, r, rho1):
        settings, size = self._settings, self._size
        gamma = float(measures.amplification(retention(r), size))
        together = self._together()
        lines = [Curve("believed before", colours.NEUTRAL, PRIORS, dash="dotted", width=1.5)]
        if together is not None:
            name = "the coalition, at worst"
            lines.append(Curve(name, colours.SCHEMES[settings.scheme], _raised(together), dash="dashed"))
        lines.append(
            Curve(f"{r.name}, at worst", r.colour, measures.worst_posterior(PRIORS, retention(r), size), width=3)
        )
        self.curves.show(PRIORS, lines, x_range=(0, 1), y_top=1.02, mark=rho1, x_label="believed before (mark: ρ₁)")
        where = f"for {escape(r.name)}, at {share(retention(r))} of {count(size)} values"
        if np.isinf(gamma):
            text = f"Nothing is guaranteed {where}."
        else:
            text = f"The odds of any belief grow at most <b>{words.gamma(gamma)}</b> times (γ) {where}."
        if together is not None and not np.isinf(together):
            how = "as for its best member" if settings.scheme == "nested" else "all members' multiplied"
            text += f" For the coalition <b>{words.gamma(together)}</b> times: {how}."
        self.card.say(text, [(c.name, c.colour, c.dash) for c in lines])

    def _together(self):
        """gamma of the coalition: the best member's, or the product where copies are independent."""
        who = self._settings.coalition
        if len(who) < 2:
            return None
        gammas = np.asarray(measures.amplification(retentions(who), self._size))
        return float(gammas.max() if self._settings.scheme == "nested" else gammas.prod())

    def __panel__(self):
        return self.card.__panel__()


def _raised(gamma):
    """The worst posterior of every prior at this gamma."""
    if np.isinf(gamma):
        return (PRIORS > 0).astype(float)
    return gamma * PRIORS / (1 + (gamma - 1) * PRIORS)


def whole_per_cent(p: float) -> int:
    """The largest whole percentage that is not above p, from 1 to 99; 0 where there is none."""
    return min(int(np.floor(100 * p + 1e-9)), 99)


def _sentence(kept, now, largest):
    mark = "✓ kept." if kept else "✗ not kept."
    # Rounded down: what is shown must keep the promise, and 100 % keeps none.
    shown = min(np.floor(1000 * largest + 1e-6) / 10, 99.9)
    return f"<p><b>{mark}</b> {now} Largest p that keeps it: <b>{shown:.1f} %</b>.</p>"
