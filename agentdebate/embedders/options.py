"""What can be set about an embedder, read by name."""

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentdebate.errors import UsageError, nearest


class Options(BaseModel):
    """What every embedder has. Each has a default of its own for `eps`."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    eps: float = Field(gt=0, le=2)
    """The cosine distance up to which two roles count as alike."""

    @classmethod
    def read(cls, options: Mapping[str, object], *, embedder: str) -> Self:
        """Read options by name. Raises UsageError for one that is unknown, or that means nothing."""
        for name in options:
            if name not in cls.model_fields:
                raise UsageError(f"{embedder} has no option {name!r}. {nearest(name, cls.model_fields)}")
        try:
            return cls.model_validate(dict(options))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise UsageError(f"{embedder}, option {place!r}: {first['msg']}") from error
