"""What is taken back by the rest of its own sentence: "A is better, but B is right", "in everything but truth, which matters most", "wins nothing".

Works on words and marks, in which a sign stands for each name of a text (see names.py). Only what can be no reason and no concession
counts: a text may well be better "because it gets nothing wrong", "though B is accurate" or "in all but length, which hardly matters".
"""

from collections.abc import Sequence

from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.names import named
from agentdebate.ballots.words import words_of

_BUT = words_of("but yet")
_SAVING = words_of("except excepting save but bar barring")
_WINNING = words_of("wins won win")
_LEADING = words_of("winning leading")
_REASONS = words_of("because since as given due for")
"""Behind one of these a sentence tells why, of whatever it speaks."""
_EXCEPTED = pattern(
    r".{0,120}\b(?:everything|every [a-z]{1,20}|all [a-z]{1,20}) (?:except|excepting|save|but|bar|barring)(?: for)? .{1,120}, "
    r"(?:which|and that|and this) (?:(?:matters|counts|weighs) (?:the )?most|is (?:decisive|what (?:matters|counts)(?: most)?))\b.{0,120}"
)
"""A text is better in all that does not count."""
_EMPTY = pattern(
    r"(?:nothing|(?:no|zero) points|(?:the|a) (?:booby prize|wooden spoon|race to the bottom)"
    r"|(?:the|a|an) (?:award|prize|medal) for (?:the )?worst(?: [a-z]{1,20})?)[.!]?"
)
"""All that is behind the verb."""
_SIGNS = _BUT | _SAVING | _WINNING | _LEADING


def is_outweighed(behind: Sequence[str]) -> bool:
    """Whether the rest of a sentence, behind a name that it calls better, takes that back."""
    if _SIGNS.isdisjoint(behind):
        return False
    told = behind[: next((k for k, word in enumerate(behind) if word in _REASONS), len(behind))]
    return (
        (behind[0] in _WINNING and _EMPTY.fullmatch(" ".join(behind[1:])) is not None)
        or (list(told[2:3]) == ["until"] and told[0] in {"is", "was"} and told[1] in _LEADING)
        or any(word in _BUT and _is_other_right(told[k + 1 :]) for k, word in enumerate(told))
        or (not _SAVING.isdisjoint(told) and _EXCEPTED.fullmatch(" ".join(told)) is not None)
    )


def _is_other_right(clause: Sequence[str]) -> bool:
    """Whether a clause says no more than that a text is right, or that it is the one that does what was asked."""
    if len(clause) < 3 or clause[1] not in {"is", "was"}:  # noqa: PLR2004 - a name, a verb and what is said
        return False
    name = named(clause[0]) is not None or (len(clause[0]) == 1 and clause[0].isalnum())
    said = list(clause[2:])
    return name and (said in (["right"], ["right", "."]) or said[:4] == ["the", "one", "that", "answers"])
