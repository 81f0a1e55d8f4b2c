"""From what is written of an evaluator ("rouge-l:beta=1.2") to the evaluator."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ConfigDict, ValidationError, validate_call

from agentdebate import plugins
from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Evaluator
from agentdebate.evaluators.named import Named
from agentdebate.evaluators.options import check_call, wrong_call
from agentdebate.evaluators.spec import Spec

GROUP = "agentdebate.evaluators"
"""The entry-point group under which evaluators are registered, ours included: a function (rest, **options) -> Evaluator.

`rest` is what is written behind the slash. Options from the command line come as text; those that the function has among
its parameters are checked and turned into the parameters' types.
"""

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


def registered() -> dict[str, str]:
    """The registered evaluators: name to where each comes from."""
    return plugins.places(GROUP)


def evaluator(spec: str, **options: Any) -> Evaluator:
    """The evaluator that is written so: "rouge-l", "rouge-l:beta=1.2,stem=false", "nli/PATH:label=entailment".

    `options` are as those behind the colon; `as` among them is the name that it goes by in evidence and tables, which is
    its head ("rouge-l") otherwise. Raises UsageError for an unknown evaluator or option and for a wrong value, and
    MissingExtra where the evaluator needs a package that is not installed.
    """
    written = Spec.parse(spec)
    given = _together(spec, written.options, options)
    name = _name(spec, given.pop("as")) if "as" in given else written.head
    made = _open(written.head, written.rest, given)
    return made if made.name == name else Named(made, name)


def evaluators(specs: Iterable[str]) -> tuple[Evaluator, ...]:
    """The evaluators that are written so, in order. Raises UsageError where two go by one name."""
    made: dict[str, Evaluator] = {}
    for spec in specs:
        one = evaluator(spec)
        if one.name in made:
            raise UsageError(
                f"two evaluators go by the name {one.name!r}; give one a name of its own: "
                f"{spec}{',' if Spec.parse(spec).options else ':'}as=NAME"
            )
        made[one.name] = one
    return tuple(made.values())


def _together(spec: str, written: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    for name in options:
        if name in written:
            raise UsageError(f"{spec!r} has the option {name!r}, which is given beside it too")
    return {**written, **options}


def _name(spec: str, name: object) -> str:
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    raise UsageError(f"{spec!r}: {name!r} is not a name; a name has letters, digits, '-', '_' and '.'")


def _open(head: str, rest: str, options: Mapping[str, Any]) -> Evaluator:
    point = plugins.find(GROUP, head, f"there is no evaluator {head!r}")
    opener: Callable[..., Evaluator] = plugins.load(point)
    check_call(head, opener, options)
    try:
        return _typed(opener)(rest, **options)
    except ValidationError as error:
        raise wrong_call(head, error) from error


def _typed(opener: Callable[..., Evaluator]) -> Callable[..., Evaluator]:
    """A function that turns text into its parameters' types; a class is on its own."""
    if isinstance(opener, type):
        return opener
    checking = validate_call(config=ConfigDict(arbitrary_types_allowed=True))
    return checking(opener)


def abouts(specs: Iterable[str]) -> dict[str, str]:
    """What each of these evaluators says of itself in a sentence, by the name that it goes by."""
    points = plugins.registered(GROUP)
    written = [Spec.parse(spec) for spec in specs]
    return {
        one.options.get("as", one.head): plugins.says(points[one.head])
        for one in written
        if one.head in points
    }
