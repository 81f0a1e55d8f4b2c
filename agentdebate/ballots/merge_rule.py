"""What a merge is, and from its name to it: ours and those of other packages come through the same door."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import isabstract
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import MergeContext
from agentdebate.errors import UsageError
from agentdebate.options import check_names, read_options

GROUP = "agentdebate.merges"
"""The entry-point group under which merges are registered, ours included: a function, or a MergeRule."""

RULE = "rule"
"""The key that names the merge, where its options are given too."""

Merge = str | Mapping[str, Any]
"""How ballots become ratings: the name of a merge, or a table of its name, under `rule`, and its options."""

MergeFunction = Callable[[Sequence[Ballot], MergeContext], Iterable[Rating]]
"""Ballots that are all there, and what is known beside them, to one rating for each thing that they rate."""

Weights = Literal["unused", "optional", "required"]
"""Whether a merge counts the weights of ballots."""


class MergeRule(BaseModel, ABC):
    """A merge with options: its fields are the options, and it is called with the ballots and their context.

    A merge without options can be a plain function. Either is pure: the same ballots give the same ratings, and the
    order of the ballots decides nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    weights: ClassVar[Weights] = "unused"
    """Whether it counts the weights of ballots. Weights that do not count are refused by the strategies."""

    @abstractmethod
    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
        """One rating for each of `context.columns(ballots)`: `column.rating(score)`, on the column's scale."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A merge as it is used: its name, its options, and what merges."""

    name: str
    merge: MergeFunction
    weights: Weights = "unused"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.name} ({told})" if told else self.name


def rule_of(how: Merge | Rule) -> Rule:
    """The merge of that name, with its options. Raises UsageError for an unknown one, and for a wrong option.

    A caller that merges often looks it up once: the search for packages takes longer than a merge.
    """
    if isinstance(how, Rule):
        return how
    name, options = _named(how)
    point = plugins.find(GROUP, name, f"there is no merge {name!r}")
    found, of = plugins.load(point), f"merge {name!r}"
    if isinstance(found, type) and issubclass(found, MergeRule):
        if isabstract(found):
            raise UsageError(f"{of} is {point.value}, a MergeRule that merges nothing: give it a __call__.")
        return Rule(name, read_options(found, options, of=of), found.weights, options)
    if isinstance(found, type) or not callable(found):
        raise UsageError(f"{of} is {point.value}, which is neither a function nor a MergeRule")
    check_names(options, (), of=of)
    return Rule(name, found)


def registered() -> dict[str, str]:
    """The registered merges: name to where each comes from."""
    return plugins.places(GROUP)


def _named(how: Merge) -> tuple[str, dict[str, Any]]:
    """The name of a merge, and its options."""
    if isinstance(how, str):
        return how, {}
    options = dict(how)
    name = options.pop(RULE, None)
    if not isinstance(name, str):
        raise UsageError(f"a merge with options is a table with its name under {RULE!r}, and has none here")
    return name, options


def _known(how: Merge) -> Merge:
    try:
        rule_of(how)
    except UsageError as error:  # pydantic makes ValueErrors into errors that name the key
        raise ValueError(str(error)) from error
    return how


MergeOption = Annotated[Merge, AfterValidator(_known)]
"""The option of a strategy that names a merge."""
