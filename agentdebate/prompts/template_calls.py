"""What a prompt can call: filters, tests and methods, each with what it takes counted before it does it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import pass_context
from jinja2.filters import FILTERS
from jinja2.runtime import Context, LoopContext
from jinja2.tests import TESTS

from agentdebate.prompts.template_work import TooMuchWork, Work, check_number, size

WIDEST = 99
"""The largest width and precision in a format such as "%5.2f", and of the digits that `round` keeps."""
_MOST_STRIPPED = 100
"""Characters that can be told to `strip`, `lstrip` and `rstrip`: each is compared with each."""
_PIECE = 4
"""What a piece of a text takes where there is one for every few characters, in characters."""

_OF_ELEMENTS = (
    "count", "d", "default", "first", "items", "last", "length", "list", "map", "reject", "rejectattr", "reverse", "select",
    "selectattr",
)  # fmt: skip
"""Filters that take the elements of a value, and do not look into them."""
_OF_CONTENT = (
    "abs", "capitalize", "float", "format", "indent", "int", "join", "lower", "max", "min", "replace", "round", "sort",
    "string", "title", "trim", "truncate", "unique", "upper",
)  # fmt: skip
"""Filters that read all of a value."""
_OF_KIND = (
    "boolean", "defined", "divisibleby", "even", "false", "float", "integer", "iterable", "mapping", "none", "number", "odd",
    "sameas", "sequence", "string", "true", "undefined",
)  # fmt: skip
"""Tests that need not read a value."""
_OF_VALUE = (
    "==", "!=", "<", "<=", ">", ">=", "eq", "equalto", "ge", "greaterthan", "gt", "in", "le", "lessthan", "lower", "lt", "ne",
    "upper",
)  # fmt: skip
"""Tests that read all of it."""

_STRIPPING = frozenset({"lstrip", "rstrip", "strip"})
_SPLITTING = frozenset({"rsplit", "split", "splitlines"})
_FROM_THE_END = frozenset({"rfind", "rindex", "rpartition", "rsplit"})
"""Methods that compare what they look for anew at every place: those that look from the start remember what they saw."""
_FILLING = frozenset({"center", "ljust", "rjust", "zfill"})
_ABOUT_TEXTS = frozenset(
    {
        *(
            "capitalize",
            "casefold",
            "count",
            "endswith",
            "find",
            "index",
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
        ),
        *("isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "lower", "partition"),
        *(
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rindex",
            "rpartition",
            "startswith",
            "swapcase",
            "title",
        ),
        "upper",
    }
)
_METHODS: Mapping[type, frozenset[str]] = {
    str: _ABOUT_TEXTS | _STRIPPING | _SPLITTING | _FILLING,
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"count", "index"}),
    tuple: frozenset({"count", "index"}),
    LoopContext: frozenset({"changed", "cycle"}),
}
"""The methods of each type; none of them changes anything."""

_LARGE_WIDTH = re.compile(r"(?<!\d)\d{3,}+(?:\.\d*+)?[hlL]?[diouxXeEfFgGcrsa%]|%[#0 +-]*+(?:\d*+\.)?\*")
"""A width or precision of three digits, or one that an argument gives, in a format."""


class CountedContext(Context):
    """The variables of one rendering, with what it has taken so far."""

    work: Work


def work_of(context: Context) -> Work:
    """What the rendering of these variables has taken so far."""
    assert isinstance(context, CountedContext), "only a PromptEnvironment renders prompts that are counted"
    return context.work


def filters() -> dict[str, Any]:
    """The filters of prompts, by name."""
    return {name: _filter(name) for name in (*_OF_ELEMENTS, *_OF_CONTENT)}


def tests() -> dict[str, Any]:
    """The tests of prompts, by name."""
    known: Mapping[str, Any] = TESTS
    return {**{name: known[name] for name in _OF_KIND}, **{name: _test(name) for name in _OF_VALUE}}


def can_call(owner: object, name: str) -> bool:
    """Whether a prompt can call the method of that name."""
    return any(isinstance(owner, kind) and name in names for kind, names in _METHODS.items())


def count_call(work: Work, owner: object, name: str, arguments: Sequence[object]) -> None:
    """Count what a method is about to do. Raises TooMuchWork."""
    for _ in range(size(owner) if isinstance(owner, list | tuple) else 1):
        work.read(*arguments)
    if isinstance(owner, list | tuple):
        work.read(owner)
    if isinstance(owner, str):
        _count_text_call(work, owner, name, arguments)


def _count_text_call(work: Work, text: str, name: str, arguments: Sequence[object]) -> None:
    work.spend(len(text) * (_PIECE if name in _SPLITTING else 1))
    if name in _FROM_THE_END:
        work.spend(
            len(text) * max((len(one) for one in arguments if isinstance(one, str)), default=1) // _PIECE
        )
    if name == "replace":
        _count_replacing(work, text, arguments)
    elif name == "join":
        work.spend(len(text) * sum(map(size, arguments)))
    elif name in _FILLING:
        work.spend(sum(width for width in arguments if isinstance(width, int) and width > 0))
    elif name in _STRIPPING:
        _check_stripped(arguments)


def count_format(work: Work, text: str, values: object) -> None:
    """Count what a format with % is about to make. Raises TooMuchWork for one that fills up to a large width."""
    if _LARGE_WIDTH.search(text):
        raise TooMuchWork(f"a format in it has a width or precision that is not a number up to {WIDEST}")
    for _ in range(text.count("%")):
        work.spend(WIDEST)
        work.show(values)
    work.spend(len(text))


def _filter(name: str) -> Callable[..., Any]:
    """A filter of Jinja's that counts. What it makes bit by bit comes as a list."""
    inner: Any = FILTERS[name]
    looks_in = name in _OF_CONTENT
    wants = getattr(getattr(inner, "jinja_pass_arg", None), "name", "")

    @pass_context
    def counted(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        work = work_of(context)
        value = settled(work, value)
        given = (*args, *kwargs.values())
        _count_filter(work, value, given, looks_in=looks_in)
        if name in _CHECKS:
            _CHECKS[name](work, value, given)
        first: dict[str, tuple[Any, ...]] = {
            "": (),
            "context": (context,),
            "environment": (context.environment,),
        }
        before = first.get(wants, (context.eval_ctx,))
        result = settled(work, inner(*before, value, *args, **kwargs))
        check_number(result)
        return result

    return counted


def _count_filter(work: Work, value: object, given: Sequence[object], *, looks_in: bool) -> None:
    if looks_in:
        work.show(value)
    else:
        work.spend(_PIECE * size(value))
    if given:
        for _ in range(1 if isinstance(value, str) else size(value)):
            work.read(*given)


def _test(name: str) -> Callable[..., bool]:
    """A test of Jinja's that counts."""
    inner: Any = TESTS[name]

    @pass_context
    def counted(context: Context, *operands: Any) -> bool:
        work_of(context).read(*operands)
        return bool(inner(*operands))

    return counted


def settled(work: Work, value: Any) -> Any:
    """The value; a list in the place of what comes bit by bit."""
    return list(_stepping(work, value, 1)) if isinstance(value, Iterator) else value


def turns(work: Work, value: Any, cost: int) -> Any:
    """What a loop is over, with every turn counted as so many operations."""
    if isinstance(value, Iterable) and not hasattr(type(value), "__len__"):
        return _stepping(work, value, cost)
    work.step(size(value) * cost)
    return value


def _stepping(work: Work, values: Iterable[Any], cost: int) -> Iterator[Any]:
    for value in values:
        work.step(cost)
        yield value


def _count_replacing(work: Work, value: object, given: Sequence[object]) -> None:
    """Count either as what is replaced, since keywords may name them in any order."""
    text, (one, other) = str(value), [*map(str, given), "", ""][:2]
    if len(given) > 1:
        work.spend(text.count(one) * len(other) + text.count(other) * len(one))


def _count_joining(work: Work, value: object, given: Sequence[object]) -> None:
    work.spend(size(value) * sum(map(size, given)))


def _count_formatting(work: Work, value: object, given: Sequence[object]) -> None:
    count_format(work, str(value), tuple(given))


def _count_indenting(work: Work, value: object, given: Sequence[object]) -> None:
    lines = str(value).count("\n") + 1
    work.spend(lines * sum(max(width, 0) if isinstance(width, int) else size(width) for width in given))


def _count_sorting(work: Work, value: object, _given: Sequence[object]) -> None:
    for _ in range(size(value).bit_length()):
        work.read(value)


def _check_stripped(given: Sequence[object]) -> None:
    if any(size(characters) > _MOST_STRIPPED for characters in given):
        raise TooMuchWork(f"at most {_MOST_STRIPPED} different characters can be stripped from a text")


def _check_rounded(_work: Work, _value: object, given: Sequence[object]) -> None:
    if any(isinstance(digits, int) and abs(digits) > WIDEST for digits in given):
        raise TooMuchWork(f"a number can be rounded to at most {WIDEST} digits")


_CHECKS: Mapping[str, Callable[[Work, object, Sequence[object]], None]] = {
    "format": _count_formatting,
    "indent": _count_indenting,
    "join": _count_joining,
    "replace": _count_replacing,
    "round": _check_rounded,
    "sort": _count_sorting,
    "trim": lambda _work, _value, given: _check_stripped(given),
}
"""What more there is to count, or to check, before these filters are called."""
