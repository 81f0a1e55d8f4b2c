"""Templates that only show what they are given: filled by putting texts together, in a tenth of the time that Jinja takes.

Most of the built-in prompts are such: texts, variables, loops over a variable, and parts that are left out where a variable is
empty. What is more than that is left to Jinja, and so is a template of which a part that is more is reached.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from operator import itemgetter
from typing import Any

from jinja2 import nodes


@dataclass(frozen=True, slots=True)
class _Show:
    """The text of a variable."""

    name: str


@dataclass(frozen=True, slots=True)
class _Rows:
    """The same texts for every row of a variable, with values of the row between them."""

    name: str
    widths: frozenset[int]
    """How many values a row has: one number."""
    texts: tuple["repeat[str]", ...]
    """The texts, each for as many rows as there are."""
    pick: Callable[[tuple[Iterable[str], ...]], tuple[Iterable[str], ...]]
    """Out of the columns of the rows with the texts behind them, what is said of each row in its order."""

    def of(self, rows: Sequence[Any]) -> Iterator[str]:
        """The pieces of all rows. Their columns are put side by side, since debates of many rounds have many rows."""
        columns = tuple(zip(*rows, strict=True))
        if not columns:
            return iter(())
        if not _TEXT.issuperset(map(type, chain.from_iterable(columns))):
            columns = tuple([tuple(map(str, column)) for column in columns])
        return chain.from_iterable(zip(*self.pick((*columns, *self.texts)), strict=False))


@dataclass(frozen=True, slots=True)
class _Skip:
    """So many of the next parts are left out: where a variable is empty, or in any case."""

    parts: int
    name: str | None = None


_TEXT = frozenset({str})
_SEVERAL = 2
"""Values that are shown of a row, at the least."""


class _More:
    """What only Jinja can fill."""


Part = str | _Show | _Rows | _Skip | _More


@dataclass(frozen=True, slots=True)
class PlainTemplate:
    """A template whose parts are put together."""

    parts: Sequence[Part]

    def fill(self, variables: Mapping[str, Any]) -> tuple[str, ...] | None:
        """The text in pieces, with its variables filled; None where Jinja has to fill it.

        What many texts show, such as what was said, is one object in all of them.
        """
        texts: list[str] = []
        parts, place, end = self.parts, 0, len(self.parts)
        try:
            while place < end:
                part = parts[place]
                place += 1
                if isinstance(part, str):
                    texts.append(part)
                elif isinstance(part, _Show):
                    texts.append(str(variables[part.name]))
                elif isinstance(part, _Skip):
                    place += 0 if part.name and variables[part.name] else part.parts
                elif isinstance(part, _More) or not part.widths.issuperset(map(len, variables[part.name])):
                    return None
                else:
                    texts.extend(part.of(variables[part.name]))
        except (KeyError, TypeError):  # a variable that is missing, or not what a loop takes: Jinja says so
            return None
        return tuple(texts)


def plain_template(tree: nodes.Template) -> PlainTemplate | None:
    """The template as one whose parts are put together; None where nothing of it can be."""
    return None if any(map(_is_more, tree.body)) else PlainTemplate(_parts(tree.body))


def _is_more(node: nodes.Node) -> bool:
    """Whether only Jinja can fill a node, whatever its variables are."""
    parts = _parts([node])
    return any(isinstance(part, _More) for part in (parts[:1] if isinstance(node, nodes.If) else parts))


def _parts(body: Sequence[nodes.Node]) -> Sequence[Part]:
    parts: list[Part] = []
    for node in body:
        match node:
            case nodes.Output():
                parts += _parts(node.nodes)
            case nodes.TemplateData(data=text):
                parts.append(text)
            case nodes.Name(name=name):
                parts.append(_Show(name))
            case nodes.If(test=nodes.Name(name=name), elif_=[]):
                parts += _either(name, _parts(node.body), _parts(node.else_))
            case nodes.For(iter=nodes.Name(name=name), test=None, else_=[]):
                parts.append(_of_rows(node, name) or _More())
            case _:
                parts.append(_More())
    return tuple(parts)


def _either(name: str, full: Sequence[Part], empty: Sequence[Part]) -> list[Part]:
    """One of two texts, by whether a variable is empty."""
    rest = [_Skip(len(empty)), *empty] if empty else []
    return [_Skip(len(full) + bool(empty), name), *full, *rest]


def _of_rows(loop: nodes.For, name: str) -> _Rows | None:
    """A loop that says the same of every row; None where it is more than that."""
    targets = loop.target.items if isinstance(loop.target, nodes.Tuple) else ()
    names = [target.name for target in targets if isinstance(target, nodes.Name)]
    parts = _parts(loop.body)
    shown = [part.name for part in parts if isinstance(part, _Show)]
    if len(shown) < _SEVERAL or not names or len(names) != len(targets):
        return None
    if not (set(shown) <= set(names) and all(isinstance(part, str | _Show) for part in parts)):
        return None
    texts = tuple([repeat(part) for part in parts if isinstance(part, str)])
    behind = count(len(names))
    places = [names.index(part.name) if isinstance(part, _Show) else next(behind) for part in parts]
    return _Rows(name, frozenset({len(names)}), texts, itemgetter(*places))
