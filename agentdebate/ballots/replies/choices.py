"""The choice that a reply makes between texts that are compared: one of them by its label, or a tie."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count, groupby
from operator import attrgetter
from string import ascii_lowercase

from agentdebate.ballots.plain import plain, sound
from agentdebate.ballots.replies.choice_patterns import DECIDED, FORM, NOUNS, PARTS, ROWS, VALUE, Row
from agentdebate.ballots.replies.outcome import Choice, Problem, declines

TIE = "tie"
_MARKS = [chr(code) for code in range(0xE000, 0xE0FF)]
_FOREIGN = "\ue0ff"
"""The characters that stand for the texts, and for one that is not there; plain text has none of these."""
_KEY = r"[a-z]|\d{1,2}"
_KEYED = re.compile(rf"(?P<noun>.*?)[\s_#-]{{0,3}}\(?(?P<key>{_KEY})\)?")
_ARTICLE = re.compile(r" a(?<=[a-z,] a)(?= [a-z])")
"""Words that would be taken for the text A; a key stands in capitals, in brackets, or behind a colon."""
_SENTENCE = 300
"""Characters before a statement that are looked at for the start of its sentence."""
_BREAK = re.compile(r"\n|[.!?;]\s")
_VETO = re.compile(
    r"\b(?:if|unless|whether|were it|at first|initial(?:ly)?|previously|referee|critic|when it comes to|would have|alone|no way|hard to (?:argue|say))\b|\?|\"[^\"\n]*$"
    r"|(?:\b(?:not|never|cannot|nor|might|may|says?|claims?)|n't)\b(?!.*(?:[,:]\s|\b(?:but|and|so|while|although|because)\b).)"
)
"""Marks of a sentence that makes no statement: a condition, another's word, a quotation that is not closed, a denial in the same clause."""
_CONDITION = re.compile(r"[^\n]{0,40}\b(?:if|unless|alone|were it)\b|[^.\n]{0,40}\?")
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|on (?:second thoughts?|reflection)|correction|scratch that|no longer|reconsider\w*|revised?"
    r"|chang(?:e|ed|ing) my (?:mind|vote|choice|verdict)|i was wrong|my mistake)\b"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A choice that a rule found, and where it ends in the plain text."""

    choice: str | None
    rule: str
    end: int


@dataclass(frozen=True, slots=True)
class _Names:
    """The labels of the texts, by what replies call them."""

    own: re.Pattern[str]
    general: re.Pattern[str]
    choices: Mapping[str, str]
    """The label, or "tie", that a key or a mark stands for."""
    marks: Mapping[str, str]

    def marked(self, said: str) -> str:
        """Put one character for each mention of a text; other nouns than the labels' count where none of these stands."""
        marked, count = self.own.subn(self._mark, said)
        return marked if count else self.general.sub(self._mark, said)

    def _mark(self, mention: re.Match[str]) -> str:
        return self.marks.get(self.choices.get(mention["key"], TIE), _FOREIGN)


@lru_cache(maxsize=64)
def _names(labels: tuple[str, ...], tie_keys: tuple[str, ...]) -> _Names:
    folded = [plain(label).lower().strip() for label in labels]
    parted = [found for label in folded if (found := _KEYED.fullmatch(label))]
    nouns = {one["noun"] for one in parted}
    if len(parted) == len(folded) and len(nouns) == 1:
        own, names = _mention(re.escape(nouns.pop()) or NOUNS, _KEY), [one["key"] for one in parted]
    else:
        own, names = _mention("", "|".join(map(re.escape, folded))), folded
    choices = dict.fromkeys(tie_keys, TIE)
    for keys in (_MARKS, ascii_lowercase, map(str, count(1)), names):
        choices.update(zip(keys, labels, strict=False))
    return _Names(own, _mention(NOUNS, _KEY), choices, dict(zip(labels, _MARKS, strict=False)))


@cache
def _mention(nouns: str, keys: str) -> re.Pattern[str]:
    """The pattern of a text's name with what belongs to it: "assistant 1", "output (a)", "answer b's second part"."""
    name = rf"(?:{nouns})[\s_#-]{{0,3}}(?:number |no\. ?)?[(\[\"']{{0,2}}(?P<key>{keys})[)\]\"']{{0,2}}"
    return re.compile(rf"\b{name}(?![\w-])(?:'s(?: \w+)?(?: (?:{NOUNS})(?!\w))|'s)?")


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
    usual = ("c", "3") if tie_mark is None and not labels[2:] else ()
    names = _names(tuple(labels), (tie_mark.lower(),) if tie_mark else usual)
    marked = names.marked(said)
    found = _strongest(marked, names.choices, end=len(marked) if cut_off else -1, patterns=patterns)
    problem = _problem(found, labels, ties=ties) if found else _absent(said, cut_off=cut_off)
    if problem is None:
        return Choice(rule=found[0].rule, choice=found[0].choice, reason=sound(text).strip())
    return Choice(problem=problem)


def _strongest(marked: str, choices: Mapping[str, str], *, end: int, patterns: bool) -> list[_Found]:
    """The choices of the strongest class that has any; of those that differ, what stands behind the last word that takes one back."""
    for strength, rows in groupby(ROWS, attrgetter("strength")):
        if strength < FORM and not patterns:
            break
        found = [one for row in rows for one in _found(row, marked, choices) if one.end != end]
        found = [one for one in found if one.choice is not None] or found
        if found and strength == FORM:  # a decision behind the form contradicts it
            behind = marked[found[-1].end :]
            found += [one for row in ROWS if row.strength == DECIDED for one in _found(row, behind, choices)]
        if len({one.choice for one in found}) > 1:
            taken_back = max((word.end() for word in _TAKEN_BACK.finditer(marked)), default=0)
            return [one for one in found if one.end > taken_back] or found
        if found:
            return found
    return []


def _found(row: Row, marked: str, choices: Mapping[str, str]) -> Iterator[_Found]:
    for match in _compiled(row.pattern).finditer(marked):
        if row.strength >= VALUE or not _vetoed(marked, match):
            yield _Found(_chosen(match.groupdict(), choices), row.name, match.end())


def _chosen(groups: Mapping[str, str | None], choices: Mapping[str, str]) -> str | None:
    if (value := groups.get("x") or groups.get("y")) is not None:
        return choices.get(value.strip("()"))
    first, second = float(groups.get("m") or 0), float(groups.get("n") or 0)
    return TIE if first == second else choices.get(_MARKS[second > first])


def _vetoed(marked: str, match: re.Match[str]) -> bool:
    """Tell whether the sentence of a statement denies it, puts a condition, or is another's."""
    before = _BREAK.split(marked[max(match.start() - _SENTENCE, 0) : match.start()])[-1]
    return bool(_VETO.search(before + match[0]) or _CONDITION.match(marked, match.end()))


def _problem(found: Sequence[_Found], labels: Sequence[str], *, ties: bool) -> Problem | None:
    named = {None: "a text that is not there", TIE: "a tie"} | {label: label for label in labels}
    several = list(dict.fromkeys(named[one.choice] for one in found))
    if len(several) > 1:
        return Problem("several", f"I found {' and '.join(several)}, and cannot tell which one is meant.")
    if found[0].choice is None or (found[0].choice == TIE and not ties):
        return Problem("off_scale", f"I found {several[0]}, which is none of {', '.join(labels)}.")
    return None


def _absent(said: str, *, cut_off: bool) -> Problem:
    if cut_off:
        return Problem("cut_off", "The reply was cut off before its choice was complete.")
    if not any(map(str.isalnum, said)):
        return Problem("nothing", "The reply is empty.")
    if declines(said):
        return Problem("refusal", "The reply declined to answer: it makes no choice.")
    return Problem("missing", "I found no choice in the reply.")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for name, part in reversed(PARTS.items()):  # a part may name those before it
        pattern = pattern.replace(f"{{{name}}}", part)
    return re.compile(pattern, re.MULTILINE)
