"""The parts of a reply that speak for several: where each one's begins, and whose it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from agentdebate.ballots.fold import fold
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.names import PLAYER, Names
from agentdebate.ballots.vote_reader import PartVote

_DECORATION = r"[\s>#•·‣▪◦●○+\-|\[(\"'{=]*"
_CALLED = (
    r"(?:role|role ?player|player|voter|persona|judge|character|participant|reader|evaluator|perspective)"
)
_NUMBERED = pattern(
    rf"{_DECORATION}(?:(?P<word>{_CALLED})\s*(?:no\.?|number|\#)?\s*)?(?P<number>[0-9]{{1,3}})(?!\w)(?P<mark>[\s.):\]\"',|-]*)"
)
_AS = pattern(
    rf"{_DECORATION}(?P<as>(?:as|for|from)\s+)?(?:the\s+(?:perspective|view|viewpoint|point of view)\s+of\s+)?"
    rf"(?:{_CALLED}\s*[:=]\s*)?(?:(?:the|an?)\s+)?[\"']?"
)
_AFTER = pattern(
    r"(?P<gap>[\s\"'\])}>]*)(?:(?P<end>$|:|\||=|→|-+>|\s-+\s)|(?P<paren>\()|(?P<comma>[,.])|'s\s+(?=[a-z])|(?P<verb>would\s|votes?[\s:]|voted\s"
    r"|prefers?\s|chooses?\s|picks?\s|selects?\s|favou?rs?\s))"
)
_ACTING = r"(?:would|will|votes?|voted|prefers?|preferred|chooses?|chose|picks?|picked|selects?|selected|favou?rs?)\b"
_ACTS = pattern(rf"\s*{_ACTING}")
_ASIDE = pattern(r"\([^()\n]{0,80}\)\s*(?=$|:|\||-|\n)")
_SKIPPED = pattern(r"[\s:|=→>\"'\])},.-]*")
_SPEAKS = pattern(
    r"(?:reason\w*|rationale|explanation|analysis|justification|because|vote\w*|choice|preference|verdict|winner|decision|i|i'd|my|we)\b"
)
_HEAD_WORDS = 8
_HEAD = 160
"""Characters of a line in which a heading names the player."""
_COUNTED = pattern(r"^[^\w\n]{0,12}([0-9]{1,3})[.):][ \t]", re.MULTILINE)
_VOTING = pattern(r"\b(?:vote|choice|preference|verdict|winner|decision|prefer\w{0,9})\b")
_CLOSING = pattern(
    r"\n[ \t]{0,8}(?:\n[\s#>-]{0,12}|#+[ \t]{0,8}|-{3,40}\s{1,8})"
    r"(?:overall(?!,?\s+(?:i|my|i'd|we|our)\b)|totals?|tally|votes?\s+(?:tally|count|summary)|votes|summary of (?:the )?votes|"
    r"final (?:tally|count|result)s?|results?|the majority|majority|most|consensus|collective\w*|aggregate\w*|all (?:roles|players)|"
    r"(?:in (?:conclusion|summary|total|short)|to (?:sum up|summari[sz]e|conclude)|conclusion)\b"
    r"(?=[^\n]{0,200}\b(?:most|majority|roles|players|votes|voters|readers|consensus)\b))\b"
)
"""Where a remark on all players begins. "In conclusion, I vote ..." is still the last one's."""


@dataclass(slots=True)
class Part:
    """What one player says. `title` and `number` are how the reply names the player, both None for a part that names no player.

    `start` and `end` are places in the text it was read from; `end` grows until the next part begins.
    """

    start: int
    end: int
    title: str | None = None
    number: int | None = None
    row: bool = False
    votes: list[PartVote] = field(default_factory=list)
    reason: str = ""
    open: bool = False
    """Whether the reply was cut off where more of the vote could have followed."""
    acts: bool = False
    """Whether the heading is the subject of what follows: "Critic votes for Summary B"."""
    choice: tuple[int, int] | None = None
    """From where to where the candidate that is voted for is named, where that is known."""


def words_in(text: str) -> str:
    """The words of a title, folded and in small letters, one blank between."""
    plain = (
        fold(text).lower().replace("*", "").replace("`", "")
    )  # which are markup in a reply, and read as nothing
    return " ".join(re.findall(r"[^\W_]+", plain))


class Titles:
    """The players' titles, and where a text names one at the start of a line."""

    def __init__(self, players: Sequence[str], names: Names) -> None:
        self.words = [words_in(title) for title in players]
        named = sorted({words for words in self.words if words}, key=len, reverse=True)
        joined = "|".join(r"(?:[^\w\n]{1,12}|_)".join(map(re.escape, words.split())) for words in named)
        self._title = pattern(rf"(?:{joined or '(?!)'})(?!\w)")
        self._names = names
        self._acting = pattern(rf"(?<!\w)(?:(?:the|an?)\s)?(?P<title>{joined or '(?!)'})(?=\s{_ACTING})")
        # A heading that does not open a line has to say that it is one.
        self._inline = pattern(
            rf"(?<=[ \t]){_CALLED}[ ]{{0,3}}\#?[0-9]{{1,3}}[ ]{{0,3}}[:.)-][ ]{{0,3}}(?:{joined or '(?!)'})(?!\w)"
        )
        self._near = pattern(
            rf"{self._title.pattern}|{_CALLED}[\s\#]{{0,6}}(?:no\.?|number)?[\s]{{0,3}}[0-9]"
        )

    def parts(self, text: str) -> Iterator[Part]:
        """The parts of a folded reply, each from behind its heading to the next one."""
        last: Part | None = None
        for start, end in self._lines(text):
            part = self.heading(text[start:end])
            if part is None:
                continue
            if last is not None:
                last.end = start
                yield last
            part.start, part.end = part.start + start, len(text)
            part.row = text.startswith("|", start)
            last = part
        if last is not None:
            last.end = _close(text, last)
            yield last

    def counted(self, text: str) -> list[Part]:
        """The parts of a reply whose lines are merely numbered from 1 to the number of players, in this order."""
        found: list[Part] = []
        for number in _COUNTED.finditer(text):
            if found:
                found[-1].end = number.start()
            found.append(Part(number.end(), len(text), number=int(number[1])))
            if found[-1].number != len(found) or len(found) > len(self.words):
                return []
        if len(found) != len(self.words):
            return []
        found[-1].end = _close(text, found[-1])
        return found

    def heading(self, line: str) -> Part | None:
        """The part that a line opens, from behind its heading; None where it opens none."""
        number = _NUMBERED.match(line)
        opened = _AS.match(line)
        bare = re.match(_DECORATION, line)
        ways: list[tuple[int, int | None, bool]] = [(bare.end() if bare else 0, None, False)]
        if number is not None:
            inner = _AS.match(line, number.end())
            ways.append((number.end(), int(number["number"]), True))
            ways.append((inner.end() if inner else number.end(), int(number["number"]), True))
        if opened is not None:
            ways.append((opened.end(), None, bool(opened["as"])))
        for at, ordinal, comma in ways:
            part = self._titled(line, at, ordinal, comma=comma)
            if part is not None:
                return part
        return self._by_number(line, number) if number is not None and number["word"] else None

    def spoken(self, text: str, part: Part) -> str:
        """What a part says, with PLAYER in the place of its player's name where that is the subject of a verb."""
        known = part.number and part.number <= len(self.words)
        own = part.title or (self.words[part.number - 1] if part.number and known else None)
        said = self._acting.sub(lambda found: PLAYER if words_in(found["title"]) == own else found[0], text)
        return f"{PLAYER} {said.lstrip()}" if part.acts or _ACTS.match(said) else said

    def named(self, text: str) -> tuple[str | None, int | None]:
        """The title and the number that a name in JSON or in a table's cell stands for."""
        folded = " ".join(fold(text).lower().replace("_", " ").split())
        words = words_in(text)
        if words in self.words and words:
            return words, None
        part = self.heading(folded)
        if part is not None and not folded[part.start :].strip():
            return part.title, part.number
        bare = re.fullmatch(rf"(?:{_CALLED}\s*)?\W*([0-9]{{1,3}})\W*", folded)
        return None, int(bare[1]) if bare else None

    def _titled(self, line: str, at: int, ordinal: int | None, *, comma: bool) -> Part | None:
        title = self._title.match(line, at)
        after = _AFTER.match(line, title.end()) if title else None
        if title is None or after is None or (after["comma"] and not comma):
            return None
        end = (
            after.start("verb") if after["verb"] else after.start("paren") if after["paren"] else after.end()
        )
        if after["paren"]:
            aside = _ASIDE.match(line, end)
            if aside is not None and not self._names.occur_in(aside[0]) and "vote" not in aside[0]:
                end = aside.end()
        if not after["verb"]:
            skipped = _SKIPPED.match(line, end)
            end = skipped.end() if skipped else end
        return Part(end, len(line), title=words_in(title[0]), number=ordinal, acts=bool(after["verb"]))

    def _by_number(self, line: str, number: re.Match[str]) -> Part:
        """The part of "Role 2", where what follows is no other title; else without a player."""
        rest = line[number.end() :].strip(" \t\"'|")
        part = Part(number.end(), len(line), number=int(number["number"]))
        if not rest or _SPEAKS.match(rest) or self._names.begin(rest):
            return part
        head = words_in(re.split(r"[:.(|]|\s-\s", rest, maxsplit=1)[0]).split()
        own = self.words[part.number - 1].split() if part.number and part.number <= len(self.words) else []
        if len(head) > _HEAD_WORDS or (own and (set(own) <= set(head) or set(head) <= set(own))):
            return part
        return Part(number.end(), len(line))

    def _lines(self, text: str) -> Iterator[tuple[int, int]]:
        """The lines that may open a part; a heading that says that it is one starts a line wherever it stands."""
        starts = {found.start() for found in self._inline.finditer(text)}
        for found in self._near.finditer(text):
            line = text.rfind("\n", max(found.start() - _HEAD, 0), found.start()) + 1
            if line or found.start() <= _HEAD:
                starts.add(line)
        ordered = sorted(starts)
        for start, following in pairwise([*ordered, len(text)]):
            end = text.find("\n", start, following)
            yield start, following if end < 0 else end


def assign(parts: Sequence[Part], titles: Sequence[str]) -> list[list[Part]]:
    """The parts of each player, by the players' titles in words (see words_in), else by number."""
    owned: list[list[Part]] = [[] for _ in titles]
    owners: dict[str, list[int]] = {}
    for k, title in enumerate(titles):
        owners.setdefault(title, []).append(k)
    groups: dict[str, list[Part]] = {}
    for part in parts:
        if part.title is not None:
            groups.setdefault(part.title, []).append(part)
        elif part.number is not None and 0 < part.number <= len(titles):
            owned[part.number - 1].append(part)
    for title, group in groups.items():
        for k, part in _shared_out(group, owners.get(title, [])):
            owned[k].append(part)
    return owned


def _shared_out(group: Sequence[Part], owners: Sequence[int]) -> Iterator[tuple[int, Part]]:
    """Whose the parts under one title are; players who share it are told apart by number, else by their order."""
    if len(owners) == 1:
        yield from ((owners[0], part) for part in group)
        return
    numbers = [part.number - 1 if part.number else -1 for part in group]
    if set(numbers) <= set(owners):
        yield from zip(numbers, group, strict=True)
        return
    voting = [part for part in group if part.votes]
    if len(voting) == len(owners):
        yield from zip(owners, voting, strict=True)


def _close(text: str, last: Part) -> int:
    """Where the last player's part ends: before a remark on all of them, where the part has a vote before it."""
    vote = _VOTING.search(text, last.start)
    closing = _CLOSING.search(text, vote.end()) if vote else None
    return closing.start() if closing else len(text)
