"""What stands beside a name in a form or behind a verb: another name, a reminder of what may be chosen, the next entry."""

from collections.abc import Sequence

from agentdebate.ballots.reading.names import named
from agentdebate.ballots.reading.sentence import sentence_end
from agentdebate.ballots.words import words_of

_REMINDER = 12
"""Words of a bracket that says what may be chosen."""


def opens_entry(words: Sequence[str], at: int) -> bool:
    """Whether the next entry of a form begins here, in the same line: "Vote: B Reason: ..."."""
    return words[at] in _ENTRIES and words[at + 1 : at + 2] == [":"]


_ENTRIES = words_of("reason reasons reasoning rationale explanation justification confidence")


def before_reminder(words: Sequence[str], at: int) -> int:
    """The place before a bracket that ends here and says what may be chosen: "Vote (A or B): A"; else the place itself."""
    if at <= 0 or words[at] not in {")", "]"}:
        return at
    opened = next((i for i in range(at - 1, max(at - _REMINDER, -1), -1) if words[i] in {"(", "["}), 0)
    return opened - 1 if opened else at


def is_key(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name is the key of an entry in an object, whose value is told behind it: {"winner": {"A": false, "B": true}}."""
    return words[at - 1] == '"' and (
        list(words[at + 1 : at + 3]) == ['"', ":"] or list(words[end : end + 2]) == ['"', ":"]
    )


def is_joined(words: Sequence[str], at: int, end: int) -> bool:
    """Whether another name is put beside the one that ends here, so that neither is chosen: "A or B", "A/B", "A, B"."""
    if words[end : end + 1] in (["or"], ["&"], ["+"]) or words[end : end + 2] == ["(", "or"]:
        return True
    other = end + 1 < len(words) and named(words[end + 1]) is not None
    listed = end + 1 < len(words) and words[end] == "," and words[end + 2 : end + 3] in _LIST_ENDS
    keyed = listed and named(words[at]) is None and len(words[end + 1]) == 1 and words[end + 1].isalnum()
    return (other and words[end] == "/") or (listed and (other or keyed)) or is_shared(words, at, end)


_LIST_ENDS: tuple[list[str], ...] = ([], ["\n"], ["."], [","], ["and"], ["or"])


def is_shared(words: Sequence[str], at: int, end: int) -> bool:
    """Whether each of two texts is chosen for something: "A for its order, B for its words"."""
    if words[end : end + 1] != ["for"]:
        return False
    rest = range(end, min(sentence_end(words, at), len(words) - 1))
    return any(named(words[i]) not in (None, named(words[at])) and words[i + 1] == "for" for i in rest)
