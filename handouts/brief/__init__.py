"""What somebody who decides reads first of a scenario: the question, the answer, a few figures in words, what to do."""

from trustscope.handouts.brief.base import Brief, Row
from trustscope.handouts.brief.pages import brief_of

__all__ = ["Brief", "Row", "brief_of"]
