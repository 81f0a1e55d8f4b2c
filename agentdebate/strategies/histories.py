"""History rules: what an agent keeps in mind of the talk. Pure functions of what it remembers, registered by name.

A rule is called whenever an agent gets the word. It sees what the agent remembers, oldest first, its own words among it, and
returns what it keeps; the rest is forgotten for good, which is a message of the transcript. What the agent is given to hear
with the question is seen too, and is kept in any case. The brief, and what the floor has told everybody (evidence, a plan),
are not talk: no rule sees them, and they stay.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from agentdebate.errors import StrategyError
from agentdebate.models.tokens import TokenCount, Vocabulary, count, vocabulary_of
from agentdebate.options import OptionKind
from agentdebate.strategies.rule import NAME, RegisteredRule, readable, rule_name

GROUP = "agentdebate.histories"
"""The entry-point group under which history rules are registered, ours included."""

ALL = "all"
"""The rule by which nothing is forgotten."""
TOKENS = "tokens"
"""The rule that counts tokens."""
SUMMARY = "summary"
"""The rule by which summaries take the place of talk; it takes somebody who sums up."""
SUMMARIZER = "summarizer"
"""The role of the agent that sums up."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """One message of the talk, as an agent remembers it."""

    number: int
    """Number in the transcript."""
    speaker: str
    """The address of who said it."""
    round: int
    kind: str
    """"statement", "score", "critique", "summary" ..."""
    text: str
    model: str = ""
    """The model of the agent that remembers it."""

    @property
    def tokens(self) -> int:
        """Number of its tokens for that model; an estimate where its vocabulary is not at hand."""
        return self._count.n

    @property
    def counted(self) -> str:
        """Name of the count of its tokens: "exact, o200k_base", "estimate, 4 bytes each"."""
        return f"{self._count.method}, {self._count.by}"

    @property
    def _count(self) -> TokenCount:
        return _tokens(self.text, self.model, vocabulary_of(self.model))


@dataclass(frozen=True, slots=True)
class HistoryContext:
    """Facts that a history rule may use besides the talk."""

    agent: str
    """The address of who remembers it."""
    round: int
    """The round that is being held."""
    model: str = ""
    """The model of the agent."""


def history_rule(said: object) -> RegisteredRule | None:
    """The rule that is said: a number of tokens, a name, or a table {rule = "NAME"} with options. None for "all".

    Raises UsageError.
    """
    if said is None or said == ALL:  # nothing has to be looked up for each seat of the usual debate
        return None
    if isinstance(said, int) and not isinstance(said, bool):
        said = {NAME: TOKENS, "limit": said}
    rule = RegisteredRule.read(GROUP, said, kind="history rule")
    return None if rule.name == ALL else rule


def keep(rule: RegisteredRule, talk: Sequence[Remembered], context: HistoryContext) -> Sequence[Remembered]:
    """The part of the talk that a registered rule keeps. Raises StrategyError where its answer is none."""
    kept: object = rule(talk, context)
    known = {one.number for one in talk}
    if not isinstance(kept, Sequence) or not all(
        isinstance(one, Remembered) and one.number in known for one in kept
    ):
        raise StrategyError(
            f"the history rule {rule.name!r} returned {kept!r}: return those of the messages it was given that are kept"
        )
    return kept


History = Annotated[int | str | Mapping[str, Any] | None, readable(history_rule), OptionKind.TEXT]
"""A history rule as an option of a strategy says it: 2000 (tokens), "latest", {rule = "window", rounds = 2}.

None is "all".
"""


def check_summarizer(said: object, roles: Collection[str]) -> None:
    """Raise ValueError where summaries are to be kept, and none of these roles sums up."""
    if rule_name(said) == SUMMARY and SUMMARIZER not in roles:
        raise ValueError(
            f'history = "{SUMMARY}" keeps summaries, and no agent sums up in this talk: take chateval-summarizer, or a strategy'
            f' with the role "{SUMMARIZER}"'
        )


def everything(talk: Sequence[Remembered], _: HistoryContext) -> Sequence[Remembered]:
    """Keep the whole talk."""
    return talk


def window(
    talk: Sequence[Remembered],
    context: HistoryContext,
    *,
    rounds: Annotated[int | None, Field(ge=1)] = None,
    messages: Annotated[int | None, Field(ge=1)] = None,
) -> Sequence[Remembered]:
    """Keeps what was said last: in so many rounds before this one, or so many messages, or what both keep.

    Where neither is said it is one round. What was said in this round is kept whatever `rounds` is.
    """
    back = 1 if rounds is None and messages is None else rounds
    kept = [one for one in talk if back is None or one.round >= context.round - back]
    return kept if messages is None else kept[-messages:]


def tokens(
    talk: Sequence[Remembered], _: HistoryContext, *, limit: Annotated[int, Field(ge=1)]
) -> Sequence[Remembered]:
    """Keeps the end of the talk that has at most so many tokens; the last message in any case.

    They are counted by the vocabulary of the agent's model where one is at hand, and else estimated; the transcript says which.
    """
    kept, used = 0, 0
    for message in reversed(talk):
        used += message.tokens
        if kept and used > limit:
            break
        kept += 1
    return talk[len(talk) - kept :]


def latest(talk: Sequence[Remembered], _: HistoryContext) -> Sequence[Remembered]:
    """Keeps the last word of everybody, as in a debate where everyone hears the others' last answers (arXiv 2305.14325)."""
    last = {one.speaker: one for one in talk}
    return [one for one in talk if last[one.speaker] is one]


def summary(talk: Sequence[Remembered], _: HistoryContext) -> Sequence[Remembered]:
    """Keeps summaries, and of the talk only what was said after the last of them (ChatEval, Algorithm 3).

    It needs somebody who sums up: an agent in the role "summarizer".
    """
    end = max((place for place, one in enumerate(talk) if one.kind == "summary"), default=0)
    return [one for place, one in enumerate(talk) if one.kind == "summary" or place >= end]


def counted(name: str, talk: Sequence[Remembered]) -> str:
    """Say how the rule of this name counted the tokens of the talk; empty for a rule that counts none."""
    ways = {one.counted for one in talk} if name == TOKENS else set[str]()
    return "; ".join(sorted(ways))


@lru_cache(maxsize=4096)
def _tokens(text: str, model: str, _: Vocabulary | None) -> TokenCount:
    """Counted once a text and vocabulary: a rule looks at the same messages turn after turn."""
    return count(text, model)
