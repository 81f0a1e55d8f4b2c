"""The values in the rows of a store, checked. Each function raises StoreError where a row is damaged, and says which."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter

from agentdebate.debates.outcome import outcome_of
from agentdebate.models.base import Completion
from agentdebate.store.damage import UNREADABLE, checked_names, mapping, reading
from agentdebate.store.later_lists import own_pieces
from agentdebate.store.piece_table import PieceShelf
from agentdebate.store.pieces import listed, put_back
from agentdebate.store.record_json import HEAD
from agentdebate.store.whole_lists import WholeLists
from agentdebate.talk.messages import Message, from_data
from agentdebate.tasks import Item, Scale, Task
from agentdebate.usage import Usage

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


def item_of(run: str, row: _Row, shelf: PieceShelf) -> Item:
    """An item."""
    with reading(run, f"the item {row['id']!r}"):
        return Item.model_validate(_whole_data(row, "data", shelf))


def message_of(run: str, debate: Any, row: _Row, shelf: PieceShelf) -> Message:
    """A message."""
    with reading(run, f"message {row['seq']!r} of the debate {debate!r}"):
        head = {name: row[name] for name in HEAD if row[name] is not None}
        return from_data({**_whole_data(row, "data", shelf), **head})


def found_of(run: str, row: _Row) -> Message:
    """What was found out once for all debates."""
    with reading(run, f"message {row['name']!r} of the debate {row['debate']!r}"):
        return from_data(mapping(row["data"]))


def call_values(run: str, row: _Row, shelf: PieceShelf, lists: WholeLists) -> dict[str, Any]:
    """A model call."""
    with reading(run, _call(row["debate"], row["number"])):
        return {
            **checked_names(row, "agent", "key"),
            **{name: _whole(row, name) for name in ("number", "round", "ask", "attempt", "sample")},
            "schema": bool(row["schema"]),
            "shown": lists.shown(row),
            "sampling": mapping("".join(_texts(row, "sampling", shelf))),
            "prompt": _prompt(row, shelf, lists),
            "completion": Completion.model_validate(_whole_data(row, "completion", shelf)),
        }


def _prompt(row: _Row, shelf: PieceShelf, lists: WholeLists) -> tuple[dict[str, str], ...]:
    sent = lists.prompt(row)
    texts = shelf.joined(parts for _, parts in sent)
    return tuple([{"role": role, "content": text} for (role, _), text in zip(sent, texts, strict=True)])


def completion_of(run: str, row: _Row, shelf: PieceShelf) -> Completion:
    """A completion; pydantic's own reader stumbles over half a character."""
    with reading(run, _call(row["debate"], row["number"])):
        return Completion.model_validate(_whole_data(row, "completion", shelf))


def listed_pieces(row: _Row, columns: Iterable[str]) -> Iterator[int]:
    """The numbers of the pieces that a row lists in these columns; none of a column that cannot be read."""
    for column in columns:
        with suppress(*UNREADABLE):
            for parts in own_pieces(row[column]).texts:
                yield from (part for part in parts if isinstance(part, int))


def spent_on(run: str, row: _Row) -> tuple[str, str, Usage, bool]:
    """Who made a call, the name that the model goes by at its endpoint, what it cost, and whether a cache gave it for nothing."""
    with reading(run, _call(row["debate"], row["number"])):
        said = mapping(row["completion"])
        usage = Usage.model_validate(said["usage"])
        if min(usage.__dict__.values()) < 0:
            raise ValueError("its usage is negative")
        names = checked_names({"agent": row["agent"], "model": said["model"]}, "agent", "model")
        return names["agent"], names["model"], usage, bool(said.get("cached"))


def _call(debate: Any, number: Any) -> str:
    return f"call {number!r} of the debate {debate!r}"


def _whole(row: _Row, name: str) -> int:
    value = row[name]
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} is not a count")
    return value


def _configuration(text: Any) -> dict[str, Any]:
    found = mapping(text)
    _Configuration.model_validate(found)
    return found


def _whole_data(row: _Row, column: str, shelf: PieceShelf) -> dict[str, Any]:
    """The JSON object in a column, with its texts."""
    whole = put_back(mapping(row[column]), _texts(row, "texts", shelf))
    assert isinstance(whole, dict)
    return whole


def _texts(row: _Row, column: str, shelf: PieceShelf) -> list[str]:
    return shelf.joined(listed(row[column]))
