"""What can be set about an embedder."""

from pydantic import BaseModel, ConfigDict, Field


class Options(BaseModel):
    """What every embedder has. Each has a default of its own for `eps`."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    eps: float = Field(gt=0, le=2)
    """The cosine distance up to which two roles count as alike."""
