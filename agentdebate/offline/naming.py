"""Which texts and aspects some words are about: "Answer A", "relevance"."""

import re
from collections.abc import Sequence

from agentdebate.offline.matter import Matter


def about(words: str, matters: Sequence[Matter]) -> list[Matter]:
    """The matters that the words name; none where they name none.

    Of several texts it is the first that counts: "Answer A is fuller than Answer B" is about Answer A.
    """
    lower = words.lower()
    labels = {label: place for label in labels_of(matters) if (place := position(label, words)) is not None}
    first = min(labels, key=lambda label: labels[label]) if labels else None
    of_text = [matter for matter in matters if first is None or matter.label == first]
    named = [
        matter for matter in of_text if matter.topic.lower() in lower or matter.line.rated.lower() in lower
    ]
    return named or (of_text if labels else [])


def labels_of(matters: Sequence[Matter]) -> list[str]:
    """What the texts are called, each once."""
    return [label for label in dict.fromkeys(matter.label for matter in matters) if label]


def position(label: str, words: str) -> int | None:
    """Where a text is named: the noun in any case, its letter as it is ("answer A", but not "answer a question")."""
    found = re.search(pattern(label), words)
    return found.start() if found else None


def pattern(label: str) -> str:
    """The expression that finds a text's name."""
    noun, _, letter = label.rpartition(" ")
    return rf"\b(?i:{re.escape(noun)})\W{{1,4}}{re.escape(letter)}\b"


def joined(labels: Sequence[str]) -> str:
    """Names in a row: "Answer A, Answer B and Answer C"."""
    return " and ".join([", ".join(labels[:-1])] * (len(labels) > 1) + list(labels[-1:]))
