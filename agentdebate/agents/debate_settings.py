"""Settings of debates, which a caller chooses once and everything below is handed whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, Self, TypedDict, Unpack, get_args

from agentdebate.agents.purse import NO_LIMITS, DebateLimits
from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.models.prices import PriceTable
from agentdebate.tasks import Scale, Task
from agentdebate.visible import shortened

Form = Literal["auto", "text", "schema"]
"""Form of ballots: "schema" and "text" are what they say, "auto" takes schemas from models that hold to them."""


class DebateChanges(TypedDict, total=False):
    """The settings as keywords, for those who change a few of them. None leaves a setting as it is."""

    form: Form | None
    patience: int | None
    deadline: float | None
    debate_limits: DebateLimits | None
    sampling: Sampling | None
    tasks: Mapping[str, Task] | None
    scales: Mapping[str, Scale | str] | None
    prices: PriceTable | None
    rehearsal: bool | None


@dataclass(frozen=True, slots=True)
class DebateSettings:
    """Settings of debates. Raises UsageError for a value that means nothing."""

    form: Form = "auto"
    """Form of ballots: "auto", "text" or "schema"."""
    patience: int = 3
    """Number of replies that an agent may give to one question before they count as unreadable."""
    deadline: float = 300.0
    """Seconds that a turn may take, retries included. Waiting for a limit does not count."""
    debate_limits: DebateLimits = NO_LIMITS
    """Limits of each debate."""
    sampling: Sampling = Sampling()
    """Sampling parameters of the call; they go before the strategy's and the cards'."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """Tasks that go before the project's of the same names, such as those made in code."""
    scales: Mapping[str, Scale | str] = field(default_factory=dict)
    """ASPECT=SCALE, such as fluency=1-3, in the place of the task's own."""
    prices: PriceTable | None = None
    """A file of prices, which goes before the project's and the built-in table."""
    rehearsal: bool = False
    """True in a rehearsal: then nothing is measured, loaded or written."""

    def __post_init__(self) -> None:
        for name, (wanted, is_one) in _WANTED.items():
            value = getattr(self, name)
            if not is_one(value):
                raise UsageError(f"{name}=... is {wanted}, not {shortened(repr(value), _LONGEST)}")
        for name in ("tasks", "scales"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def but(self, **changes: Unpack[DebateChanges]) -> Self:
        """These settings with some of them changed. Raises UsageError for a keyword that is none of them."""
        return self.changed(changes)

    def changed(self, changes: Mapping[str, object], *, beside: Iterable[str] = ()) -> Self:
        """Return these settings with changes, leaving out those that are None. Raises UsageError for an unknown setting.

        `beside` are the names of the other arguments of who asks.
        """
        names = {one.name for one in fields(self)}
        for name in changes.keys() - names:
            raise UnknownSetting(
                f"the keyword {name!r} is neither an argument here nor one of the settings of debates. "
                f"{nearest(name, names.union(beside))} An option of the strategy is given to it: strategy('debate', {name}=...)"
            )
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)

    def row(self) -> dict[str, Any]:
        """The settings as a run's configuration keeps them. A rehearsal keeps nothing."""
        limits = self.debate_limits.row()
        return {
            "sampling": self.sampling.model_dump(mode="json", exclude_unset=True),
            "tasks": {name: task.model_dump(mode="json") for name, task in self.tasks.items()},
            "form": self.form,
            "patience": self.patience,
            "deadline": self.deadline,
            **({"debate_limits": limits} if limits else {}),
        }


_WANTED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "form": ("auto, text or schema", lambda value: value in get_args(Form)),
    "patience": ("a whole number of replies, at least 1", lambda value: type(value) is int and value >= 1),
    "deadline": ("a number of seconds, more than 0", lambda value: type(value) in (int, float) and value > 0),
    "debate_limits": ("DebateLimits(...)", lambda value: isinstance(value, DebateLimits)),
    "sampling": ("Sampling(...)", lambda value: isinstance(value, Sampling)),
    "tasks": ("a mapping of names to tasks", lambda value: isinstance(value, Mapping)),
    "scales": ("a mapping of aspects to scales", lambda value: isinstance(value, Mapping)),
    "prices": ("a table of prices", lambda value: value is None or isinstance(value, PriceTable)),
}
"""Values of each setting, in words and as a test."""
_LONGEST = 80
"""Characters of a value that an error shows."""


class UnknownSetting(UsageError, TypeError):
    """A keyword that is neither an argument nor a setting; a TypeError too, as Python raises for one."""


USUAL = DebateSettings()
"""Default settings."""
