"""The choice that a reply makes between texts that are compared: one of them by its label, or a tie."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby, islice
from operator import attrgetter

from agentdebate.ballots.replies.choice_patterns import FORM, PARTS, ROWS, VALUE, Row
from agentdebate.ballots.replies.outcome import Choice, Problem
from agentdebate.ballots.replies.plain import plain
from agentdebate.ballots.replies.refusal import declines

TIE = "tie"
FORMS = frozenset(row.name for row in ROWS if row.strength >= FORM)
"""The rules that read what was asked for, and not what stands in prose."""
_FIRST, _FOREIGN = 0xE000, 0xE0FF
"""The characters that stand for the first text, and for one that is not there; plain text has none of these."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KEYS = r"[a-hj-z]|\d{1,2}"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NOUNS = "assistant|answer|response|output|summary|option|model|text|candidate|reply|completion|system|version|translation|story|回答|答案|助手|アシスタント|답변"
_KEYED = re.compile(r"(?P<noun>.*?)[\s_#-]{0,3}\(?(?P<key>[a-z]|\d{1,2})\)?")
_ORDINAL = (
    rf"(?<!\w)(?:the )?(?P<nth>{'|'.join(_ORDINALS)})"
    rf"(?: (?:{_NOUNS}|one)(?!\w)(?:'s(?: (?:{_NOUNS})(?!\w))?)?|(?= (?:is|was|wins)\b|[.:,]|\n|$))"
)
_ARTICLE = re.compile(r" a(?<=[a-z,] a)(?= [a-z])")
"""It would be taken for the text A; a key stands in capitals, in brackets, or behind a colon."""
_SENTENCE = 300
"""Characters before a statement that are looked at for the start of its sentence."""
_BREAK = re.compile(r"\n|[.!?;]\s")
_VETO = re.compile(
    r"\b(?:if|unless|whether|were it|had (?:i|it)|at first|initial|initially|originally|previously|referee|critic|judges?|someone|colleague"
    r"|user|when it comes to|would have|could have|no longer|alone)\b|\?|\"[^\"\n]*$"
)
"""What makes of a sentence no statement of the judge's: a condition, somebody else's word, or a quotation that is not closed."""
_DENIAL = re.compile(r"\b(?:not|never|cannot|nor|might|may|says?|claims?|argues?)\b|n't\b")
"""What does so in the same clause."""
_CLAUSE = re.compile(r"[,:]\s|\b(?:but|and|so|while|whereas|although|because)\b")
_CONDITION = re.compile(r"[^\n]{0,40}\b(?:if|unless|alone|had it|were it)\b|[^.\n]{0,40}\?")
_MOST = 200
"""Statements of one row that are looked at."""
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|on (?:second thoughts?|reflection)|correction|scratch that|no longer|reconsider\w*|revised?"
    r"|chang(?:e|ed|ing) my (?:mind|vote|choice|verdict)|i was wrong|my mistake)\b"
)
_AFTER = 100
"""Characters behind a word that takes a choice back, in which the other text is looked for."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A choice that a row found, and from where to where in the plain text."""

    choice: str | None
    row: Row
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Names:
    """The labels of the texts, by what replies call them."""

    labels: tuple[str, ...]
    own: re.Pattern[str]
    general: re.Pattern[str]
    keys: Mapping[str, int]
    tie_keys: frozenset[str]

    def marked(self, said: str) -> str:
        """Plain text with one character for each mention of a text; other nouns than the labels' count where none of these stands."""
        marked, count = self.own.subn(self._mark, said)
        return marked if count else self.general.sub(self._mark, said)

    def _mark(self, mention: re.Match[str]) -> str:
        key = mention[mention.lastgroup or 0]
        place = _ORDINALS.index(key) if mention.lastgroup == "nth" else self.keys.get(key)
        return chr(_FOREIGN if place is None or place >= len(self.labels) else _FIRST + place)

    def choice(self, value: str) -> str | None:
        """The label that a mention or a key stands for, or "tie"; None for what is not there."""
        key = value.strip("()")
        if key in self.tie_keys:
            return TIE
        place = ord(key) - _FIRST if len(key) == 1 and ord(key) >= _FIRST else self.keys.get(key)
        return None if place is None or place >= len(self.labels) else self.labels[place]


@lru_cache(maxsize=64)
def _names(labels: tuple[str, ...], tie_mark: str | None) -> _Names:
    folded = [plain(label).lower().strip() for label in labels]
    parted = [found for label in folded if (found := _KEYED.fullmatch(label))]
    alike = len(parted) == len(folded) and len({one["noun"] for one in parted}) == 1
    noun = parted[0]["noun"] if alike and parted else ""
    keys = (
        {one["key"]: at for at, one in enumerate(parted)}
        if alike
        else {label: at for at, label in enumerate(folded)}
    )
    for at in range(len(labels)):
        keys.setdefault(str(at + 1), at)
        keys.setdefault(_LETTERS[at % len(_LETTERS)], at)
    # Where the form says nothing else, the key behind the last of two texts' stands for a tie.
    tie_keys = {"c", "3"} if tie_mark is None and len(labels) == 2 else {(tie_mark or "").lower()}  # noqa: PLR2004
    own = _mention(re.escape(noun), r"[a-z]|\d{1,2}") if noun else "(?!)"
    if not alike:
        own = _mention("", "|".join(sorted(map(re.escape, folded), key=len, reverse=True)))
    general = f"{_mention(_NOUNS, _KEYS)}|{_ORDINAL}"
    return _Names(labels, re.compile(own), re.compile(general), keys, frozenset(tie_keys - keys.keys()))


def _mention(nouns: str, keys: str) -> str:
    """The pattern of a text's name with what belongs to it: "assistant 1", "output (a)", "answer b's second part"."""
    name = rf"(?:{nouns})[\s_#-]{{0,3}}(?:number |no\. ?)?[(\[\"']{{0,2}}(?P<key>{keys})[)\]\"']{{0,2}}"
    return rf"\b{name}(?![\w-])(?:'s(?: \w+)?(?: (?:{_NOUNS})(?!\w))|'s)?"


def read_choice(
    text: str,
    labels: Sequence[str],
    *,
    ties: bool = True,
    tie_mark: str | None = None,
    cut_off: bool = False,
    patterns: bool = True,
) -> Choice:
    """Read which of the texts under these labels ("Answer A", "Output (b)") a reply chooses, or that it chooses none.

    `tie_mark` is the key that stands for a tie: None for the one behind the last of two texts' ("C", "3"), "" for none. With
    `cut_off`, a choice at the very end is not trusted. Without `patterns` only the form, JSON and a reply that is only the value count.
    """
    said = plain(_ARTICLE.sub("", text)).lower().strip()
    names = _names(tuple(labels), tie_mark if ties else "")
    marked = names.marked(said)
    found = _strongest(marked, names, end=len(marked) if cut_off else -1, patterns=patterns)
    problem = _problem(found, marked, labels, ties=ties, cut_off=cut_off)
    if problem is None:
        return Choice(rule=found[0].row.name, choice=found[-1].choice, reason=text.strip())
    if problem.kind == "missing" and declines(said):
        problem = Problem("refusal", "The reply declined to answer: it makes no choice.")
    return Choice(problem=problem)


def _strongest(marked: str, names: _Names, *, end: int, patterns: bool) -> list[_Found]:
    """The choices of the strongest class that has any, in the order of the reply; of those, from where one is taken back."""
    for strength, rows in groupby(ROWS, attrgetter("strength")):
        if strength < FORM and not patterns:
            break
        found = [one for row in rows for one in _found(row, marked, names) if one.end != end]
        found = [one for one in found if one.choice is not None] or found
        if found:
            found.sort(key=attrgetter("start"))
            return _standing(found, marked)
    return []


def _found(row: Row, marked: str, names: _Names) -> Iterator[_Found]:
    for match in islice(_compiled(row.pattern).finditer(marked), _MOST):
        if row.strength >= VALUE or not _vetoed(marked, match):
            yield _Found(_chosen(match.groupdict(), names), row, match.start(), match.end())


def _chosen(groups: Mapping[str, str | None], names: _Names) -> str | None:
    if (value := groups.get("x") or groups.get("y")) is not None:
        return names.choice(value)
    first, second = groups.get("m"), groups.get("n")
    if first is None or second is None or float(first) == float(second):
        return TIE
    return names.labels[float(second) > float(first)]


def _vetoed(marked: str, match: re.Match[str]) -> bool:
    """Tell whether the sentence of a statement denies it, puts a condition, or is another's."""
    before = marked[max(match.start() - _SENTENCE, 0) : match.end()]
    start = max((one.end() for one in _BREAK.finditer(before, 0, len(before) - len(match[0]))), default=0)
    clause = max((one.end() for one in _CLAUSE.finditer(before, start, len(before) - 1)), default=start)
    return bool(
        _VETO.search(before, start) or _DENIAL.search(before, clause) or _CONDITION.match(marked, match.end())
    )


def _standing(found: list[_Found], marked: str) -> list[_Found]:
    """The choices from the last word on that takes one back, where any is behind it."""
    last = found[-1]
    if all(one.choice == last.choice for one in found):
        return found
    other = max(at for at, one in enumerate(found) if one.choice != last.choice)
    return found[other + 1 :] if _TAKEN_BACK.search(marked, found[other].end, last.end) else found


def _problem(
    found: Sequence[_Found], marked: str, labels: Sequence[str], *, ties: bool, cut_off: bool
) -> Problem | None:
    if not found:
        if cut_off:
            return Problem("cut_off", "The reply was cut off before its choice was complete.")
        if not any(one.isalnum() or ord(one) >= _FIRST for one in marked):
            return Problem("nothing", "The reply is empty.")
        return Problem("missing", "I found no choice in the reply.")
    several = list(dict.fromkeys(one.choice or "a text that is not there" for one in found))
    if len(several) > 1 or _doubted(marked, found[-1]):
        return Problem("several", f"I found {' and '.join(several)}, and cannot tell which one is meant.")
    if found[-1].choice is None or (found[-1].choice == TIE and not ties):
        return Problem("off_scale", f"I found {several[0]}, which is none of {', '.join(labels)}.")
    return None


def _doubted(marked: str, last: _Found) -> bool:
    """Tell whether a word behind the last choice takes it back for another text."""
    taken = _TAKEN_BACK.search(marked, last.end)
    behind = marked[taken.end() : taken.end() + _AFTER] if taken else ""
    return any(_FIRST <= ord(one) <= _FOREIGN and one not in marked[last.start : last.end] for one in behind)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for name, part in reversed(PARTS.items()):  # a part may name those before it
        pattern = pattern.replace(f"{{{name}}}", part)
    return re.compile(pattern, re.MULTILINE)
