"""Evaluators by what is written of them: its name, a model behind a slash, options behind a colon.

    rouge-l
    rouge-l:beta=1.2,tokens=whitespace,stem=false
    nli/path/to/model:label=entailment,as=support

It is written as a model is: see project/model_spec.py.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agentdebate import plugins
from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.models.hub import check_fetched
from agentdebate.models.provider_keys import DECISIONS, OPENAI, SYSTEM_ONE
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.trust import Trust

GROUP = "agentdebate.evaluators"
"""The entry-point group under which evaluators are registered, ours included: a function (rest, **options) -> Evaluator.

`rest` is what is written behind the slash. Options from the command line come as text.
"""
_ASKING = {"endpoint-probability": OPENAI, "decisions": DECISIONS, "systemone": SYSTEM_ONE}
"""The evaluators that ask an endpoint, each with whose it is."""

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True)
class Spec:
    """Written form of an evaluator."""

    head: str
    """The name that it is registered under."""
    rest: str = ""
    """Rest behind the slash: its model."""
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Read a spec. Raises UsageError where an option has no value, or is there twice."""
        written = ModelSpec.parse(text)
        head, slash, rest = written.name.partition("/")
        if not slash and ":" in head:
            raise UsageError(f"{text!r}: options are written NAME=VALUE, as in rouge-l:beta=1.2,stem=false")
        return cls(head.strip(), rest, written.options)


@dataclass(frozen=True, slots=True)
class Named:
    """An evaluator that is called something else than it calls itself."""

    inner: Evaluator
    name: str

    @property
    def version(self) -> str:
        """The evaluator's own."""
        return self.inner.version

    @property
    def range(self) -> Range:
        """The evaluator's own."""
        return self.inner.range

    @property
    def premise(self) -> str:
        """The evaluator's own."""
        return self.inner.premise

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order."""
        return await self.inner.score(pairs)

    async def aclose(self) -> None:
        """Close the evaluator."""
        await self.inner.aclose()


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
    try:
        return opener(rest, **options)
    except (
        TypeError,
        ValueError,
    ) as error:  # an option that it does not take, or a value that it cannot read
        raise UsageError(f"evaluator {head!r} cannot be opened: {error}") from error


def abouts(specs: Iterable[str]) -> dict[str, str]:
    """Return each evaluator's description of itself, in a sentence, by name."""
    points = plugins.registered(GROUP)
    written = [Spec.parse(spec) for spec in specs]
    return {
        one.options.get("as", one.head): plugins.says(points[one.head])
        for one in written
        if one.head in points
    }


def check_said(specs: object, trust: Trust) -> None:
    """Raise UserError for an evaluator that reaches where the user has not allowed it. Values that are not text are left to other checks."""
    several = (specs,) if isinstance(specs, str) else specs
    for spec in several if isinstance(several, list | tuple) else ():
        if isinstance(spec, str):
            _check(spec, trust)


def addresses(specs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The evaluators that send texts to an endpoint, each with its address."""
    for spec in map(Spec.parse, specs):
        if spec.head in _ASKING:
            address = spec.options.get("base_url") or _ASKING[spec.head].usual_address()
            yield f"{spec.head}/{spec.rest}", address


def _check(text: str, trust: Trust) -> None:
    spec = Spec.parse(text)
    what = f"the evaluator {spec.head}"
    options = {name: value for name, value in spec.options.items() if name != "as"}
    kind_of = partial(plugins.kind_of, GROUP, spec.head)
    usual = _ASKING.get(spec.head, OPENAI).usual_address()
    trust.check_options(options, kind_of, what, usual=usual)
    trust.check_model(spec.rest, what)
    check_fetched(GROUP, spec.head, spec.rest, trust, f"{what}: the model")
