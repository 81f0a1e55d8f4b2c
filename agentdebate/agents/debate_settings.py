"""Settings of debates, which a caller chooses once and everything below is handed whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from math import inf
from typing import Any, Literal, Self, TypedDict, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.models.prices import Price, PriceTable, built_in, no_price
from agentdebate.tasks import Scale, Task

Form = Literal["auto", "text", "schema"]
"""Form of ballots: "schema" and "text" are what they say, "auto" takes schemas from models that hold to them."""


@dataclass(frozen=True, slots=True)
class DebateLimits:
    """Limits of each debate; None means no limit. Money is in the currency of the models' prices."""

    tokens: int | None = None
    """Tokens that each debate may take; it becomes shorter rather than take more."""
    money: float | None = None
    """Money that each debate may take."""
    seconds: float | None = None
    """Seconds that each debate may take."""

    def __post_init__(self) -> None:
        for name, limit in self.row().items():
            if not 0 < limit < inf:
                raise UsageError(f"what a debate may take in {name} is more than 0, not {limit}")

    def row(self) -> dict[str, float]:
        """The limits that there are, as JSON can hold them."""
        return {name: limit for name, limit in asdict(self).items() if limit is not None}

    def price(self, model: str, table: PriceTable | None) -> Price | None:
        """Return the price of a model. Raises UsageError where money is limited and that is unknown."""
        if self.money is None:
            return None
        found = (table or built_in()).price_of(model)
        if found is None:
            raise UsageError(f"a debate's budget of money needs {no_price(model)}")
        return found


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
    debate_limits: DebateLimits = DebateLimits()
    """Limits of each debate."""
    sampling: Sampling = Sampling()
    """Sampling parameters of the call; they go before the strategy's and the cards'."""
    tasks: Mapping[str, Task] = field(default_factory=dict)
    """Tasks that go before the project's of the same names, such as those made in code."""
    scales: Mapping[str, Scale | str] = field(default_factory=dict)
    """ASPECT=SCALE, such as fluency=1-3, in the place of the task's own."""
    prices: PriceTable | None = None
    """Prices of models, which go before the project's and the built-in ones."""
    rehearsal: bool = False
    """True in a rehearsal: then nothing is measured, loaded or written."""

    def __post_init__(self) -> None:
        for name, (wanted, fits) in _WANTED.items():
            value = getattr(self, name)
            if not fits(value):
                raise UsageError(f"{name}=... is {wanted}, not {value!r:.80}")

    def changed(self, changes: Mapping[str, object], *, beside: Iterable[str] = ()) -> Self:
        """Return these settings with changes, leaving out those that are None. Raises UsageError for an unknown setting.

        `beside` are the names of the other arguments of who asks.
        """
        names = {one.name for one in fields(self)}
        for name in changes.keys() - names:
            raise UsageError(
                f"the keyword {name!r} is neither an argument here nor a setting. {nearest(name, names.union(beside))}"
            )
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)

    def row(self) -> dict[str, Any]:
        """The settings as a run's configuration keeps them. A rehearsal keeps nothing."""
        limits = self.debate_limits.row()
        return {
            "sampling": self.sampling.model_dump(mode="json", exclude_unset=True),
            "tasks": {name: task.model_dump(mode="json") for name, task in self.tasks.items()},
            **{name: getattr(self, name) for name in ("form", "patience", "deadline")},
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
    "prices": ("a table of prices", lambda value: isinstance(value, PriceTable | None)),
}
"""Values of each setting, in words and as a test."""


USUAL = DebateSettings()
"""Default settings."""
