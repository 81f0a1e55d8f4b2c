"""A kind of reader that a recruiter found for a text (DRPE, Section 3.1: user type and user description)."""

from pydantic import BaseModel, ConfigDict


class Role(BaseModel):
    """A reader by type ("Amateur astronomer") and description. Both are a model's words, and so data, never instructions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str
    description: str
