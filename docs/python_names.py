"""The reference page of the Python API: every public name with its signature, from the code, in groups with an example."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from python_groups import GROUPS, Group

import agentdebate
from agentdebate.talk import purposes

_PACKAGE = Path(agentdebate.__file__).parent
_WIDTH = 100
_Callable: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def public_names() -> dict[str, str]:
    """Every public name as it is written behind `ad.`, and the module that defines it, by the stubs of the package and its rooms."""
    found = dict[str, str]()
    for stub in sorted(_PACKAGE.glob("**/__init__.pyi")):
        room = ".".join(stub.parent.relative_to(_PACKAGE).parts)
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {_joined(room, one.name): _joined(room, node.module) for one in node.names}
    return found


def _joined(*parts: str) -> str:
    return ".".join(filter(None, parts))


_HOME = public_names()
_BARE = {name.rpartition(".")[2]: name for name in _HOME}
"""Public names without their rooms, as annotations have them."""


def python_api() -> Iterator[str]:
    """The page."""
    yield "# The Python API\n"
    yield (
        "Every name of `import agentdebate as ad`, by what it is for; those that fewer users need lie in the package of their room, "
        "such as `ad.strategies.Strategy`. A name is loaded when it is first used. The examples run in "
        "this order, in one notebook or `python -m asyncio` session; in a script, put them into an `async def` and call it by "
        "`asyncio.run`.\n"
    )
    members = _members()
    yield "\n".join(
        f"- [{group.title}](#{_anchor(group.title)}): {_listed(members[group])}" for group in GROUPS
    )
    yield ""
    for group in GROUPS:
        yield from _group(group, members[group])


def _members() -> dict[Group, list[str]]:
    """The names of each group. Raises LookupError where a name has no group."""
    members: dict[Group, list[str]] = {group: [] for group in GROUPS}
    for name in sorted(_HOME, key=str.lower):
        members[_group_of(name)].append(name)
    return members


def _group_of(name: str) -> Group:
    """The group that names the longest part of where a name lies, or the name itself."""
    place = f"{_HOME[name]}:{name.rpartition('.')[2]}"
    fits = [(len(part), group) for group in GROUPS for part in group.places if _within(place, part)]
    if not fits:
        raise LookupError(f"docs/python_groups.py has no group for ad.{name}, which lies in {_HOME[name]}")
    return max(fits, key=lambda fit: fit[0])[1]


def _within(place: str, part: str) -> bool:
    return place == part or (place.startswith(part) and place[len(part)] in ".:")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def _group(group: Group, names: Sequence[str]) -> Iterator[str]:
    yield f"## {group.title}\n"
    yield f"{group.about}\n"
    yield f"```python\n{textwrap.dedent(group.example).strip()}\n```\n"
    if group.prints:
        yield f"```text output\n{textwrap.dedent(group.prints).strip()}\n```\n"
    for name in names:
        yield from _entry(name)
    if "talk.Purpose" in names:
        listed = _listed([f"talk.purposes.{name}" for name in vars(purposes) if name.isupper()])
        yield f"### Purposes\n\n{listed}: what an agent is asked for, each with its template in `prompts/turns/`.\n"


def _entry(name: str) -> Iterator[str]:
    """What is said of one name."""
    module, public, name = _HOME[name], name, name.rpartition(".")[2]
    node = _definition(module, name)
    yield f"### {public}\n"
    if isinstance(node, _Callable):
        ways = [_signature(name, way) for way in _overloads(module, name) or [node]]
        yield f"```text\n{chr(10).join(ways)}\n```\n"
        yield _paragraphs(ast.get_docstring(node))
        yield from _options(module, name)
    elif isinstance(node, ast.ClassDef):
        yield from _class(name, node)
    else:
        yield _paragraphs(_note_below(module, node))


def _class(name: str, node: ast.ClassDef) -> Iterator[str]:
    made = next((part for part in node.body if isinstance(part, _Callable) and part.name == "__init__"), None)
    if made:
        yield f"```text\n{_signature(name, made)}\n```\n"
    yield _paragraphs(ast.get_docstring(node))
    bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in _BARE]
    if bases:
        yield f"It has what {_listed([_BARE[base] for base in bases])} has, too.\n"
    yield from _fields(node)
    yield from _methods(node, *_private_bases(name))


def _private_bases(name: str) -> Iterator[ast.ClassDef]:
    """The classes of ours on which one with a constructor of its own is built, and which are not public themselves."""
    for base in getattr(import_module(f"agentdebate.{_HOME[_BARE[name]]}"), name).__bases__:
        _, _, module = base.__module__.partition("agentdebate.")
        if (
            module
            and base.__name__ not in _HOME
            and getattr(base.__init__, "__module__", "") == base.__module__
        ):
            node = _definition(module, base.__name__)
            assert isinstance(node, ast.ClassDef)
            yield node


def _options(module: str, name: str) -> Iterator[str]:
    """The options that a function takes by the fields of a class beside it."""
    for way in _overloads(module, name):
        taken = way.args.kwarg.annotation if way.args.kwarg else None
        if isinstance(taken, ast.Subscript):
            named = _definition(module, ast.unparse(taken.slice))
            assert isinstance(named, ast.ClassDef)
            yield from _fields(named)


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """A table of the fields that a class has itself, with the docstrings beneath them."""
    rows = [
        f"| `{field.target.id}` | {_code(field.annotation)} | {_code(field.value)} | {_cell(_said(below))} |"
        for field, below in zip(node.body, [*node.body[1:], None], strict=True)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and not field.target.id.startswith("_")
        and "ClassVar" not in ast.unparse(field.annotation)
    ]
    if rows:
        yield "\n".join(["| | type | default | |", "| --- | --- | --- | --- |", *rows]) + "\n"


def _said(node: ast.stmt | None) -> str:
    """What a string that stands by itself says; empty for all else."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def _methods(*nodes: ast.ClassDef) -> Iterator[str]:
    """A table of what a class can do, and those on which it is built."""
    rows = [
        f"| {_called(part)} | {_cell(ast.get_docstring(part))} |"
        for node in nodes
        for part in node.body
        if isinstance(part, _Callable) and not part.name.startswith("_") and ast.get_docstring(part)
    ]
    if rows:
        yield "\n".join(["| | |", "| --- | --- |", *rows]) + "\n"


def _called(part: _Callable) -> str:
    marks = {ast.unparse(mark) for mark in part.decorator_list}
    if marks & {"property", "cached_property", "computed_field"}:
        return f"`{part.name}`"
    return f"`{_cell(_lead(part) + part.name + '(' + ', '.join(_parameters(part)) + ')')}`"


def _lead(node: _Callable) -> str:
    """The keyword with which it is called."""
    marks = {ast.unparse(mark).partition("(")[0] for mark in node.decorator_list}
    if marks & {"asynccontextmanager", "contextmanager", "entered"}:
        return "async with " if isinstance(node, ast.AsyncFunctionDef) else "with "
    return "await " if isinstance(node, ast.AsyncFunctionDef) else ""


def _signature(name: str, node: _Callable) -> str:
    """A call as it is written, on several lines where it is long."""
    lead = _lead(node)
    back = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    parameters = _parameters(node)
    line = f"{lead}{name}({', '.join(parameters)}){back}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{lead}{name}(", *(f"    {parameter}," for parameter in parameters), f"){back}"])


def _parameters(node: _Callable) -> list[str]:
    """The parameters with their types and defaults, without `self`."""
    told = node.args
    positional = [*told.posonlyargs, *told.args]
    defaults = [None] * (len(positional) - len(told.defaults)) + list(told.defaults)
    shown = [
        _parameter(one, default)
        for one, default in zip(positional, defaults, strict=True)
        if one.arg not in {"self", "cls"}
    ]
    if told.vararg:
        shown.append("*" + ast.unparse(told.vararg))
    elif told.kwonlyargs:
        shown.append("*")
    shown += [
        _parameter(one, default) for one, default in zip(told.kwonlyargs, told.kw_defaults, strict=True)
    ]
    return [*shown, "**" + ast.unparse(told.kwarg)] if told.kwarg else shown


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(one)
    if default is None:
        return text
    return f"{text}{' = ' if one.annotation else '='}{ast.unparse(default)}"


def _definition(module: str, name: str) -> ast.stmt:
    """Where a module defines a name."""
    for node in _tree(module).body:
        if isinstance(node, ast.ClassDef | _Callable) and node.name == name and not _overloaded(node):
            return node
        if name in {ast.unparse(target) for target in _targets(node)}:
            return node
    raise LookupError(f"agentdebate.{module} does not define {name}")


def _overloads(module: str, name: str) -> list[_Callable]:
    """The ways in which a function may be called, where they are told apart."""
    return [
        node
        for node in _tree(module).body
        if isinstance(node, _Callable) and node.name == name and _overloaded(node)
    ]


def _overloaded(node: ast.ClassDef | _Callable) -> bool:
    return any(ast.unparse(mark) == "overload" for mark in node.decorator_list)


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    return []


def _note_below(module: str, node: ast.stmt) -> str | None:
    """The docstring beneath an assignment."""
    return next((_said(below) for here, below in pairwise(_tree(module).body) if here is node), None)


@cache
def _tree(module: str) -> ast.Module:
    tree = ast.parse(inspect.getsource(import_module(f"agentdebate.{module}")))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            node.annotation = _Unquoted().visit(node.annotation)
        elif isinstance(node, _Callable) and node.returns:
            node.returns = _Unquoted().visit(node.returns)
    return tree


class _Unquoted(ast.NodeTransformer):
    """Types without the quotes in which code writes those that are not imported where it runs, and public ones without a module."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr) if node.attr in _BARE else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node if ast.unparse(node.value) == "Literal" else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        return node  # of what a type is annotated with


def _paragraphs(text: str | None) -> str:
    """A docstring as paragraphs, with lines that belong together on one."""
    return "\n\n".join(_paragraph(part) for part in inspect.cleandoc(text or "").split("\n\n")) + "\n"


def _paragraph(text: str) -> str:
    if any(line.startswith("    ") for line in text.splitlines()):
        return f"```text\n{textwrap.dedent(text)}\n```"
    return " ".join(text.split())


def _code(node: ast.expr | None) -> str:
    return f"`{_cell(ast.unparse(node))}`" if node else ""


def _cell(text: object) -> str:
    return " ".join(str(text or "").split("\n\n")[0].split()).replace("|", "\\|")
