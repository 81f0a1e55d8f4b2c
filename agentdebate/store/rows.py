"""The values in the rows of a store, checked. Each function raises StoreError where a row is damaged, and says which."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter

from agentdebate.codec import read
from agentdebate.debates.outcome import outcome_of
from agentdebate.models.base import Completion
from agentdebate.store._in_flight import call_in, line_in, unpacked
from agentdebate.store.damage import checked_names, mapping, reading
from agentdebate.talk.envelope import message_in
from agentdebate.talk.envelope import message_of as message_with
from agentdebate.talk.messages import Message
from agentdebate.tasks import Item, Scale, Task

_Row = Mapping[Any, Any]

_LATEST = 253_402_300_799
"""The last second of the year 9999, beyond which no calendar of Python's goes."""


_Count = Annotated[int, Field(ge=0)]
_Seconds = Annotated[FiniteFloat, Field(ge=0)]
_Score = Annotated[FiniteFloat, Field(ge=-1e100, le=1e100)]
"""A score that can be added up, squared and drawn."""


class _Written(BaseModel):
    """Data as it was written: a number is a number, and what is not known here is left alone."""

    model_config = ConfigDict(strict=True, extra="ignore", protected_namespaces=())


class _Failure(_Written):
    error: str
    agent: str | None
    reason: str


class _Lost(_Written):
    agent: str


class _Stage(_Written):
    seconds: _Seconds
    calls: _Count
    tokens: _Count


class _Debate(_Written):
    """What the rest of the package takes for granted of Record.row()."""

    id: str
    group: str | None
    system: str | None
    task: str
    aspects: list[str]
    scores: dict[str, _Score | None]
    candidates: list[str] | None = None
    winner: str | None = None
    winners: list[str] = []
    agreed: bool | None
    settled: bool | None
    outcome: str = ""
    """How the debate ended. Empty in rows of earlier versions."""
    curtailed: str = ""
    abstained: str = ""
    rounds: _Count | None
    missing: _Count | None = None
    lost: list[_Lost] = []
    models: list[str]
    human: dict[str, _Score | None]
    failure: _Failure | None
    calls: _Count
    prompt_tokens: _Count
    completion_tokens: _Count
    prompt_cached: _Count = 0
    prompt_cache_writes: _Count = 0
    unsent: list[str] = []
    cached_calls: _Count | None = None
    unrelated_critiques: _Count | None = None
    seconds: _Seconds | None = None
    stages: dict[str, _Stage] = {}


class _Model(_Written):
    name: str


class _Strategy(_Written):
    """What every strategy has. What else one has is its own, and checked where it is read."""

    name: str = ""
    cast: dict[str, list[str | dict[str, Any]]] = {}
    sampling: dict[str, Any] = {}
    models: dict[str, str] = {}
    around: "_Strategy | None" = None


class _Range(_Written):
    low: FiniteFloat
    high: FiniteFloat


class _Mark(_Written):
    """What a run says of the sweep that it belongs to."""

    name: str
    cell: str
    kind: str = ""
    key: str = ""


class _Configuration(_Written):
    """What the rest of the package takes for granted of a run's configuration."""

    strategy: _Strategy = _Strategy()
    tasks: dict[str, dict[str, Any]] = {}
    aspects: list[str] | str | None = None
    together: bool | None = None
    debates: _Count | None = None
    models: list[_Model] = []
    command: dict[str, Any] | None = None
    sweep: _Mark | None = None


_RANGES = TypeAdapter(dict[str, _Range])
_TIME = TypeAdapter(Annotated[FiniteFloat, Field(ge=0, le=_LATEST)])


def head_values(row: _Row) -> dict[str, Any]:
    """What a row says of a run."""
    with reading(row["id"], "the run itself"):
        return {
            **checked_names(row, "id", "strategy", "task", "model"),
            "created": _TIME.validate_python(row["created"], strict=True),
            "ended": None if row["ended"] is None else _TIME.validate_python(row["ended"], strict=True),
            "configuration": _configuration(row["configuration"]),
        }


def configuration_of(run: str, text: Any) -> dict[str, Any]:
    """How a run is held."""
    with reading(run, "the run itself"):
        return _configuration(text)


def tasks_of(run: str, configuration: Mapping[str, Any]) -> dict[str, Task]:
    """The tasks in a run's configuration, by name."""
    found: dict[str, Task] = {}
    for name, task in configuration.get("tasks", {}).items():
        with reading(run, f"the task {name!r} in its configuration"):
            found[name] = Task.model_validate(task)
    return found


def ranges_of(run: str, configuration: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """The ranges of evaluators' scores that a run's strategy was told, or else the one inside it."""
    strategy = configuration.get("strategy")
    field = "strategy"
    while strategy and not strategy.get("ranges"):
        strategy, field = strategy.get("around"), f"{field}.around"
    with reading(run, f"{field}.ranges in its configuration"):
        told = _RANGES.validate_python(strategy["ranges"]) if strategy else {}
        for name, one in told.items():
            if one.low >= one.high:
                raise ValueError(f"{name}: low is not below high")
    return {name: (one.low, one.high) for name, one in told.items()}


def overall_scale_of(run: str, configuration: Mapping[str, Any]) -> Scale | None:
    """The scale of the score for the text as a whole, as a run's strategy was told, or else the one inside it."""
    strategy = configuration.get("strategy")
    field = "strategy"
    while strategy and not strategy.get("overall_scale"):
        strategy, field = strategy.get("around"), f"{field}.around"
    with reading(run, f"{field}.overall_scale in its configuration"):
        return Scale.model_validate(strategy["overall_scale"]) if strategy else None


def debate_row(run: str, debate: Any, text: Any) -> dict[str, Any]:
    """A debate that has ended, as Record.row() gave it."""
    with reading(run, f"the debate {debate!r}"):
        row = mapping(text)
        _Debate.model_validate(row)
        name = checked_names({"debate": debate}, "debate")
        ended = {"outcome": outcome_of(row).name}
        return name | row | ended | name  # it comes first, and no row says otherwise


def item_of(run: str, row: _Row) -> Item:
    """An item."""
    with reading(run, f"the item {row['id']!r}"):
        return Item.model_validate(mapping(unpacked(row["data"])))


def document_lines(run: str, debate: Any, row: _Row, document: str) -> list[str]:
    """The lines of a debate's talk, or of its calls."""
    with reading(run, f"the debate {debate!r}"):
        if row[document] is None:
            raise ValueError(f"its {document} is missing")
        text = unpacked(row[document], row[f"{document}_sum"])
    return text.split("\n") if text else []


def message_of(run: str, debate: Any, line: str | bytes, place: int | None = None) -> Message:
    """A message, from its line, or from its row in flight."""
    with reading(run, f"message {place} of the debate {debate!r}" if place else f"the debate {debate!r}"):
        return message_in(line if isinstance(line, str) else line_in(line))


def found_of(run: str, row: _Row) -> Message:
    """What was found out once for all debates."""
    with reading(run, f"message {row['name']!r} of the debate {row['debate']!r}"):
        body = mapping(row["data"])
        kind = body.pop("kind")
        return message_with(
            kind, body["body"] if body.keys() == {"body"} else body
        )  # once they were beside each other


def call_values(run: str, debate: Any, place: int | None, line: str | bytes) -> dict[str, Any]:
    """A model call, from its line, or from its row in flight."""
    with reading(run, f"call {place} of the debate {debate!r}" if place else f"the debate {debate!r}"):
        body = call_in(line if isinstance(line, str) else line_in(line))
        return {
            **checked_names(body, "agent", "key"),
            **{name: _whole(body, name) for name in ("number", "round", "ask", "attempt", "sample")},
            "schema": bool(body["schema"]),
            "shown": _NUMBERS.validate_python(body["shown"]),
            "sampling": dict(body["sampling"]),
            "prompt": _PROMPT.validate_python(body["prompt"]),
            "completion": read(Completion, body["completion"]),
        }


_NUMBERS = TypeAdapter(tuple[int, ...])
_PROMPT = TypeAdapter(tuple[dict[str, str], ...])


def _whole(row: _Row, name: str) -> int:
    value = row[name]
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} is not a count")
    return value


def _configuration(text: Any) -> dict[str, Any]:
    found = mapping(text)
    _Configuration.model_validate(found)
    return found
