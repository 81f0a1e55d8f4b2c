"""Templates that only show what they are given: filled by putting texts together, in a tenth of the time that Jinja takes.

Most of the built-in prompts are such: texts, variables, loops over a variable, and parts that are left out where a variable is
empty. What is more than that is left to Jinja, and so is a template of which a part that is more is reached.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from jinja2 import nodes


@dataclass(frozen=True, slots=True)
class _Show:
    """The text of a variable."""

    name: str


@dataclass(frozen=True, slots=True)
class _Rows:
    """A line of text for every row of a variable, whose places take values of the row."""

    name: str
    line: str
    widths: frozenset[int]
    """How many values a row has: one number."""
    pick: Callable[[Any], tuple[Any, ...]]
    """The values of a row in the order of the places."""


@dataclass(frozen=True, slots=True)
class _Where:
    """One of two texts, by whether a variable is empty."""

    name: str
    full: "Parts"
    empty: "Parts"


_SEVERAL = 2
"""Places of a line, at the least: of one, `itemgetter` gives no tuple."""


class _More:
    """What only Jinja can fill."""


Parts = Sequence[str | _Show | _Rows | _Where | _More]


@dataclass(frozen=True, slots=True)
class PlainTemplate:
    """A template whose parts are put together."""

    parts: Parts

    def fill(self, variables: Mapping[str, object]) -> str | None:
        """The text with its variables filled; None where Jinja has to fill it."""
        texts: list[str] = []
        try:
            return "".join(texts) if _fill(self.parts, variables, texts) else None
        except (KeyError, TypeError):  # a variable that is missing, or not what a loop takes: Jinja says so
            return None


def plain_template(tree: nodes.Template) -> PlainTemplate | None:
    """The template as one whose parts are put together; None where nothing of it can be."""
    parts = _parts(tree.body)
    return None if any(isinstance(part, _More) for part in parts) else PlainTemplate(parts)


def _fill(parts: Parts, variables: Mapping[str, Any], texts: list[str]) -> bool:
    """Put the parts behind the texts. Returns whether all of it could be filled."""
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, _Show):
            texts.append(str(variables[part.name]))
        elif isinstance(part, _Rows):
            rows = variables[part.name]
            if not part.widths.issuperset(map(len, rows)):
                return False
            texts.extend(map(part.line.__mod__, map(part.pick, rows)))
        elif isinstance(part, _More) or not _fill(
            part.full if variables[part.name] else part.empty, variables, texts
        ):
            return False
    return True


def _parts(body: Sequence[nodes.Node]) -> Parts:
    parts: list[str | _Show | _Rows | _Where | _More] = []
    for node in body:
        match node:
            case nodes.Output():
                parts += _parts(node.nodes)
            case nodes.TemplateData(data=text):
                parts.append(text)
            case nodes.Name(name=name):
                parts.append(_Show(name))
            case nodes.If(test=nodes.Name(name=name), elif_=[]):
                parts.append(_Where(name, _parts(node.body), _parts(node.else_)))
            case nodes.For(iter=nodes.Name(name=name), test=None, else_=[]):
                parts.append(_of_rows(node, name) or _More())
            case _:
                parts.append(_More())
    return tuple(parts)


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
    line = "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts)
    return _Rows(name, line, frozenset({len(names)}), itemgetter(*map(names.index, shown)))
