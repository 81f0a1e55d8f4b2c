"""Outcome of reading a reply: its judgement with the rule that found it, or the reason for a refusal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["nothing", "refusal", "cut_off", "missing", "several", "off_scale"]
"""Reasons why a reply gives no judgement: it is empty, declines, was cut, has none, has several that differ, or one off the scale."""


Class = Literal["form", "JSON", "pattern"]
"""Kind of text that a rule reads: the asked form, or prose."""
_CLASSES: Mapping[str, Class] = {
    **dict.fromkeys(("schema", "json"), "JSON"),
    **dict.fromkeys(("form", "value", "whole reply", "box", "grade"), "form"),
}
"""The rules that are not patterns; a box and a grade are forms of choices that many prompts ask for."""
_LONGEST = 1500
"""Characters; a longer reply says something, whatever else it says."""
_CANNOT = r"(?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to|must decline to)"
_DO = "assist|help|provide|comply|rate|score|evaluate|judge|fulfill?|complete|engage|continue|answer|assess|give|offer|create|discuss|respond|review"
_DECLINES = re.compile(
    rf"\bi ?{_CANNOT} (?:[a-z]+ )?(?:{_DO})\b"
    r"|\bas an? (?:ai|artificial|large language|language)\b.{0,80}\b(?:unable|can't|cannot|not able|don't|do not)\b"
    rf"|\b(?:i'm|i am) (?:sorry|afraid)\b.{{0,40}}\b(?:{_CANNOT}|can't|not)\b"
    r"|\bi apologi[sz]e\b.{0,40}\b(?:can't|cannot|unable|not able)\b",
    re.DOTALL | re.IGNORECASE,
)


def class_of(rule: str) -> Class:
    """Tell what a rule reads; of several with commas between, a pattern where one of them is, else the form where one is."""
    classes = {_CLASSES.get(one, "pattern") for one in rule.split(", ")}
    return "pattern" if "pattern" in classes else "form" if "form" in classes else "JSON"


@dataclass(frozen=True, slots=True)
class Problem:
    """Reason why a reply could not be read; `text` tells the agent what was wrong, not what to do about it."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Finding in a reply, by the rule of that name: "schema", "json", "form", "value", or a row of a table of patterns."""

    rule: str = ""
    problem: Problem | None = None

    @property
    def refused(self) -> str:
        """Reason why the reply is not read; empty where it is."""
        return "" if self.problem is None else self.problem.text


@dataclass(frozen=True, slots=True)
class Scores(Outcome):
    """The score of each aspect by its name; `reason` is what stands for it in JSON, else the whole reply."""

    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Choice(Outcome):
    """The label that is chosen, or "tie"; None where the reply is refused."""

    choice: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Critic(Outcome):
    """A critic's word on a score: it agrees, it objects, or (None) it is asked again."""

    agrees: bool | None = None


def declines(said: str) -> bool:
    """Tell a short plain reply that declines ("I'm sorry, but I can't ...")."""
    return len(said) <= _LONGEST and _DECLINES.search(said) is not None
