"""What can be set about an endpoint that completes, whatever its dialect."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from agentdebate.models.base import Sampling
from agentdebate.models.dialects.reach import Reach
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.options import read_options


class SamplingOptions(Reach):
    """How to reach an endpoint, and what to sample with where a request leaves it open."""

    sampling: Sampling = Sampling()
    """Parameters for requests that leave them open."""

    def settings(self, address: str, hide: Callable[[str], str]) -> dict[str, Any]:
        """The options that were given, as JSON for the record, with the address that is used.

        `hide` takes known keys out of a text. No header's value is there, and no text under a name such as api_key.
        """
        kept = self.model_dump(
            mode="json",
            by_alias=True,
            exclude_unset=True,
            exclude={"api_key_env", "headers", "client", "transport"},
        )
        more = {"headers": sorted(self.headers)} if self.headers else {}
        shown: dict[str, Any] = without_secrets({**kept, "base_url": plain_address(address)})
        found: dict[str, Any] = _each_text({**shown, **more}, hide)
        return found

    @classmethod
    def read(cls, options: Mapping[str, object], *, of: str = "a model") -> Self:
        """Read options by name; sampling parameters may stand among them. `of` names the model. Raises UsageError."""
        flat = {name: value for name, value in options.items() if name in Sampling.model_fields}
        own = {name: value for name, value in options.items() if name not in flat}
        read = read_options(cls, own, of=of, beside=Sampling.model_fields)
        return read.model_copy(
            update={"sampling": read.sampling.overlaid(read_options(Sampling, flat, of=of))}
        )


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with every text in it changed."""
    if isinstance(value, Mapping):
        return {name: _each_text(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [_each_text(inner, change) for inner in value]
    return change(value) if isinstance(value, str) else value
