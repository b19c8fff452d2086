"""The Survey page on paper."""

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.scenarios.figures import Figures
from trustscope.scenarios.papers.picture import beams, dots, level, line, panel, rows
from trustscope.scenarios.report.sheet import KEYED, Plot, Sheet, required, spoken
from trustscope.scenarios.survey import words
from trustscope.scenarios.survey.figures import guesses
from trustscope.scenarios.survey.words import points
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import count, share

ASSUMED = (
    "The miner knows how common every combination of answers is, but not who gave which. Disclosure is what it learns "
    "about one person beyond that and beyond the class, which everybody sends as it is.",
    "Disclosure and guesses are averages over draws of what is sent, so they have standard errors.",
    "The paper's bounds are shown as they are printed. They fail in some cases; where they do, it is said.",
    "The classifier is tried on people of the same data: figures for other people may differ.",
)
MINERS = {
    "honest": "honest guidance",
    "outright": "asks for the answer outright",
    "hidden": "hides it within the check",
}


def sheet_of(found: Whole, figures: Figures) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    frame = found.picture.frame
    target = guesses(frame.target)
    table = pd.DataFrame([
        {"the miner": text, "at work": name == frame.settings.miner, "guesses the answer right": target[name]}
        for name, text in MINERS.items() if target[name] is not None
    ])  # fmt: skip
    told = (
        "How often each kind of miner guesses the answer that is watched; "
        f"knowing only the class: {share(target['class'])}, knowing nothing: {share(target['nothing'])}."
    )
    return Sheet(
        (*_settings(found), *required(figures)), tuple(_plots(found, figures)), (told, table), (*ASSUMED, KEYED)
    )


def _settings(found):
    s, people = found.picture.frame.settings, found.model.people
    kinds = [
        f"{part.name}: weight {part.weight}, {'all directions' if part.level is None else f'at most {part.level}'}"
        for part in s.parts
    ]
    return (
        ("Class that is learnt", f"{people.label}: {people.names[0]} from {people.names[1]}"),
        ("Respondents", "; ".join(kinds)),
        ("Who have answered", count(found.picture.frame.arrived)),
        ("Miner", f"{words.MINER_WORDS[s.miner][0]}. {words.MINER_WORDS[s.miner][1]}"),
        ("Order of the directions", f"{words.ORDER_WORDS[s.order][0]}. {words.ORDER_WORDS[s.order][1]}"),
        ("Weakest direction that is asked for", f"{100 * s.mu:g} % of the strongest"),
        ("Answers between two guidances", count(s.update_every)),
        ("Extra check", f"{'on' if s.extra_check else 'off'}. {words.CHECK_WORDS}"),
        ("Question that is watched", s.target),
        ("Seed", str(found.scenario.seed)),
    )


def _plots(found, figures):
    picture, people = found.picture, found.model.people
    frame = picture.frame
    yield Plot("How often one answer is guessed", spoken(words.target(frame, people)), _target(figures))
    yield Plot("How good the classifier gets", spoken(words.accuracy(frame, people, picture.rival)),
               _accuracy(figures, people))  # fmt: skip
    yield Plot("What each kind gives away", spoken(words.disclosure(frame, people)), _disclosure(figures, frame))
    yield Plot("What the miner asks for", spoken(words.guidance(frame, people, frame.basis.shape[1])),
               _guidance(figures, frame))  # fmt: skip
    yield Plot("How much is asked for", spoken(words.level(frame)), _level(frame))


def _target(figures):
    table = figures.tables["How often one answer is guessed"]
    names = [f"{name}: {share(value)}" for name, value in table.itertuples(index=False)]
    layers = [beams(table["guessed right"], np.arange(len(table)), colours.GUESS)]
    return rows(names, layers, x="guessed right", top=1.0, shares=True)


def _accuracy(figures, people):
    table = figures.tables["How good the classifier gets"]
    guided = table.dropna(subset=["guided"])
    layers = [
        line(np.maximum(guided["respondents"], 4), guided["guided"], colours.RECIPIENTS[0], "guided"),
        level(people.clear_accuracy, colours.SCHEMES["nested"]),
        level(people.majority, dash="dotted"),
    ]
    if "randomised" in table:
        rival = table.dropna(subset=["randomised"])
        layers.append(line(rival["respondents"], rival["randomised"], colours.GUESS, "randomised"))
    told = f"dashed: {points(people.clear_accuracy)} in the clear; dotted: {points(people.majority)} larger class"
    return panel(layers, x=f"respondents ({told})", y="class found", log="x", shares=True)


def _disclosure(figures, frame):
    table = figures.tables["What each kind gives away"]
    places = np.arange(len(table))
    colour = [part.colour for part in frame.settings.parts]
    layers = [beams(table["given away"], places, colours.GUESS, "given away")]
    layers += [beams([table["given away"][i]], [places[i]], one) for i, one in enumerate(colour)]
    layers.append(dots(table["the paper's bound"].astype(float), places, colours.NEUTRAL, "the paper's bound", size=8))
    return rows(table["kind"], layers, x="share of what there is to know", top=1.0, shares=True)


def _guidance(figures, frame):
    table = figures.tables["What the miner asks for"].head(30)
    layers = [beams(table["heaviest answer"], np.arange(len(table)), colours.GUESS, "heaviest answer of the question")]
    return rows(table["question"], layers, x=f"weight (the extra check accepts {frame.bound:.2f})", top=1.0)


def _level(frame):
    x, y = frame.levels
    layers = [line(np.maximum(x, 4), y, colours.SCHEMES["nested"], "asked for")]
    layers += [level(part.level, part.colour) for part in frame.settings.parts if part.level is not None]
    return panel(layers, x="answers received (dashed: the most that each kind follows)", y="directions", log="x",
                 y_range=(0, None))  # fmt: skip


def frame_of(found: Whole) -> pd.DataFrame:
    """The questions, with the number of their answers."""
    encoding = found.model.people.encoding
    return pd.DataFrame({"question": list(encoding.questions), "possible answers": [len(a) for a in encoding.answers]})
