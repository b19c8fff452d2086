"""What is guaranteed: a promise, judged for one recipient, for the coalition and for the worst one, and solved for."""

from html import escape

import panel as pn

from trustscope.app.cards import CardView
from trustscope.looks import looks_of
from trustscope.scenarios.categories import promise as promises
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.cards import looked_at
from trustscope.scenarios.categories.scenario import Settings
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import TEXT_CSS
from trustscope.widgets.live.lines import Lines

HALVES_CSS = """
:host { display: grid !important; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
@media (max-width: 1180px) { :host { grid-template-columns: minmax(0, 1fr); } }
"""
PROMISE_CSS = """
ul { list-style: none; margin: 0; padding: 0; }
li { padding: 2px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
.kept { color: var(--ts-good, #0f7490); } .broken { color: var(--ts-bad, #c2410c); }
"""
KINDS = ("rho", "delta")


class PromisesView(CardView):
    """Two promises with their sliders; each has three marks, and two buttons that solve for it.

    Parameters
    ----------
    give : called with the settings that keep a promise
    """

    def __init__(self, give):
        self._give = give
        self._asked: dict[tuple[str, str], Settings | None] = {}
        self.whose = Choice(label="Whose promise", options=[])
        self.rho1 = Slider(label="What was believed less than", start=1, end=98, step=1)
        self.rho2 = Slider(label="is never believed more than", start=2, end=99, step=1)
        self.delta = Slider(label="No belief grows by more than", start=1, end=99, step=1)
        for one in (self.rho1, self.rho2):
            one.readout = "%"
        self.delta.readout = "points"
        self.curves = Lines("The worst that copies can do to a belief", height=250, share_places=True)
        self.promise = self._pane()  # instead of its sliders
        self.promise.visible = False
        self.words, self.most = ({kind: self._pane() for kind in KINDS} for _ in range(2))
        self.give_one, self.give_all = ({kind: self._action(who, kind) for kind in KINDS} for who in ("one", "all"))
        side = pn.Column(
            self.promise, self.rho1, self.rho2, *self._answer("rho"), self.delta, *self._answer("delta"),
            sizing_mode="stretch_width", margin=(4, 0, 6, 0),
        )  # fmt: skip
        body = pn.Column(side, self.curves, stylesheets=[HALVES_CSS], sizing_mode="stretch_width", margin=0)
        super().__init__("categories", "promises", body, control=self.whose)

    @staticmethod
    def _pane():
        return pn.pane.HTML("", stylesheets=[TEXT_CSS, PROMISE_CSS], sizing_mode="stretch_width", margin=(2, 0, 4, 0))

    def _action(self, who, kind):
        action = Action(text="", margin=(2, 8, 12, 0))
        action.param.watch(lambda event: self._clicked(who, kind), "clicks")
        return action

    def _answer(self, kind):
        buttons = pn.Row(self.give_one[kind], self.give_all[kind], sizing_mode="stretch_width", margin=0)
        return self.words[kind], self.most[kind], buttons

    def _clicked(self, who, kind):
        settings = self._asked.get((who, kind))
        if settings is not None:
            self._give(settings)

    def shorten(self):
        """The first promise, in words: nothing solves for it, and it stays what it is."""
        super().shorten()
        self.promise.visible = True
        for one in (self.rho1, self.rho2, self.delta, self.words["delta"], *self.most.values()):
            one.visible = False
        for actions in (self.give_one, self.give_all):
            for action in actions.values():
                action.visible = False

    def offer(self, scenario, model):
        """Offer the recipients."""
        options = [(r.name, r.name, f"What {r.name}'s copy guarantees") for r in scenario.settings.recipients]
        if self.whose.options != options:
            self.whose.options = options

    def draw(self, table, picture, model):
        """Judge the promise, solve for it, and draw what beliefs can become."""
        settings, size = picture.settings, model.size
        who = looked_at(picture)
        judged = promises.judge(settings, size, who)
        for kind, limit in zip(KINDS, promises.limits(settings.promise), strict=True):
            self._solve(kind, limit, settings, size, who)
            self.words[kind].object = self._marks(kind, judged, settings, who)
            self.most[kind].object = self._most(limit, settings, size)
        self.promise.object = f"<p>{words.promise(settings.promise)}</p>"
        self.curves.show_table(looks_of(table).more["curves"])

    def legend(self, table):
        """Of the curves."""
        return looks_of(looks_of(table).more["curves"]).legend()

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
    def _marks(kind, judged, settings, who):
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
        return f"<ul>{''.join(lines[:1] if len(settings.recipients) == 1 else lines)}</ul>"

    @staticmethod
    def _most(limit, settings, size):
        copies = 1 if settings.scheme == "nested" else len(settings.recipients)
        largest = promises.largest(limit, size, copies)
        return f"<p>{words.rounded(largest, promises.whole_per_cent(largest), copies)}</p>"
