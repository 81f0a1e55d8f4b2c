"""The votes that stand in a player's part: on a line of a form, as the rest of a heading, or said in so many words.

A line of a form ("Vote: Summary A") or "I vote for Summary A" counts before "I prefer Summary A"; all that count
alike have to agree. A candidate that is merely spoken of is no vote.
"""

import re
from collections.abc import Iterator

from agentdebate.ballots.options import NOBODY, Options, Pick
from agentdebate.ballots.pattern import pattern

_LONGEST = 300
"""Characters behind a mark that are looked at."""
_UNSURE = pattern(
    r"\b(?:if|unless|not|never|n't|don't|can't|cannot|wouldn't|won't|almost|nearly|initially|whether|tempted|before|instead of|"
    r"says?|said|asks?|asked|tells?|told|writes?|instructs?|instructed|ignore)\b"
)
_ALONE = pattern(
    r"[ \t\"')\]}]*(?:$|\n|[.;!](?!\w)|\s-\s|,?[ \t]*\b(?:because|since|as (?:it|its|the|this)|over|due to)\b)"
)
"""What may follow a label that a part opens with."""
_CLAUSE = pattern(r"[.;!?\n]")
_REACH = 120


class Marks:
    """Finds votes for the given options in folded text."""

    def __init__(self, options: Options) -> None:
        self._options = options
        noun, label = options.nouns, options.label
        thing = rf"(?:\s+(?:{noun}|one|option|candidate|version|text))?"
        owner = r"(?:(?:so|thus|therefore|hence|and|then|finally|conclusion|in short)[,:]?\s+)?(?:(?:the|my|our|his|her|their|its)\s+)?"
        kind = r"(?:(?:final|overall|personal|own|individual)\s+){0,2}"
        word = (
            rf"(?:votes?(?=\s*(?:\(|\[|:|=|-|for\b|goes\b|is\b))|vote|choice|preference|preferred{thing}|verdict|winner|winning{thing}|decision|pick|"
            rf"selection|selected{thing}|chosen{thing}|answer|better{thing}|best{thing}|voted for|投票|选择|選択|투표|voto|stimme|wahl)"
        )
        hint = r"(?:[ \t]*[(\[][^()\[\]\n]{0,80}[)\]])?"
        parted = r"[\"']?[ \t]*(?:(?P<colon>[:=]|-+>|=>|→|\s-(?=\s))|(?P<verb>(?:is|goes|would be|will be|falls|remains|for|to)\b(?:[ \t]+(?:for|to|on)\b)?:?)"
        begins = r"(?:^[^\w\n]{0,12}(?:[0-9]{1,3}[.)][ \t]*|[a-z][.)][ \t]+)?|(?<=[.!?;|)\]}])[ \t]+|(?<=\w)[ \t]+-[ \t]+)"
        self._form = re.compile(
            rf"{begins}{owner}{kind}(?P<word>{word}){hint}{parted}|(?P<bare>[ \t]*$|[ \t]+(?={label})))",
            re.MULTILINE,
        )
        self._plain = re.compile(r"(?<=[ \t])(?:final )?vote[ \t]*:")
        adverbs = r"(?:(?:\w{1,12}ly|also|still|thus|now|rather)\s+){0,2}"
        would = r"(?:i|we)(?:'d|'ll|\s+would|\s+will|\s+am|'m|\s+must)?\s+"
        self._said = re.compile(
            rf"\b(?:{would}{adverbs}(?:vote|voting|cast (?:my|a) vote)\s+(?:for|in favou?r of)|my\s+{kind}(?:vote|choice)\s+(?:is|goes to|would be|falls on|is for))"
            rf"\s+[\"'(\[]?(?={label})"
        )
        verbs = r"prefer|choose|pick|select|favou?r|go with|opt for|lean towards?|side with"
        self._liked = re.compile(rf"\b{would}{adverbs}(?:{verbs})\s+[\"'(\[]?(?={label})")
        self._third = re.compile(
            rf"(?:would\s+)?{adverbs}(?:(?:vote|votes|voted)(?:\s+(?:for|in favou?r of))?|(?:prefer|choose|pick|select|favou?r)(?:s|ed)?)\s*:?\s+[\"'(\[]?(?={label})"
        )
        self._ends = re.compile(
            r"[\s\"')\]]*(?:$|[.;!]|,\s*(?:because|since|as)\b|-\s|\((?=\w)|\b(?:because|since|over|to|due|overall|on balance)\b|,\s*(?:which|but only)\b"
            r"|\b(?:for (?:its|the|being)|as it|mainly|slightly|as the better)\b)"
        )
        self._label = re.compile(label)
        self._heads = re.compile(rf"(?:\n[^\w\n]{{0,12}}|[.;!?:]\s{{1,4}})({label})")

    def picks(self, text: str) -> list[Pick]:
        """The votes of a part, `end` counted from the part's start; only those that count most."""
        strong = [*self._opening(text), *self._forms(text), *self._vows(self._said, text)]
        return strong or list(self._vows(self._liked, text))

    def cells(self, row: str) -> list[Pick]:
        """The cells of a table's row that are a candidate's label and nothing else."""
        return [
            pick
            for cell in row.split("|")
            if self._label.fullmatch(cell.strip(" .'\"()[]")) and (pick := self._options.read(cell))
        ]

    def _opening(self, text: str) -> Iterator[Pick]:
        """A vote that a part opens with: "Critic: Summary B because ...", "Critic votes for Summary B"."""
        line = text[: text.find("\n")] if "\n" in text else text
        line = line[:_LONGEST]
        third = self._third.match(line)
        at = third.end() if third else len(line) - len(line.lstrip(" \t\"'([{"))
        label = self._label.match(line, at)
        if label is None or not (third or self._opens(text, label)):
            return
        pick = self._options.read(line[at:])
        if pick is not None and pick.candidate != NOBODY:
            yield Pick(pick.candidate, pick.shown, pick.end + at)

    def _opens(self, text: str, label: re.Match[str]) -> bool:
        """Whether a label that a part opens with is all of a sentence but for its reason, and no heading of an analysis."""
        others = (
            found
            for found in self._heads.finditer(text, label.end())
            if self._options.named(found[1]) != self._own(label)
        )
        return _ALONE.match(text, label.end()) is not None and next(others, None) is None

    def _own(self, label: re.Match[str]) -> int:
        return self._options.named(label[0])

    def _forms(self, text: str) -> Iterator[Pick]:
        seen: set[int] = set()
        for mark in self._form.finditer(text):
            seen.add(mark.end())
            pick = self._after(text, mark.end(), below=True)
            weak = mark["colon"] is None and mark["bare"] is None
            if pick is None and mark["word"].startswith("vote") and not weak and mark["bare"] is None:
                pick = self._unread(text, mark.end())
            if pick is not None and not (weak and pick.candidate == NOBODY):
                yield pick
        for mark in self._plain.finditer(text):
            pick = self._after(text, mark.end(), below=False) if mark.end() not in seen else None
            if pick is not None and not _REASON_FOR.search(text, max(mark.start() - 12, 0), mark.end()):
                yield pick

    def _after(self, text: str, at: int, *, below: bool) -> Pick | None:
        """The vote in the rest of a line; in the next line that is not blank, where the rest is."""
        value, start = _line(text, at)
        if below and not value.strip(" \t\"'.:|-"):
            following = re.compile(r"\s{0,40}").match(text, start + len(value))
            value, start = _line(text, following.end() if following else start)
            if len(value) > _REACH or not self._label.fullmatch(value.strip(" .'\"()[]>#-")):
                return None
        pick = self._options.read(value)
        return None if pick is None else Pick(pick.candidate, pick.shown, pick.end + start)

    def _unread(self, text: str, at: int) -> Pick | None:
        value, _ = _line(text, at)
        shown = " ".join(value.split()).strip(" .\"'|")[:80]
        return Pick(NOBODY, shown, at + len(value)) if shown else None

    def _vows(self, pattern: re.Pattern[str], text: str) -> Iterator[Pick]:
        """Votes said in a sentence that neither denies nor quotes them, nor goes on to another candidate with a "but"."""
        for said in pattern.finditer(text):
            before = _CLAUSE.split(text[max(said.start() - _REACH, 0) : said.start()])[-1]
            label = self._label.match(text, said.end())
            if label is None or _UNSURE.search(before) or before.count('"') % 2:
                continue
            rest = _CLAUSE.split(text[label.end() : label.end() + 2 * _REACH], maxsplit=1)[0]
            divided = re.search(r"\b(?:but|however|although|if|unless|and)\b", rest)
            if not self._ends.match(text, label.end()) or (
                divided and self._label.search(rest, divided.end())
            ):
                continue
            yield Pick(self._options.named(label[0]), label[0], label.end())


_REASON_FOR = pattern(r"\b(?:for|of|behind)(?: (?:the|my|this))? (?:final )?vote")


def _line(text: str, at: int) -> tuple[str, int]:
    """The rest of a line from a place, up to the end of a table's cell, and that place."""
    end = text.find("\n", at)
    value = text[at : len(text) if end < 0 else end][:_LONGEST]
    cell = value.find("|", len(value) - len(value.lstrip(" |")))
    return (value if cell < 0 else value[:cell]), at
