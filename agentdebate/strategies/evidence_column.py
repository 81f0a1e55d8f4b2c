"""A column of scores that came with the items: what its numbers mean (Fusion-Eval, Section 2)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agentdebate.evaluators.model_options import ReadRange


class EvidenceColumn(BaseModel):
    """What is known of a column of scores. A judge cannot tell what a bare number means."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = Field(min_length=1)
    """What it measures, in a sentence."""
    better: Literal["higher", "lower"]
    """Whether the higher or the lower score is the better one."""
    range: ReadRange | None = None
    """The scores that there can be: "0-1", "-1 to 1"."""
    premise: str = ""
    """What the text was compared with, such as "source"."""
