"""What a page says: its headline, and the lines of a table of claims."""

from dataclasses import dataclass

LEAK, SAFE, QUIET = "leak", "safe", "quiet"
MOST_WORDS = 12  # of a headline


@dataclass(frozen=True)
class Headline:
    """The sentence that a person reads first, and one number as before → after.

    Attributes
    ----------
    title : str
        At most twelve words.
    before, after : str
        The number, such as "33 %" and "51 %"; empty where there is none.
    label : str
        What the number is.
    note : str
        A second sentence, only where it adds something.
    tone : str
        "leak" where the attacker gains, "safe" where nothing is gained, "quiet" otherwise.
    """

    title: str
    before: str = ""
    after: str = ""
    label: str = ""
    note: str = ""
    tone: str = QUIET


@dataclass(frozen=True)
class Claim:
    """One line: what is claimed, the printed figure, ours, what counts as agreement, the verdict and its tone."""

    claim: str
    printed: str
    found: str
    tolerance: str
    verdict: str
    tone: str
