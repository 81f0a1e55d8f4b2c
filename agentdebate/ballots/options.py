"""What may be voted for, and what a piece of a reply that stands where a vote belongs says about it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from agentdebate.ballots.fold import fold
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.pattern import pattern

NOBODY = -1
"""Stands for the candidate of a vote for what is not there: a tie, "Summary C", nothing that can be told."""

_EDGE = "\\s\"'()\\[\\]{}<>.,;:!|\\-#=~\\\\$"
_BARE = pattern(rf"[{_EDGE}]*(.*?)[{_EDGE}]*", re.DOTALL)
_LONGEST_WHOLE = 80
_PREFIX = (
    r"(?:(?:for|to|goes to|in favou?r of|the|is|i vote for|i (?:would |'d )?(?:prefer|choose|pick|select|vote for|go with))"
    r"\s*+(?::\s++)?+(?<=\s))?"
)
# What may follow a candidate that is named in full, so that nothing takes the vote back or shares it.
_TAIL = pattern(
    r"""[\s"'\]})>$\\]*(?:
      $ | [.;!|](?![\w]) | :(?!\s*[0-9]) | -+\s | -+>
    | \((?![^()\n]{0,80}\b(?:or|and/or|ties?|tied|both|either|equal|equally|not|neither)\b)
    | ,\s*(?:because|since|as|for|due|given|it|which|by|though|although|but|with|over|in\ my|on\ balance|clearly|i)\b
    | \b(?:because|since|as|for|due|given|over|by|with|wins|on\ balance|slightly|narrowly|clearly|overall)\b
    | \bis\ (?:the\ )?(?:clearly\ |much\ |slightly\ )?(?:better|best|stronger|clearer|winner|preferred)(?:\ (?:one|choice|summary))?
      (?=\s*(?:$|[.;!,]|than\b|because\b|overall\b|for\ me\b))
    )""",
    re.VERBOSE,
)
_TAKEN_BACK = pattern(
    r"\b(?:wait|on second thoughts?|scratch that|correction|actually|chang(?:e|ed|ing) my|reconsider(?:ed|ing)?|instead)\b"
)
_DIVIDED = pattern(r"^[^.;!?]*\b(?:but|however|although|though|and)\b")
_UNDECIDED = pattern(
    r"(?:(?:a|it's a|it is a|is a|an?)\s+)?(?:tie|tied|draw|both|neither|none|either|equal|equally|undecided|abstain|"
    r"unsure|no (?:vote|preference|winner|choice|clear)|cannot|can't|unable|n/a|not sure|no)\b"
)


@dataclass(frozen=True, slots=True)
class Pick:
    """A candidate by its index (or NOBODY), how the reply put it, and where the label ends in what was read."""

    candidate: int
    shown: str
    end: int = 0


class Options:
    """The candidates as a reply may name them. Everything given to it is folded and in small letters (see view.py)."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._labels = [_words(candidate.label) for candidate in candidates]
        self._nouns = [" ".join(label.split()[:-1]) for label in self._labels]
        self._letters = {label.split()[-1]: k for k, label in enumerate(self._labels) if label}
        self.nouns = "|".join(sorted({_pattern(noun) for noun in self._nouns if noun})) or "(?!)"
        names = sorted({_pattern(label) for label in self._labels if label}, key=len, reverse=True)
        self.label = rf"(?:{'|'.join(names) or '(?!)'})(?!\w|'\w)"
        """The pattern of a candidate named in full; not "Summary A's"."""
        self._named = re.compile(self.label)
        self._start = re.compile(rf"[{_EDGE}]*+{_PREFIX}[{_EDGE}]*+({self.label})")
        self._other = re.compile(
            rf"[{_EDGE}]*+{_PREFIX}(?:{self.nouns})[\s-]{{0,3}}(?:[a-z]|[0-9]{{1,3}})(?!\w)"
        )

    def read(self, value: str) -> Pick | None:
        """The vote that a value is; None where it is prose that names no candidate at its start."""
        whole = self._whole(value)
        if whole is not None:
            return whole
        start = self._start.match(value)
        if start is not None:
            return self._with_tail(value, start)
        if _UNDECIDED.match(value.lstrip(" \t\"'([{<-:")) or self._other.match(value):
            return Pick(NOBODY, _shown(value), len(value))
        return None

    def named(self, text: str) -> int:
        """The index of a candidate whose label a text is."""
        return self._labels.index(_label_of(text, self._labels))

    def _whole(self, value: str) -> Pick | None:
        """A value that is a label, its letter, or its noun with the number of its place, but for marks around."""
        if len(value) > _LONGEST_WHOLE:
            return None
        bare = _BARE.fullmatch(value)
        said = _words(bare[1]) if bare else ""
        end = bare.end(1) if bare else 0
        if said in self._letters:
            return Pick(self._letters[said], said, end)
        if len(said) == 1 and said in ascii_lowercase:
            return Pick(NOBODY, _shown(value), len(value))
        noun, _, number = said.rpartition(" ")
        place = int(number) - 1 if number.isascii() and number.isdigit() else -1
        if noun and 0 <= place < len(self._nouns) and self._nouns[place] == noun:
            return Pick(place, said, end)
        return None

    def _with_tail(self, value: str, start: re.Match[str]) -> Pick:
        candidate, tail = self.named(start[1]), value[start.end() :]
        others = {self.named(found[0]) for found in self._named.finditer(tail)} - {candidate}
        if _TAIL.match(tail) and not (others and (_TAKEN_BACK.search(tail) or _DIVIDED.search(tail))):
            return Pick(candidate, start[1], start.end())
        return Pick(NOBODY, _shown(value), len(value))


def _words(text: str) -> str:
    """The text's words, folded, one blank between."""
    return " ".join(re.findall(r"[^\W_]+", fold(text).lower()))


def _pattern(words: str) -> str:
    return r"[\s_-]{0,3}".join(re.escape(word) for word in words.split())


def _label_of(text: str, labels: Sequence[str]) -> str:
    joined = "".join(re.findall(r"[^\W_]+", text))
    return next(label for label in labels if label.replace(" ", "") == joined)


def _shown(value: str) -> str:
    return " ".join(value.split()).strip(" .\"'|")[:_LONGEST_WHOLE]
