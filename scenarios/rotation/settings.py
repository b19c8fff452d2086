"""What the person has set: immutable, and all that the picture depends on."""

from dataclasses import dataclass

JUDGED = 1_000  # records judged by drawn rotations where there is no closed form, or by a sample
GUESSED, SURE = 1.0, 2.0  # standard errors below which a direction is all but a guess, or not sure
KINDS = {
    "euclidean": (
        "whole record",
        "The guess is within this share of the record's length, in the data's units: columns of large values decide",
    ),
    "entry": ("any one value", "At least one value of the guess is within this share of the true one"),
    "cosine": ("its direction", "The cosine between guess and record is off by at most this"),
}


@dataclass(frozen=True)
class Settings:
    """One state of the controls.

    Parameters
    ----------
    story : what is looked at: "kept", "inputs", "sample" or "remedy"
    known : the records that the first attacker knows, by number
    then : those that she would know next, in this order; by default always the same
    eps : how close a guess must come, as a share
    kind : what must come close: "euclidean", "entry" or "cosine"
    sample : how many records of the population the second attacker has
    block : which of the samples of this size
    method : how she uses them, "improved" or "paper"
    clusters, method_of_clusters : what the analyst looks for
    pair : the two attributes that are drawn
    dimensions : of the random projection
    """

    story: str = "inputs"
    known: tuple[int, ...] = ()
    then: tuple[int, ...] = ()
    eps: float = 0.15
    kind: str = "euclidean"
    sample: int = 500
    block: int = 0
    method: str = "improved"
    clusters: int = 3
    method_of_clusters: str = "k-means"
    pair: tuple[int, int] = (0, 1)
    dimensions: int = 100
