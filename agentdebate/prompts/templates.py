"""The language of prompts: the part of Jinja that prompts need, with all work counted before it is done.

There are `for`, `if`, `set` and `with`, expressions, and the filters, tests and methods of `template_calls`. Everything else
(macros, includes, namespaces) is refused when a template is compiled, with its line.
"""

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, TemplateSyntaxError, Undefined, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.visitor import NodeTransformer

from agentdebate.prompts.template_calls import (
    CountedContext,
    can_call,
    count_call,
    count_format,
    filters,
    tests,
    turns,
    work_of,
)
from agentdebate.prompts.template_work import BITS, TooMuchWork, Work, check_number, size

LONGEST = 100_000
"""Characters of one template."""
DEEPEST = 100
"""Levels of one template: blocks in blocks, and expressions in expressions."""
MOST_PARTS = 4_000
"""Expressions, blocks and what they are made of in one template. Python's compiler takes long over many, and much memory."""

_NODES: tuple[type[nodes.Node], ...] = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Assign, nodes.With, nodes.Name,
    nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.CondExpr, nodes.Filter, nodes.Test,
    nodes.Call, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
    nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Concat,
)  # fmt: skip
_WORDS = {
    "AssignBlock": "{% set %} without =", "CallBlock": "{% call %}", "FilterBlock": "{% filter %}", "FromImport": "{% from %}",
    "NSRef": "a namespace", "ScopedEvalContextModifier": "{% autoescape %}",
}  # fmt: skip
"""What is written for these nodes; for the others it is their name."""

_LOOP, _READ, _MADE, _JOINED = " loop", " read", " made", " joined"
"""Filters that are put in when a template is compiled. With the blank in front no template can write them with a bar."""


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """Compiles templates that nobody has vouched for, so that rendering them can be bounded."""

    context_class = CountedContext
    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def __init__(self) -> None:
        # Not optimized, and with a finalizer that wants the context: no constant is worked out by the compiler, uncounted.
        super().__init__(**_STYLE, optimized=False, finalize=_shown)
        self.globals = {"range": safe_range}
        self.tests = tests()
        self.filters = {
            **filters(),
            _LOOP: _turns,
            _READ: _read,
            _MADE: _made,
            _JOINED: _joined,
        }

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """The tree of a template, checked, with counting put in. Raises TemplateSyntaxError."""
        if len(source) > LONGEST:
            raise TemplateSyntaxError(f"it has {len(source):,} characters, and may have {LONGEST:,}", 1)
        try:
            tree = super()._parse(source, name, filename)
        except RecursionError as error:
            raise _too_deep(1) from error
        except ValueError as error:  # of int(), for thousands of digits
            raise TemplateSyntaxError(f"a number in it cannot be read: {error}", 1) from error
        _check(tree)
        _Counting().visit(tree)
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """The result of an operator, with what it takes counted first."""
        work = work_of(context)
        work.read(left, right)
        if operator == "%" and isinstance(left, str):
            count_format(work, left, right)
        elif operator == "*":
            _count_product(work, left, right)
        elif operator == "**":
            _check_power(left, right)
        result = super().call_binop(context, operator, left, right)
        check_number(result)
        return result

    def call(
        self, context: Context, obj: Any, /, *args: Any, **kwargs: Any
    ) -> Any:  # positional only, which Jinja means by its underscores
        """What one of the functions and methods that a prompt can call returns."""
        if obj is not safe_range and not isinstance(obj, Undefined):
            owner, name = getattr(obj, "__self__", None), getattr(obj, "__name__", repr(obj))
            if not can_call(owner, name):
                raise SecurityError(f"a prompt cannot call {name}")
            given = [value for key, value in kwargs.items() if not key.startswith("_")]
            count_call(work_of(context), owner, name, (*args, *given))
        return super().call(context, obj, *args, **kwargs)


def plain_environment() -> Environment:
    """What compiles the built-in prompts: nothing is counted in them, for their work grows with what they show."""
    return ImmutableSandboxedEnvironment(**_STYLE)


def fill(template: Template, variables: Mapping[str, object]) -> str:
    """The text of a template. Raises what its expressions raise, and TooMuchWork."""
    if not isinstance(template.environment, PromptEnvironment):
        return template.render(variables)
    context = template.new_context(dict(variables))
    work = Work(variables)
    context.work = work  # type: ignore[attr-defined]  # it is a CountedContext
    pieces = list(template.root_render_func(context))
    work.output(pieces)
    return "".join(pieces)


def line_of(template: Template, error: BaseException) -> int | None:
    """The line of a template on which an error was raised while it was filled."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__jinja_template__") is template:
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return line


_STYLE: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "autoescape": False,
}


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
        kind = type(node).__name__
        problem = f"a prompt cannot have {_WORDS.get(kind, '{% ' + kind.lower() + ' %}')}"
    elif isinstance(node, nodes.For) and node.recursive:
        problem = "a prompt cannot have a recursive loop; write one loop in the other"
    elif isinstance(node, nodes.Call | nodes.Filter | nodes.Test) and (node.dyn_args or node.dyn_kwargs):
        problem = "a prompt cannot call with * or **; write the arguments one by one"
    elif isinstance(node, nodes.Const):
        try:
            check_number(node.value)
        except TooMuchWork as error:
            problem = str(error)
    if problem:
        raise TemplateSyntaxError(problem, node.lineno or 1)


def _too_deep(line: int) -> TemplateSyntaxError:
    return TemplateSyntaxError(f"it is nested more than {DEEPEST} levels deep", line)


class _Counting(NodeTransformer):
    """Puts into a tree what counts its work."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """The node in the place of this one, from the leaves up."""
        cost = _cost(node) if isinstance(node, nodes.For) else 0
        self.generic_visit(node, *args, **kwargs)
        match node:
            case nodes.For():
                node.iter = _filtered(node.iter, _LOOP, nodes.Const(cost))
            case nodes.Concat():
                return _filtered(node.nodes[0], _JOINED, *node.nodes[1:])
            case nodes.List() | nodes.Dict() | nodes.Tuple(ctx="load") | nodes.Getitem(arg=nodes.Slice()):
                return _filtered(node, _MADE)
            case nodes.Compare():
                node.expr = _read_first(node.expr)
            case nodes.Operand():
                node.expr = _read_first(node.expr)
            case nodes.Getitem():
                node.arg = _read_first(node.arg)
        return node


def _cost(loop: nodes.For) -> int:
    """The operations in a turn of a loop. Those of loops in it count once here, and with their own turns there."""
    parts = (*loop.body, *([loop.test] if loop.test else []))
    return 1 + sum(1 for part in parts for _ in _tree(part))


def _tree(node: nodes.Node) -> list[nodes.Node]:
    """A node and all below it."""
    return [node, *node.find_all(nodes.Node)]


def _filtered(node: nodes.Node, name: str, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno)


def _read_first(node: nodes.Expr) -> nodes.Expr:
    return node if isinstance(node, nodes.Const) else _filtered(node, _READ)


def _count_product(work: Work, left: object, right: object) -> None:
    for whole, times in ((left, right), (right, left)):
        if isinstance(times, int) and times > 0 and not isinstance(whole, int | float):
            work.spend(times * (1 + size(whole)))
            for _ in range(times if isinstance(whole, list | tuple) else 0):
                work.read(whole)


def _check_power(left: object, right: object) -> None:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > BITS:
        raise TooMuchWork(f"a power in it has more than {BITS} bits; no prompt needs so large a number")


@pass_context
def _turns(context: Context, value: Any, cost: int) -> Any:
    return turns(work_of(context), value, max(int(cost), 1))


@pass_context
def _read(context: Context, value: Any) -> Any:
    work_of(context).read(value)
    return value


@pass_context
def _made(context: Context, value: Any) -> Any:
    work_of(context).read(value)
    return value


@pass_context
def _joined(context: Context, *values: Any) -> str:
    work_of(context).show(*values)
    return "".join(map(str, values))


@pass_context
def _shown(context: Context, value: Any) -> Any:
    if type(value) is not str:
        work_of(context).show(value)
    return value
