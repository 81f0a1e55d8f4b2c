"""One strategy as plain data: all that it is made from, each value with the file that says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.project.project import content_error
from agentdebate.strategies.base import NOBODY, Strategy
from agentdebate.strategies.wrapper import Wrapper
from agentdebate.wrong_values import plain_problem, problem_and_value

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

AROUND = "around"
"""The option of a wrapper that says what is inside it: a layer of its own."""

_NO_OPTIONS = frozenset({"name", "cast", "sampling", "models", AROUND})
"""Fields of a strategy that no table of options sets."""


class Said(NamedTuple):
    """A value, and the file that says it; None is the caller."""

    value: Any
    path: Path | None = None


Table = Mapping[str, Said]
"""Merged table of a strategy: for every key the value that goes before all others."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A strategy before it is made; what is inside it is the next layer."""

    name: str
    path: Path
    """Its file."""
    kind: type[Strategy]
    about: str = ""
    sampling: Sampling = Sampling()
    options: Table = field(default_factory=dict)
    cast: Table = field(default_factory=dict)
    """Cast of roles, where it is not the one of the class."""
    models: Table = field(default_factory=dict)
    foreseen: frozenset[str] = frozenset()
    """The cards that sit here and further inside, as far as its own file knows."""

    @property
    def known(self) -> frozenset[str]:
        """The options that it takes."""
        return frozenset(self.kind.model_fields) - _NO_OPTIONS

    @property
    def wraps(self) -> bool:
        """True if it goes around another strategy."""
        return AROUND in self.kind.model_fields

    @property
    def recruits(self) -> bool:
        """True if its class recruits agents for the roles that wait for them."""
        return self.kind.recruits not in (Strategy.recruits, Wrapper.recruits)

    @property
    def is_called(self) -> bool:
        """True if any of it is the caller's."""
        return any(
            said.path is None for table in (self.options, self.cast, self.models) for said in table.values()
        )

    @property
    def usual(self) -> Mapping[str, Any]:
        """Default cast, by role; its roles are these."""
        default = self.kind.model_fields["cast"].default
        return default if isinstance(default, Mapping) else {}

    @property
    def players(self) -> Mapping[str, Any]:
        """Cast, by role."""
        return {**self.usual, **values(self.cast)}

    def build(self, inside: Strategy | None) -> Strategy:
        """Make it, around the strategy inside. Raises ValidationError."""
        around = {} if inside is None else {AROUND: inside}
        plain = {"name": self.name, "sampling": self.sampling, **values(self.options)}
        made = self.kind(**{**plain, **around, "cast": self.players, "models": values(self.models)})
        made._files = self._files()  # noqa: SLF001 - which nobody who makes a strategy in code may set
        return made

    def _files(self) -> dict[str, Path]:
        """Map each setting that a file gives to that file."""
        tables = {"": self.options, "cast.": self.cast, "models.": self.models}
        said = {f"{table}{key}": one.path for table, keys in tables.items() for key, one in keys.items()}
        return {"": self.path, **{key: path for key, path in said.items() if path is not None}}

    def problem(self, error: ValidationError, *, called: bool) -> Exception:
        """Return an error that names whose mistake it is; `called`: the caller had a say in it, or further inside."""
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        if first["type"] == NOBODY:
            return self._nobody(**first["ctx"])
        said = self._said(*map(str, first["loc"][:2]))
        problem = plain_problem(first)
        if said is not None and said.path is None:
            inside = ".".join(str(part) for part in first["loc"][1:])
            missing = inside and first["type"] == "missing"
            told = f"{inside} is missing" if missing else _of_all_kinds(error.errors())
            return UsageError(f"strategy {self.name!r}, option {key!r}: {told}", option=key)
        if not key and called:
            return UsageError(f"strategy {self.name!r}: {problem}")
        return content_error(error, said.path if said and said.path else self.path)

    def _said(self, table: str = "", key: str = "", *_: str) -> Said | None:
        """Find the setting that is at fault, with its source."""
        tables = {"cast": self.cast, "models": self.models}
        return tables[table].get(key) if table in tables else self.options.get(table)

    def _nobody(self, name: str, known: tuple[str, ...], **_: object) -> Exception:
        hint, path = nearest(name, known), self.models[name].path
        if path is not None:
            return unknown_key("models", name, hint, path)
        return UsageError(f"strategy {self.name!r} has no role or card {name!r}. {hint}")


def values(table: Table) -> dict[str, Any]:
    """Return the values of a table without their sources."""
    return {name: said.value for name, said in table.items()}


def unknown_key(table: str, key: str, hint: str, path: Path) -> ContentError:
    """A key of a file that is not read."""
    return ContentError(f"this key means nothing here. {hint}", path=path, key=f"{table}.{key}")


def _of_all_kinds(found: Sequence["ErrorDetails"]) -> str:
    """Say what kinds of values an option takes, where the one that is there is of none: "it is text or a list, not 3"."""
    first = found[0]
    told, problem = problem_and_value(first, 100), plain_problem(first)
    types = (one for one in found if one["type"].endswith("_type") and one["input"] is first["input"])
    kinds = dict.fromkeys(plain_problem(one).removeprefix("it is ") for one in types)
    return (
        told.replace(problem, f"it is {' or '.join(kinds)}", 1) if first["type"].endswith("_type") else told
    )
