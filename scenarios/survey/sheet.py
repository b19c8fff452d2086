"""The Survey page on paper."""

import pandas as pd

from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.sheet import KEYED, Sheet, required
from trustscope.scenarios.survey import words
from trustscope.scenarios.survey.cards import guesses
from trustscope.scenarios.value import not_none
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


def sheet_of(found: Whole, figures: Metrics) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    frame = found.picture.frame
    target = guesses(frame.target)
    table = pd.DataFrame([
        {"the miner": text, "at work": name == frame.settings.miner, "guesses the answer right": target[name]}
        for name, text in MINERS.items() if target[name] is not None
    ])  # fmt: skip
    by_class, nothing = not_none(target["class"]), not_none(target["nothing"])
    told = (
        "How often each kind of miner guesses the answer that is watched; "
        f"knowing only the class: {share(by_class)}, knowing nothing: {share(nothing)}."
    )
    return Sheet((*_settings(found), *required(figures)), (told, table), (*ASSUMED, KEYED))


def _settings(found: Whole) -> tuple[tuple[str, str], ...]:
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


def frame_of(found: Whole) -> pd.DataFrame:
    """The questions, with the number of their answers."""
    encoding = found.model.people.encoding
    return pd.DataFrame({"question": list(encoding.questions), "possible answers": [len(a) for a in encoding.answers]})
