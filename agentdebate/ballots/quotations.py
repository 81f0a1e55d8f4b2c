"""What in a reply is quoted, or said of others: the judge's own statement goes before it.

A ballot is set in a fence or in quotation marks by some judges, so what is merely quoted counts where the judge says
nothing else. What the line before gives to somebody or something else ("The source says:", "Example:") never counts.
"""

import re
from dataclasses import dataclass

from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.words import words_of

_FILLER = "quoted."
"""Stands in the place of a line that is left out: it gives no score, and is not a heading."""
_FENCE = pattern(r"[ ]{0,3}(?:```|~~~)")
_BLOCK = pattern(r"[ ]{0,3}>[^0-9]{0,300}[^\W\d]")
_HEADING = pattern(r"[ ]{0,3}(?:#{1,6}[ ]|(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?[ ]*$)")
_RULE = pattern(r"[ ]{0,3}(?:-{3,80}|\*{3,80}|_{3,80}|={3,80})[ ]{0,80}")
_INLINE = pattern(
    r"“[^“”]{1,2000}”|„[^“”„]{1,2000}[“”]|«[^«»]{1,2000}»|‹[^‹›\n]{1,300}›|「[^「」]{1,2000}」|`[^`\n]{1,300}`"
    r"|(?<![\w\\])\"(?:[^\"\n\\]|\\.){1,1000}+\"|(?<![\w\"])\"[ ]{0,9}\n[^\"]{1,2000}\""
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)|(?<!\w)‘(?:[^‘’\n]|(?<=\w)’(?=\w)){1,300}’"
    r"|\{[^{}\n]{1,500}\}"
)
_STATES = pattern(
    r"(?=[^\d]{0,2000}\d|.*\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)(?=[\W\d_]*[^\W\d_])",
    re.DOTALL,
)
"""A quotation with words and a number: one without either is not a statement, and a number alone is a way to write it."""
_CLAUSE = pattern(r"[.;!?\n]")
_REACH = 120
"""Characters before a quotation that say whose it is."""
_WORD = pattern(r"[^\W_]+(?:'[a-z]+)?")

_MINE = words_of("my mine our i i'd i'll i've i'm we")
_REPORTS = words_of(
    "says said states stated claims claimed reads writes wrote written contains contained includes included cites cited ends begins opens "
    "closes holds held asserts asserted demands demanded tells told gives gave assigned awarded scored rated voted suggests suggested proposes "
    "proposed argues argued insists insisted prints shows appears"
)
"""What others do with words; not "I would say"."""
_MODELS = words_of(
    "rubric guideline guidelines instruction instructions template sample example examples hypothetical hypothetically suppose "
    "supposing imagine pretend illustration quote quotes quoted quoting quotation verbatim excerpt according instance"
)
"""What is quoted, or merely thought of, also where the judge speaks."""
_OTHERS = words_of(
    "source article document passage author author's user critic critic's reviewer reviewer's annotator annotator's referee expert colleague "
    "colleague's transcript debate header footer snippet rubric example examples template prompt instructions guidelines agent agent's "
    "previous earlier others other another human"
)
_THINGS = _OTHERS | words_of("text summary dialogue story translation response reply answer output")
_JUDGEMENTS = words_of(
    "rating ratings score scores evaluation assessment ballot final overall judgement judgment verdict"
)
_BY = words_of("based following using per according under")
"""A judgement by a rubric is the judge's own."""
_FROM = words_of("from in inside within by")
_SMALL = words_of(
    "the a an of from in its this that and judge judge's agent player score scores rating ratings ballot review text output answer reply "
    "response verdict opinion view words line note claim round one two three four five six seven eight nine"
)


_THOUGHT = words_of("if suppose supposing imagine pretend hypothetically assuming")
_SEATS = words_of("judge agent player critic reviewer")
_LONGEST_NAME = 4
"""Words of "Judge 2's rating of it"."""
_OWN, _QUOTED, _FOREIGN = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Quotations:
    """A reply without quotations (`own`), and without what is given to others alone (`claimed`)."""

    own: str
    claimed: str


def quotations(said: str) -> Quotations:
    """Take a reply apart. Takes time in proportion to its length."""
    if not _may_quote(said):
        return Quotations(said, said)
    own, claimed = _inline(said, most=_OWN), _inline(said, most=_QUOTED)
    return Quotations(_lines(own, most=_OWN), _lines(claimed, most=_QUOTED))


def _may_quote(said: str) -> bool:
    """Whether a text holds a sign without which nothing is quoted, and no line gives what follows to others."""
    if any(map(said.__contains__, _SIGNS)) or said.startswith("'"):
        return True
    # Single characters are found at once: only where one stands is the whole sign looked for.
    return any(map(said.__contains__, _PARTS)) and any(map(said.__contains__, _LONG_SIGNS))


_SIGNS = tuple('"“„«‹「`‘{>#：\r')
_LONG_SIGNS = ("**", "__", ":\n", ": \n", " '", "\n'", "('", "---", "===", "~~~")
_PARTS = tuple("*_:'-=~")
"""Each of the long signs holds one of these."""


def is_others(lead: str) -> bool:
    """Whether words that lead up to others give these to somebody else, or to an example."""
    words = _WORD.findall(fold(lead[-_REACH:]).lower())
    if words[:2] == ["that", "said"] or words == ["in", "summary"]:
        return False
    if words and words[0] in _THOUGHT:
        return True
    if not words or not _MINE.isdisjoint(words) or (words[0] in _JUDGEMENTS and not _BY.isdisjoint(words)):
        return False
    if not _REPORTS.isdisjoint(words) or not _MODELS.isdisjoint(words):
        return True
    placed = any(one in _FROM and not _THINGS.isdisjoint(words[k : k + 4]) for k, one in enumerate(words))
    return placed or (not _OTHERS.isdisjoint(words) and set(words) <= _OTHERS | _SMALL) or _is_seat(words)


def _is_seat(words: list[str]) -> bool:
    """Whether a line is the name of one of several: "Judge 2", "Agent b's rating"."""
    number = words[1].removesuffix("'s") if 1 < len(words) <= _LONGEST_NAME else ""
    return words[0] in _SEATS and (number.isdigit() or len(number) == 1)


def _inline(said: str, *, most: int) -> str:
    """The text without the statements that stand in quotation marks."""

    def shown(found: re.Match[str]) -> str:
        if _STATES.match(found[0]) is None:
            return found[0]
        lead = _CLAUSE.split(said[max(found.start() - _REACH, 0) : found.start()].rstrip(" \n"))[-1]
        kind = _FOREIGN if is_others(lead) else _QUOTED
        return found[0] if kind <= most else f'"{_FILLER[:-1]}"'

    return said if said.lstrip("` \n").startswith(("{", "[", "json")) else _INLINE.sub(shown, said)


def _lines(said: str, *, most: int) -> str:
    """The text without the lines that stand in a fence or a block, or below words that give them to others."""
    if "\n" not in said:
        return said
    lines = said.split("\n")
    state = _State(_last_fence(lines))
    kinds = [state.take(k, line) for k, line in enumerate(lines)]
    return "\n".join(line if kind <= most else _FILLER for line, kind in zip(lines, kinds, strict=True))


def _last_fence(lines: list[str]) -> int:
    """The line that opens the fence with which a text ends; -1 where it ends otherwise."""
    fences = [k for k, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) % 2:
        return fences[-1]
    ends = bool(fences) and not any(line.strip() for line in lines[fences[-1] + 1 :])
    return fences[-2] if ends else -1


@dataclass(slots=True)
class _State:
    """Walks down the lines of a reply."""

    last_fence: int
    """The line that opens the fence at the end of the reply, which is how some judges set their ballot."""
    lead: str = ""
    """The last line of the judge's own that says something."""
    fence: int | None = None
    """Whose it is what stands in the fence that is open."""
    section: bool = False
    """Whether the heading above names others or an example."""
    given: int = 0
    """Lines of a paragraph that is given to others, with the line that gives it; 0 where none is."""

    def take(self, number: int, line: str) -> int:
        """Whose a line is."""
        if _FENCE.match(line):
            self.fence = self._fenced(number) if self.fence is None else None
            self.given = 0
            return _OWN
        if self.fence is not None:
            return self.fence
        if _BLOCK.match(line):
            whose, self.given = _FOREIGN if self._is_led() else _QUOTED, 0
            return whose
        return self._text(line)

    def _fenced(self, number: int) -> int:
        if number == self.last_fence:
            return _FOREIGN if _leads(self.lead) else _OWN
        return _FOREIGN if self._is_led() else _QUOTED

    def _text(self, line: str) -> int:
        if not line.strip():
            self.given = 0 if self.given > 1 else self.given
            return _OWN
        if _HEADING.match(line) or _RULE.fullmatch(line):
            self.section, self.given, self.lead = _names_others(line), 0, line
            return _OWN
        if self.section or self.given:
            self.given += self.given > 0
            return _FOREIGN
        self.lead, self.given = line, int(_leads(line))
        return _OWN

    def _is_led(self) -> bool:
        return self.section or self.given > 0 or is_others(_CLAUSE.split(self.lead.rstrip(" .:;!?"))[-1])


def _leads(line: str) -> bool:
    """Whether a line ends in a colon and gives what follows to others."""
    bare = line.rstrip(" *_`\"'“«>")
    return bare.endswith((":", "：")) and is_others(_CLAUSE.split(bare)[-1])


def _names_others(heading: str) -> bool:
    words = set(_WORD.findall(fold(heading).lower()))
    return not words.isdisjoint(_OTHERS | _MODELS) and words <= _OTHERS | _MODELS | _SMALL
