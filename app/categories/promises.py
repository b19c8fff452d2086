"""What is guaranteed: a promise, judged for one recipient, for the coalition and for the worst one, and solved for."""

from html import escape

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.picture import Picture
from trustscope.scenarios.categories.scenario import Settings
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.curves import Curve, Curves
from trustscope.widgets.slider import Slider

HALVES_CSS = """
:host { display: grid !important; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
@media (max-width: 1180px) { :host { grid-template-columns: minmax(0, 1fr); } }
"""
PROMISE_CSS = """
ul { list-style: none; margin: 0; padding: 0; }
li { padding: 2px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
.kept { color: var(--ts-good, #0f7490); } .broken { color: var(--ts-bad, #c2410c); }
"""
PRIORS = np.concatenate([[0, 0.002, 0.005], np.linspace(0.01, 1, 100)])
KINDS = ("rho", "delta")


class PromisesView(pn.viewable.Viewer):
    """Two promises with their sliders; each has three marks, and two buttons that solve for it.

    Parameters
    ----------
    give : called with the settings that keep a promise
    """

    def __init__(self, give):
        super().__init__()
        self._give = give
        self._asked: dict[tuple[str, str], Settings | None] = {}
        self.whose = Choice(label="Whose promise", options=[])
        self.rho1 = Slider(label="What was believed less than (ρ₁, “rho one”)", start=1, end=98, step=1)
        self.rho2 = Slider(label="is never believed more than (ρ₂, “rho two”)", start=2, end=99, step=1)
        self.delta = Slider(label="No belief grows by more than (δ, “delta”)", start=1, end=99, step=1)
        for one in (self.rho1, self.rho2):
            one.readout = "%"
        self.delta.readout = "points"
        self.curves = Curves("The worst that copies can do to a belief", height=250, shares=True)
        self.words = {kind: self._pane() for kind in KINDS}
        self.give_one, self.give_all = ({kind: self._action(who, kind) for kind in KINDS} for who in ("one", "all"))
        side = pn.Column(
            self.rho1, self.rho2, *self._answer("rho"), self.delta, *self._answer("delta"),
            sizing_mode="stretch_width", margin=(4, 0, 6, 0),
        )  # fmt: skip
        body = pn.Column(side, self.curves, stylesheets=[HALVES_CSS], sizing_mode="stretch_width", margin=0)
        self.card = Card("What is guaranteed", body, control=self.whose, help_text=texts.PROMISES, saved=self.curves)

    @staticmethod
    def _pane():
        return pn.pane.HTML("", stylesheets=[TEXT_CSS, PROMISE_CSS], sizing_mode="stretch_width", margin=(2, 0, 4, 0))

    def _action(self, who, kind):
        action = Action(text="", margin=(2, 8, 12, 0))
        action.param.watch(lambda event: self._clicked(who, kind), "clicks")
        return action

    def _answer(self, kind):
        buttons = pn.Row(self.give_one[kind], self.give_all[kind], sizing_mode="stretch_width", margin=0)
        return self.words[kind], buttons

    def _clicked(self, who, kind):
        settings = self._asked.get((who, kind))
        if settings is not None:
            self._give(settings)

    def offer(self, scenario, model):
        """Offer the recipients."""
        options = [(r.name, r.name, f"What {r.name}'s copy guarantees") for r in scenario.settings.recipients]
        if self.whose.options != options:
            self.whose.options = options

    def show(self, picture: Picture, model):
        """Judge the promise, and solve for it."""
        settings, size = picture.settings, model.size
        who = recipient_of(picture)
        judged = promises.judge(settings, size, who)
        for kind, limit in zip(KINDS, promises.limits(settings.promise), strict=True):
            self._solve(kind, limit, settings, size, who)
            self.words[kind].object = self._marks(kind, judged, limit, settings, size, who)
        self._draw(settings, judged, who)

    def _solve(self, kind, limit, settings, size, who):
        one = promises.given_to_one(settings, limit, size, who)
        everyone = promises.given_to_all(settings, limit, size)
        self._asked["one", kind], self._asked["all", kind] = one, everyone
        for action, given, name in (
            (self.give_one[kind], one, who.name),
            (self.give_all[kind], everyone, "all"),
        ):
            number = who.number if name == who.name else settings.recipients[0].number
            trust = None if given is None else next(r.trust for r in given.recipients if r.number == number)
            action.param.update(
                text="1 % is already too much" if trust is None else f"Give {name} {trust} %",
                tip="Kept for this copy alone" if name == who.name else "Kept whoever pools",
                disabled=trust is None,
            )

    @staticmethod
    def _marks(kind, judged, limit, settings, size, who):
        named = (f"{who.name} alone", "the present coalition", "the worst coalition")
        lines = []
        for name, one in zip(named, judged.all, strict=True):
            text = escape(words.promised(one, name, kind))
            if one is None:
                lines.append(f"<li>– {text}</li>")
                continue
            kept = one.keeps_rho if kind == "rho" else one.keeps_delta
            mark, tone = ("✓ kept", "kept") if kept else ("✗ not kept", "broken")
            lines.append(f'<li><b class="{tone}">{mark}</b>, {text}</li>')
        copies = 1 if settings.scheme == "nested" else len(settings.recipients)
        largest = promises.largest(limit, size, copies)
        said = words.rounded(largest, promises.whole_per_cent(largest), copies)
        return f"<ul>{''.join(lines)}</ul><p>{said}</p>"

    def _draw(self, settings, judged, who):
        lines = [Curve("believed before", colours.NEUTRAL, PRIORS, dash="dotted", width=1.5)]
        if len(settings.recipients) > 1:
            colour = colours.SCHEMES[settings.scheme]
            lines.append(
                Curve("the worst coalition", colour, promises.raised(PRIORS, judged.worst.gamma), dash="dashed")
            )
        lines.append(Curve(f"{who.name} alone", who.colour, promises.raised(PRIORS, judged.one.gamma), width=3))
        self.curves.show(
            100 * PRIORS, lines, x_range=(0, 100), y_top=1.02, mark=settings.promise.rho1,
            x_label="believed before, in per cent (mark: ρ₁)",
        )  # fmt: skip
        how = "as its best copy" if settings.scheme == "nested" else "all copies' factors multiplied"
        text = (
            f"The odds of a belief, for to against, can grow at most <b>{words.times(judged.one.gamma)}</b> "
            f"(γ, “gamma”) for {escape(who.name)}, <b>{words.times(judged.worst.gamma)}</b> for the worst coalition: "
            f"{how}."
        )
        self.card.say(text, [(c.name, c.colour, c.dash) for c in lines])

    def __panel__(self):
        return self.card.__panel__()


def recipient_of(picture: Picture):
    """The recipient that is looked at, by name; the first where nobody is called so."""
    who = picture.settings.recipients
    return next((r for r in who if r.name == picture.scenario.view.whose), who[0])
