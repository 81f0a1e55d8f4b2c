"""What is written of a debate, as rows: its texts are taken out as pieces, and what people sort by has columns of its own."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from pydantic_core import PydanticSerializationError

from agentdebate.debates.outcome import outcome_of
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError
from agentdebate.frozen import made
from agentdebate.models.base import Call, Completion, Sampling
from agentdebate.store.beginnings import Beginnings
from agentdebate.store.encoding import compact_json, data_json, model_json
from agentdebate.store.entry import Entry
from agentdebate.store.pieces import PLACE, Cutter, PieceList, is_plain, take_out
from agentdebate.store.schema import CALLS, DEBATES, FOUND, ITEMS, MESSAGES, SCORES
from agentdebate.talk.messages import KINDS, Ask, Evidence, Message, Reply, Tell, Unknown, Verdict
from agentdebate.tasks import Item

HEAD = ("seq", "kind", "sender", "round", "time")
"""The fields of a message that are columns."""
_HEAD, _COST = set(HEAD), {"usage"}
_TOLD = (Reply, Evidence)
"""What is said to others, so that later texts show it."""
_WITHOUT_TEXTS = (Ask, Tell)
"""Half of all messages, and mostly without a text in them."""

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""


class Talk:
    """One debate while it is held: knows what was said in it, so that a text that is repeated is stored once."""

    def __init__(self, debate: str, item: Item | None = None) -> None:
        self.debate = debate
        self._cutter = Cutter()
        self._said: dict[int, str] = {}
        self._beginnings = Beginnings(self._cutter, self._said)
        for text in item.fields.values() if item else ():
            self._cutter.learn(text.strip("\n"))

    def __repr__(self) -> str:
        return f"<Talk {self.debate!r} with {len(self._said)} texts>"

    def message(self, message: Message) -> tuple[Entry]:
        """The row of a message."""
        row = message_values(message, self._cutter)
        if isinstance(message, _TOLD):
            self._said[message.seq] = message.text
        return (Entry(MESSAGES, row, self.debate),)

    def call(self, number: int, call: Call) -> tuple[Entry]:
        """The row of a call."""
        request, completion = call.request, call.completion
        data, texts = completion_data(completion, self._cutter)
        key = request.key()
        prompt = [(one.role, one.content) for one in request.messages if one.role != "system"]
        # Last, for what it remembers is on disk: nothing that may go wrong comes behind it.
        shown, roles, pieces = self._beginnings.lists(call, number, prompt)
        row = {
            "number": number,
            "agent": call.agent,
            "round": call.round,
            "ask": call.ask,
            "attempt": call.attempt,
            "shown": shown,
            "key": key,
            "sampling": _sampling((*request.sampling.__dict__.values(),)),
            "schema": request.schema is not None,
            "sample": request.sample,
            "roles": roles,
            "prompt": pieces,
            "completion": data,
            "texts": texts,
        }
        return (Entry(CALLS, row, self.debate),)

    def ended(self, record: Record, cost: Callable[[Record], float | None] | None) -> list[Entry]:
        """The rows of how it ended."""
        row, money = record.row(), cost(record) if cost else None
        return [
            Entry(
                DEBATES,
                {
                    **debate_values(row),
                    "id": self.debate,
                    "item": record.item.id,
                    "changed": changed_in_talk(record.verdict),
                    "money": money,
                },
                self.debate,
            ),
            *(Entry(SCORES, values, self.debate) for values in score_values(row)),
        ]


def completion_data(completion: Completion, cutter: Cutter) -> tuple[str, PieceList | None]:
    """A completion as JSON, and the texts in it. What has its default is left out, but for what it cost."""
    # An impossible token has minus infinity, of which pydantic's JSON would make null.
    data = completion.model_dump(mode="json", exclude=_COST, exclude_defaults=True)
    data["usage"] = completion.usage.model_dump(exclude_defaults=True)
    return _apart(data, cutter)


@lru_cache(maxsize=256)
def _sampling(values: tuple[object, ...]) -> PieceList:
    """Sampling parameters that are not the usual ones, from the values of all: few sets of them occur in a run."""
    sampling = made(Sampling, **dict(zip(Sampling.model_fields, values, strict=True)))
    return PieceList([(data_json(sampling.model_dump(mode="json", exclude_defaults=True)),)])


def message_values(message: Message, cutter: Cutter) -> dict[str, Any]:
    """A message: what it begins with in columns, the rest as JSON. A field that has its default is left out."""
    data, texts = _without_head(message, cutter)
    row = {
        "seq": message.seq,
        "kind": message.kind,
        "sender": message.sender,
        "round": message.round,
        "time": message.time,
        "data": data,
        "texts": texts,
    }
    if isinstance(message, Unknown):  # which is written back as it was read
        row |= dict.fromkeys({"sender", "round", "time"} - message.model_fields_set)
    return row


def _without_head(message: Message, cutter: Cutter) -> tuple[str, PieceList | None]:
    """What of a message is not in columns, as JSON, and the texts in it."""
    if isinstance(message, _WITHOUT_TEXTS) and not getattr(message, "given", None):
        try:
            plain = message.model_dump_json(exclude=_HEAD, exclude_defaults=True)
        except PydanticSerializationError:  # half a character
            plain = PLACE
        if PLACE not in plain:
            return plain, None
    return _apart(dumped(message), cutter)


def _apart(data: dict[str, Any], cutter: Cutter) -> tuple[str, PieceList | None]:
    """Data as JSON without the texts in it, and these."""
    texts = take_out(data, cutter)
    return compact_json(data), PieceList(texts) if texts else None


def dumped(message: Message) -> dict[str, Any]:
    """The fields that are not in columns, as JSON has them. Defaults of ours are left out; a package that is not installed
    could not fill in its own. Raises StrategyError for a message that JSON cannot hold.
    """
    unknown = isinstance(message, Unknown)
    try:
        return message.model_dump(
            mode="json", exclude=_HEAD, exclude_defaults=message.kind in KINDS, exclude_unset=unknown
        )
    except PydanticSerializationError as error:
        raise StrategyError(
            f"message {message.seq}, of the kind {message.kind!r} and sent by {message.sender}, cannot be stored as JSON: {error}"
        ) from error


def item_entries(item: Item, number: int) -> tuple[Entry]:
    """The row of an item."""
    data, texts = _apart(item.model_dump(mode="json"), Cutter())
    return (Entry(ITEMS, {"id": item.id, "number": number, "data": data, "texts": texts}),)


def found_entries(name: str, debate: str, message: Message) -> tuple[Entry]:
    """The row of what was found out once for all debates."""
    return (Entry(FOUND, {"name": name, "debate": debate, "data": model_json(message)}, debate),)


def debate_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """A debate that has ended, by column."""
    return {
        "item_group": _sortable(row["group"]),
        "system": _sortable(row["system"]),
        "outcome": outcome_of(row).name,
        "ended": _sortable(row["ended"]),
        "settled": row["settled"],
        "changed": None,
        "rounds": row["rounds"],
        "calls": row["calls"],
        "tokens": row["prompt_tokens"] + row["completion_tokens"],
        "money": None,
        "seconds": row["seconds"],
        "row": data_json(row),
    }


def changed_in_talk(verdict: Verdict | None) -> bool:
    """Whether an agent has cast two ballots that give different scores for the same thing."""
    given = dict[tuple[str, str], float]()
    return any(
        given.setdefault((cast.agent, name), score) != score
        for cast in (verdict.ballots if verdict else ())
        for name, score in cast.ballot.scores.items()
    )


def score_values(row: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    for name in dict.fromkeys((*scores, *people)):
        if is_plain(name):
            yield {"name": name[:LONGEST], "score": scores.get(name), "human": people.get(name)}


def _sortable(text: str | None) -> str | None:
    return text[:LONGEST] if text is not None and is_plain(text) else None
