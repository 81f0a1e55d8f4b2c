"""Tables in a folded reply: a row a player, with a column that holds the votes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agentdebate.ballots.parts import Part, Titles
from agentdebate.ballots.vote_reader import VoteReader

_RULE = re.compile(
    r"^[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$", re.MULTILINE
)
_VOTES = re.compile(
    r"(?:(?:final|my|the|overall)\s+)?(?:votes?|voted for|choice|preference|preferred|verdict|winner|decision|pick|selection|"
    r"better|best)\b(?!\s+(?:reason|aspect))"
)
_NUMBERS = re.compile(r"[#№]|no\.?|number|id|role (?:no\.?|number|#)|")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, without the blanks around it, and where it starts."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table's header and of its rows, and where the whole of it stands."""

    header: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    start: int
    end: int


def tables(text: str) -> Iterator[Table]:
    """The tables of a text that have a header with a rule below it."""
    done = 0
    for rule in _RULE.finditer(text):
        above = text.rfind("\n", done, max(rule.start() - 1, done)) + 1 or done
        if rule.start() < done or rule.start() == 0 or "|" not in text[above : rule.start()]:
            continue
        rows, at = [], min(rule.end() + 1, len(text))
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            if "|" not in text[at:end]:
                break
            rows.append(cells(text[at:end], at))
            at = end + 1
        done = min(at, len(text))
        yield Table(cells(text[above : rule.start()].rstrip("\n"), above), rows, above, done)


def cells(line: str, at: int) -> list[Cell]:
    """The cells of a line that stands at a place."""
    found, start = [], at
    stripped = line.rstrip()
    outer = len(line) - len(line.lstrip())
    if stripped[outer : outer + 1] == "|":
        start += outer + 1
        stripped = stripped[outer + 1 :]
    stripped = stripped.removesuffix("|")
    for piece in stripped.split("|"):
        found.append(Cell(piece.strip(), start + len(piece) - len(piece.lstrip())))
        start += len(piece) + 1
    return found


def votes_in(table: Table, titles: Titles, reader: VoteReader) -> list[Part]:
    """The parts that a table's rows are, without votes where it has no single column of them."""
    columns = [k for k, cell in enumerate(table.header) if k and _VOTES.match(cell.text)]
    column = columns[0] if len(columns) == 1 else None
    return [part for row in table.rows if (part := _part(table.header, row, column, titles, reader))]


def _part(
    header: Sequence[Cell], row: Sequence[Cell], column: int | None, titles: Titles, reader: VoteReader
) -> Part | None:
    """The part that a row is, behind the cell that names a player; its votes end where their cell does."""
    number: int | None = None
    for k, cell in enumerate(row[:column]):
        if k == 0 and re.fullmatch(r"[0-9]{1,3}", cell.text) and _NUMBERS.fullmatch(header[0].text):
            number = int(cell.text)
            continue
        title, numbered = titles.named(cell.text)
        if title is None and (numbered is None or cell.text.isdecimal()):
            return None
        start = row[k + 1].start if k + 1 < len(row) else cell.end
        part = Part(start, row[-1].end, title, numbered or number, row=True)
        vote = row[column] if column is not None and column < len(row) else None
        if vote is not None and vote.text:
            part.votes = [replace(reader.value(vote.text), last=vote is row[-1])]
        return part
    return None
