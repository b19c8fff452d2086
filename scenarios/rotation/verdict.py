"""The headline of a picture, whichever story it tells."""

from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Kept, Known, Remedied, RotationResult, Sampled
from trustscope.scenarios.rotation.words import kept, known, remedy, sample
from trustscope.scenarios.statement import Headline


def headline(picture: RotationResult, model: Model) -> Headline:
    """What the page says first."""
    match picture:
        case Kept():
            return kept.headline(picture, model.records)
        case Known():
            return known.headline(picture, model.records, model.shifted)
        case Sampled():
            return sample.headline(picture, model.records)
        case Remedied():
            return remedy.headline(picture, model.records)
        case _:
            return Headline("Being worked out …", note=picture.waiting)
