"""The values in the rows of a store, checked. Each function raises StoreError where a row is damaged, and says which."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter

from agentdebate.debates.outcome import outcome_of
from agentdebate.store.damage import mapping, reading
from agentdebate.store.documents import call_in, line_in, unpacked
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.envelope import message_in
from agentdebate.talk.envelope import message_of as message_with
from agentdebate.talk.messages import Message
from agentdebate.tasks import Item

_LATEST = 253_402_300_799
"""The last second of the year 9999, beyond which no calendar of Python's goes."""

_Count = Annotated[int, Field(ge=0)]
_Seconds = Annotated[FiniteFloat, Field(ge=0)]
_Time = Annotated[FiniteFloat, Field(ge=0, le=_LATEST)]
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
    """Fields of Record.row() on which the rest of the package relies."""

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
    """Name of its outcome. Empty in rows of earlier versions."""
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
    seconds: _Seconds | None = None
    stages: dict[str, _Stage] = {}


class _Model(_Written):
    name: str


class _Strategy(_Written):
    """Fields that every strategy has. Others are its own, and checked where they are read."""

    name: str = ""
    cast: dict[str, list[str | dict[str, Any]]] = {}
    sampling: dict[str, Any] = {}
    models: dict[str, str] = {}
    around: "_Strategy | None" = None
    stages: "list[_InCascade]" = []


class _InCascade(_Written):
    strategy: _Strategy


class _Mark(_Written):
    """Place of a run in the sweep that it belongs to."""

    name: str
    cell: str
    kind: str = ""
    key: str = ""


class _Configuration(_Written):
    """Fields of a run's configuration on which the rest of the package relies."""

    strategy: _Strategy = _Strategy()
    tasks: dict[str, dict[str, Any]] = {}
    aspects: list[str] | str | None = None
    together: bool | None = None
    debates: _Count | None = None
    models: list[_Model] = []
    command: dict[str, Any] | None = None
    sweep: _Mark | None = None


class _Head(_Written):
    """A row of the table of runs."""

    id: str
    strategy: str
    task: str
    model: str
    created: _Time
    ended: _Time | None
    configuration: str


_CALL = TypeAdapter(RunCall)


def head_values(row: Mapping[Any, Any]) -> dict[str, Any]:
    """The values of a run."""
    with reading(row["id"], "the run itself"):
        head = dict(_Head.model_validate(dict(row)))
        configuration = mapping(head["configuration"])
        _Configuration.model_validate(configuration)
        return {**head, "configuration": configuration}


def debate_row(run: str, debate: Any, text: Any) -> dict[str, Any]:
    """A debate that has ended, as Record.row() gave it."""
    with reading(run, f"the debate {debate!r}"):
        if not isinstance(debate, str):
            raise TypeError("its id is not a text")
        row = mapping(text)
        _Debate.model_validate(row)
        # Its id comes first, and no row says otherwise.
        return {"debate": debate, **row, "outcome": outcome_of(row).name} | {"debate": debate}


def item_of(run: str, item: Any, data: bytes) -> Item:
    """An item."""
    with reading(run, f"the item {item!r}"):
        found = Item.model_validate(mapping(unpacked(data)))
        if found.id != item:
            raise ValueError(f"its data is that of {found.id!r:.80}")
        return found


def document_lines(run: str, row: Mapping[Any, Any], name: str) -> list[str]:
    """The lines of a debate's talk, or of its calls, from a row that has the document by its name, its checksum and the item's data."""
    with reading(run, f"the debate {row['id']!r}"):
        if row[name] is None:
            raise ValueError("a document of it is missing")
        text = unpacked(row[name], row[f"{name}_sum"], row["data"])
    return text.split("\n") if text else []


def stored_text(run: str, debate: Any, place: int, entry: bytes) -> str:
    """The lines in a row of a debate that is being held."""
    with reading(run, f"line {place} of the debate {debate!r}"):
        return line_in(entry)


def message_of(run: str, debate: Any, place: int, line: str) -> Message:
    """A message, from its line."""
    with reading(run, f"message {place} of the debate {debate!r}"):
        return message_in(line)


def found_of(run: str, name: str, debate: Any, data: str) -> Message:
    """A finding that serves all debates of a run."""
    with reading(run, f"message {name!r} of the debate {debate!r}"):
        body = mapping(data)
        kind = body.pop("kind")
        # Before schema 7 the kind stood beside the fields.
        return message_with(kind, body["body"] if body.keys() == {"body"} else body)


def call_of(run: str, debate: str, place: int, line: str | bytes) -> RunCall:
    """A model call, from its line, or from its row in flight."""
    with reading(run, f"call {place} of the debate {debate!r}"):
        body = call_in(line if isinstance(line, str) else line_in(line))
        return _CALL.validate_python({**body, "debate": debate})
