"""What can be set about an embeddings endpoint."""

from typing import ClassVar

from pydantic import Field

from agentdebate.embedders.options import Options
from agentdebate.models.dialects.options import Reach


class EndpointOptions(Reach, Options):
    """How to reach an endpoint and what to send it beside the texts."""

    ours: ClassVar[frozenset[str]] = frozenset(("model", "input", "encoding_format"))

    eps: float = Field(default=0.38, gt=0, le=2)
    """That of MiniLM. Vectors of other models may lie closer together or further apart: try it on roles of yours."""
    batch: int = Field(default=256, ge=1, le=256)
    """How many texts go into one call at most."""
