"""Templates that only show what they are given: filled by putting texts together, in a tenth of the time that Jinja takes.

Most of the built-in prompts are such: texts, variables, loops over a variable, and parts that are left out where a variable is
empty. What is more than that is left to Jinja, and so is a template of which a part that is more is reached.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter, not_
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
    texts: tuple[str, ...]
    """What is said of each row; where one of its values is shown, an empty text keeps the place."""
    shown: tuple[tuple[int, "itemgetter[int]"], ...]
    """Which value of a row stands at which place of its texts."""

    def of(self, rows: Sequence[Any]) -> Sequence[str]:
        """The pieces of all rows. Raises TypeError where a row has another number of values.

        The rows' values are put in place by column, since debates of many rounds have many rows.
        """
        if not self.widths.issuperset(map(len, rows)):
            raise TypeError(f"each of {self.name!r} has {self.widths} values")
        pieces, step = [*self.texts] * len(rows), len(self.texts)
        for place, value in self.shown:
            column = [*map(value, rows)]
            pieces[place::step] = column if _TEXT.issuperset(map(type, column)) else map(str, column)
        return pieces


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
class _Variant:
    """What a template says where it is known which of its variables are empty."""

    texts: tuple[str, ...]
    """Its texts; an empty one keeps the place of a variable."""
    shown: tuple[tuple[int, str], ...]
    """Which variable stands at which place."""
    rows: tuple[tuple[int, _Rows], ...]
    """Which rows stand before which place, the last ones first."""


@dataclass(frozen=True, slots=True)
class PlainTemplate:
    """A template whose parts are put together."""

    parts: Sequence[Part]
    _chosen_by: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The variables by which parts are left out: where they are empty."""
    _variants: dict[tuple[bool, ...], _Variant | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What the template is, by which of those are empty. Nearly all of its texts are filled in one or two of them."""

    def __post_init__(self) -> None:
        names = dict.fromkeys(part.name for part in self.parts if isinstance(part, _Skip) and part.name)
        object.__setattr__(self, "_chosen_by", tuple(names))

    def fill(self, variables: Mapping[str, Any]) -> tuple[str, ...] | None:
        """The text in pieces, with its variables filled; None where Jinja has to fill it.

        What many texts show, such as what was said, is one object in all of them.
        """
        try:
            empty = tuple(map(not_, map(variables.__getitem__, self._chosen_by)))
            variant = self._variants[empty] if empty in self._variants else self._made(empty)
            if variant is None:
                return None
            pieces = [*variant.texts]
            for place, name in variant.shown:
                pieces[place] = str(variables[name])
            for place, rows in variant.rows:
                pieces[place:place] = rows.of(variables[rows.name])
            return tuple(pieces)
        except (KeyError, TypeError):  # a variable that is missing, or not what a loop takes: Jinja says so
            return None

    def _made(self, empty: tuple[bool, ...]) -> _Variant | None:
        """The template where these of its variables are empty; None where Jinja has to fill it then."""
        left = dict(zip(self._chosen_by, empty, strict=True))
        variant = self._variants[empty] = _variant_of(_taken(self.parts, left))
        return variant


def _taken(parts: Sequence[Part], empty: Mapping[str, bool]) -> Iterator[Part]:
    """The parts that are not left out."""
    place, end = 0, len(parts)
    while place < end:
        part = parts[place]
        place += 1
        if not isinstance(part, _Skip):
            yield part
        elif part.name is None or empty[part.name]:
            place += part.parts


def _variant_of(parts: Iterable[Part]) -> _Variant | None:
    texts: list[str] = []
    shown: list[tuple[int, str]] = []
    rows: list[tuple[int, _Rows]] = []
    for part in parts:
        match part:
            case str():
                texts.append(part)
            case _Show(name):
                shown.append((len(texts), name))
                texts.append("")
            case _Rows():
                rows.append((len(texts), part))
            case _:
                return None
    return _Variant(tuple(texts), tuple(shown), tuple(reversed(rows)))


def plain_template(tree: nodes.Template) -> PlainTemplate | None:
    """The template as one whose parts are put together; None where nothing of it can be."""
    return None if any(map(_is_more, tree.body)) else PlainTemplate(_parts(tree.body))


def _is_more(node: nodes.Node) -> bool:
    """Whether only Jinja can fill a node, whichever values its variables have."""
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
    texts = tuple([part if isinstance(part, str) else "" for part in parts])
    values = [(place, part.name) for place, part in enumerate(parts) if isinstance(part, _Show)]
    picks = tuple([(place, itemgetter(names.index(value))) for place, value in values])
    return _Rows(name, frozenset({len(names)}), texts, picks)
