"""The language of prompts: a part of Jinja. What a project's templates do is paid for before it is done, out of a bounded budget.

A template may come from anybody, and a few characters of Jinja can ask for gigabytes. So there are `for`, `if`, `set` and `with`, and
the filters and tests of the lists below, of which none takes more work than the product of the sizes of its operands.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from math import prod
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, TemplateSyntaxError, Undefined, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.visitor import NodeTransformer

LONGEST = 100_000
"""Characters of one template."""
DEEPEST = 100
"""Levels of one template: blocks in blocks, and expressions in expressions."""
MOST_PARTS = 4_000
"""Expressions, blocks and what they are made of in one template. Python's compiler takes long over many, and much memory."""
BUDGET = 2_000_000
"""Characters that one rendering may read and make; a step of a loop counts as one."""
SHARE = 8
"""Multiple of the characters of its variables that a rendering may spend besides."""
BITS = 1024
"""Bits of a whole number."""

_MOST_COUNTED = 1 << 40
"""Number at which counting ends: more than any budget has."""
_OPAQUE = 100
"""Fewest characters that an object counts for that is neither a text, a number nor a container."""
_WIDE = re.compile(r"(?<!\d)\d{3,}+(?:\.\d*+)?[hlL]?[diouxXeEfFgGcrsa%]|%[#0 +-]*+(?:\d*+\.)?\*")
"""A width or precision of three digits, or one that an argument gives, in a format."""

_NODES: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Assign, nodes.With, nodes.Expr, nodes.Pair,
    nodes.Keyword, nodes.Operand,
)  # fmt: skip
_ADDING = (
    "abs", "capitalize", "count", "default", "first", "float", "int", "items", "last", "length", "list", "lower", "max", "min",
    "reverse", "sort", "string", "title", "trim", "truncate", "unique", "upper",
)  # fmt: skip
"""Filters that take the sum of the sizes of their operands."""
_MULTIPLYING = (
    "indent", "join", "map", "reject", "rejectattr", "replace", "round", "select", "selectattr",
)  # fmt: skip
"""Filters that take up to the product of these sizes, and of the numbers among their operands."""
_TESTS = (
    "!=", "<", "<=", "==", ">", ">=", "defined", "eq", "even", "false", "ge", "gt", "in", "iterable", "le", "lt", "mapping", "ne",
    "none", "number", "odd", "sequence", "string", "true", "undefined",
)  # fmt: skip
_LOOP, _READ, _JOINED = " loop", " read", " joined"
"""Filters that are put in when a template is compiled. With the blank in front no template can write them with a bar."""


class TooMuchWork(Exception):
    """A template asks for more than its budget has."""


class Work:
    """The budget of one rendering."""

    def __init__(self, variables: Mapping[str, object]) -> None:
        self._variables = variables
        self._spent, self._allowed = 0, BUDGET

    def spend(self, amount: int) -> None:
        """Take from the budget. Raises TooMuchWork where it does not have so much."""
        self._spent += amount
        if (
            self._spent > self._allowed == BUDGET
        ):  # most renderings need not know how large their variables are
            self._allowed += SHARE * size(dict(self._variables))
        if self._spent > self._allowed:
            raise TooMuchWork(
                f"it works on more than {BUDGET:,} characters and steps of loops (and {SHARE} times those of its variables); "
                "have it make shorter texts, and loop over less"
            )


class _BoundedContext(Context):
    """The variables of one rendering, with its budget."""

    work: Work


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """Compiles untrusted templates, so that rendering them is bounded."""

    context_class = _BoundedContext
    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%"))

    def __init__(self) -> None:
        # Not optimized, and with a finalizer that wants the context: no constant is worked out by the compiler, unpaid.
        super().__init__(**_STYLE, optimized=False, finalize=_read)
        self.globals = {"range": safe_range}
        self.tests = {name: _bounded(TESTS[name], _total) for name in _TESTS}
        self.filters = {
            **{name: _bounded(FILTERS[name], _total) for name in _ADDING},
            **{name: _bounded(FILTERS[name], _product) for name in _MULTIPLYING},
            _LOOP: _turns,
            _READ: _read,
            _JOINED: _joined,
        }

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """The tree of a template, checked, with payments put in. Raises TemplateSyntaxError."""
        if len(source) > LONGEST:
            raise TemplateSyntaxError(f"it has {len(source):,} characters, and may have {LONGEST:,}", 1)
        try:
            tree = super()._parse(source, name, filename)
        except RecursionError as error:
            raise _too_deep(1) from error
        except ValueError as error:  # of int(), for thousands of digits
            raise TemplateSyntaxError(f"a number in it cannot be read: {error}", 1) from error
        _check(tree)
        _Paying().visit(tree)
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The result of an operator, paid for first."""
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "%" and isinstance(left, str) and _WIDE.search(left):
            raise TooMuchWork("a format in it has a width or precision that is not a number up to 99")
        multiplies = operator in ("*", "%") and not numbers
        _work(context).spend(_product(left, right) if multiplies else _total(left, right))
        return _checked(super().call_binop(context, operator, left, right))

    def call(
        self, context: Context, obj: Any, /, *args: Any, **kwargs: Any
    ) -> Any:  # positional only, which Jinja means by its underscores
        """A range, which is all that a prompt can call; for texts and lists there are filters."""
        if obj is not safe_range and not isinstance(obj, Undefined):
            name = getattr(obj, "__name__", repr(obj))
            raise SecurityError(
                f"a prompt cannot call {name}(): write a filter, such as {{{{ text | upper }}}}"
            )
        return super().call(context, obj, *args, **kwargs)


_STYLE: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "autoescape": False,
}


@cache
def environment(*, builtin: bool) -> Environment:
    """Give what compiles templates. Nothing is paid for in the built-in ones, since their work grows with what they show."""
    return ImmutableSandboxedEnvironment(**_STYLE) if builtin else PromptEnvironment()


def fill(template: Template, variables: Mapping[str, object]) -> str:
    """Fill a template. Raises what its expressions raise, and TooMuchWork."""
    context = template.new_context(dict(variables))
    if isinstance(context, _BoundedContext):
        context.work = Work(variables)
    return "".join(template.root_render_func(context)).strip()


def line_of(template: Template, error: BaseException) -> int | None:
    """The line of a template on which an error was raised while it was filled."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__jinja_template__") is template:
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return line


def size(value: object) -> int:
    """Characters of a text, digits of a number, and in a container those of all that is in it, in depth and without recursion.

    Any other object has those of the text that it is shown as.
    """
    total, left = 0, [value]
    while left and total < _MOST_COUNTED:
        part = left.pop()
        total += 1
        if isinstance(part, str):
            total += len(part)
        elif isinstance(part, int):
            total += part.bit_length() // 3
        elif isinstance(part, range):
            total += len(part)
        elif isinstance(part, Mapping):
            left += (*part.keys(), *part.values())
        elif isinstance(part, Collection) and not isinstance(part, Undefined):
            left += part
        elif part is None or isinstance(part, float | Undefined):
            total += _OPAQUE
        else:
            total += max(len(str(part)), _OPAQUE)
    return total


def _total(*operands: object) -> int:
    return sum(map(size, operands))


def _product(*operands: object) -> int:
    """Bound the cost of an operation that does something with each part of one operand for each part of the others."""
    return prod(max(size(one), abs(one) if isinstance(one, int) else 0) for one in operands)


def _work(context: Context) -> Work:
    assert isinstance(context, _BoundedContext), "only a PromptEnvironment renders prompts that are paid for"
    return context.work


def _bounded(inner: Any, cost: Callable[..., int]) -> Callable[..., Any]:
    """A filter or test of Jinja's that is paid for. What it would make bit by bit comes as a list."""
    wants = getattr(getattr(inner, "jinja_pass_arg", None), "name", "")

    @pass_context
    def bounded(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        _work(context).spend(cost(value, *args, *kwargs.values()))
        passed = {"context": context, "environment": context.environment, "eval_context": context.eval_ctx}
        first = (passed[wants],) if wants else ()
        return _checked(inner(*first, value, *args, **kwargs))

    return bounded


def _checked(value: Any) -> Any:
    """The value, a list in the place of what comes bit by bit. Raises TooMuchWork for a number that is too large."""
    if isinstance(value, int) and value.bit_length() > BITS:
        raise TooMuchWork(
            f"a whole number in it has more than {BITS} bits; no prompt needs so large a number"
        )
    return list(value) if isinstance(value, Iterator) else value


@pass_context
def _turns(context: Context, value: Any, cost: int) -> Any:
    """Return the values that a loop runs over, with every turn paid for as so many steps."""
    value = _checked(value)
    turns = len(value) if isinstance(value, Collection) and not isinstance(value, Undefined) else 1
    _work(context).spend(turns * max(int(cost), 1))
    return value


@pass_context
def _read(context: Context, value: Any) -> Any:
    _work(context).spend(size(value))
    return value


@pass_context
def _joined(context: Context, *values: Any) -> str:
    _work(context).spend(_total(*values))
    return "".join(map(str, values))


def _check(tree: nodes.Template) -> None:
    """Raises TemplateSyntaxError for what a prompt cannot have, and for what is nested too deep."""
    level: list[nodes.Node] = [tree]
    parts = 0
    for _ in range(DEEPEST):
        for node in level:
            _check_node(node)
        parts += len(level)
        if parts > MOST_PARTS:
            raise TemplateSyntaxError(f"it has more than {MOST_PARTS:,} expressions and blocks", 1)
        level = [child for node in level for child in node.iter_child_nodes()]
    if level:
        raise _too_deep(level[0].lineno or 1)


def _check_node(node: nodes.Node) -> None:
    problem = ""
    if not isinstance(node, _NODES):
        problem = f"a prompt cannot have {{% {type(node).__name__.lower()} %}}"
    elif isinstance(node, nodes.Pow):
        problem = "a prompt cannot have the operator **"
    elif isinstance(node, nodes.For) and node.recursive:
        problem = "a prompt cannot have a recursive loop; write one loop in the other"
    elif isinstance(node, nodes.Call | nodes.Filter | nodes.Test) and (node.dyn_args or node.dyn_kwargs):
        problem = "a prompt cannot call with * or **; write the arguments one by one"
    elif isinstance(node, nodes.Const) and isinstance(node.value, int) and node.value.bit_length() > BITS:
        problem = f"a whole number in it has more than {BITS} bits"
    if problem:
        raise TemplateSyntaxError(problem, node.lineno or 1)


def _too_deep(line: int) -> TemplateSyntaxError:
    return TemplateSyntaxError(f"it is nested more than {DEEPEST} levels deep", line)


class _Paying(NodeTransformer):
    """Puts payments into a tree, from the leaves up."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """The node in the place of this one."""
        cost = _cost(node) if isinstance(node, nodes.For) else 0
        self.generic_visit(node, *args, **kwargs)
        match node:
            case nodes.For():
                node.iter = _filtered(node.iter, _LOOP, nodes.Const(cost))
            case nodes.Concat():
                return _filtered(node.nodes[0], _JOINED, *node.nodes[1:])
            case nodes.List() | nodes.Dict() | nodes.Tuple(ctx="load"):
                return _filtered(node, _READ)
            case nodes.Compare() | nodes.Operand():
                node.expr = _filtered(node.expr, _READ)
            case nodes.Getitem():
                node.node = _filtered(node.node, _READ)
        return node


def _cost(loop: nodes.For) -> int:
    """The steps in a turn of a loop, and the characters that stand in it. Loops in it count once here, and with their own turns there."""
    parts = (*loop.body, *([loop.test] if loop.test else []))
    inside = [one for part in parts for one in (part, *part.find_all(nodes.Node))]
    return 1 + sum(len(one.data) if isinstance(one, nodes.TemplateData) else 1 for one in inside)


def _filtered(node: nodes.Node, name: str, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno)
