"""What is written of a debate, as rows: its texts are taken out as pieces, and what people sort by has columns of its own."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from pydantic_core import PydanticSerializationError

from agentdebate.debates.outcome import outcome_of
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError
from agentdebate.frozen import made
from agentdebate.models.base import Call, Completion, RequestKeys, Sampling
from agentdebate.store.beginnings import Beginnings
from agentdebate.store.encoding import compact_json, data_json, model_json
from agentdebate.store.entry import Entry
from agentdebate.store.pieces import PLACE, Cutter, PieceList, is_plain, take_texts
from agentdebate.store.record_json import HEAD, Texts, WrittenBallots, completion_json, message_json
from agentdebate.store.schema import CALLS, DEBATES, FOUND, ITEMS, MESSAGES, SCORES
from agentdebate.talk.messages import KINDS, Ask, Evidence, Message, Reply, Tell, Unknown, Verdict
from agentdebate.tasks import Item

_HEAD, _COST = set(HEAD), {"usage"}

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""


class Talk:
    """One debate while it is held: knows what was said in it, so that a text that is repeated is stored once."""

    def __init__(self, debate: str, item: Item | None = None) -> None:
        self.debate = debate
        self._cutter = Cutter()
        self._keys = RequestKeys()
        self._said: dict[int, str] = {}
        self._ballots: WrittenBallots = {}
        self._beginnings = Beginnings(self._cutter, self._said)
        for text in item.fields.values() if item else ():
            self._cutter.learn(text.strip("\n"))

    def __repr__(self) -> str:
        return f"<Talk {self.debate!r} with {len(self._said)} texts>"

    def message(self, message: Message) -> tuple[Entry]:
        """The row of a message."""
        row = message_values(message, self._cutter, self._ballots)
        if _is_told(type(message)):
            self._said[message.seq] = cast("Reply | Evidence", message).text
        return (Entry(MESSAGES, row, self.debate),)

    def call(self, number: int, call: Call) -> tuple[Entry]:
        """The row of a call."""
        request = call.request
        texts: Texts = []
        data = _completion_json(call.completion, texts)
        pieces = self._cutter.pieces(texts)  # before the prompt's, which may repeat it
        key = self._keys.of(request)
        prompt = [(one.role, one.content) for one in request.messages if one.role != "system"]
        sampling = _sampling((*request.sampling.__dict__.values(),))
        # Last, for what it remembers is on disk: nothing that may go wrong comes behind it.
        shown, roles, sent = self._beginnings.lists(call, number, prompt)
        row = {
            "number": number,
            "agent": call.agent,
            "round": call.round,
            "ask": call.ask,
            "attempt": call.attempt,
            "shown": shown,
            "key": key,
            "sampling": sampling,
            "schema": request.schema is not None,
            "sample": request.sample,
            "roles": roles,
            "prompt": sent,
            "completion": data,
            "texts": pieces,
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


@lru_cache(maxsize=256)
def _is_told(kind: type[Message]) -> bool:
    """Whether messages of a kind are said to others, so that later texts show them."""
    return issubclass(kind, Reply | Evidence)


def _completion_json(completion: Completion, texts: Texts) -> str:
    """A completion as JSON, without its texts, which are added to `texts`. What has its default is left out, but for what it cost."""
    written = completion_json(completion, texts)
    if written is not None:
        return written
    # An impossible token has minus infinity, of which pydantic's JSON would make null.
    data = completion.model_dump(mode="json", exclude=_COST, exclude_defaults=True)
    data["usage"] = completion.usage.model_dump(exclude_defaults=True)
    take_texts(data, texts)
    return compact_json(data)


@lru_cache(maxsize=256)
def _sampling(values: tuple[object, ...]) -> PieceList:
    """Sampling parameters that are not the usual ones, from the values of all: few sets of them occur in a run."""
    sampling = made(Sampling, **dict(zip(Sampling.model_fields, values, strict=True)))
    return PieceList([(data_json(sampling.model_dump(mode="json", exclude_defaults=True)),)])


def message_values(message: Message, cutter: Cutter, ballots: WrittenBallots | None = None) -> dict[str, Any]:
    """A message: what it begins with in columns, the rest as JSON. A field that has its default is left out.

    What is written of its ballot is added to `ballots`, and a verdict's are taken from there.
    """
    texts: Texts = []
    row = {
        "seq": message.seq,
        "kind": message.kind,
        "sender": message.sender,
        "round": message.round,
        "time": message.time,
        "data": message_json(message, texts, {} if ballots is None else ballots)
        or _other_json(message, texts),
        "texts": cutter.pieces(texts),
    }
    if type(message) is Unknown:  # which is written back as it was read
        row |= dict.fromkeys({"sender", "round", "time"} - message.model_fields_set)
    return row


def _other_json(message: Message, texts: Texts) -> str:
    """What of any message is not in columns, as JSON without its texts, which are added to `texts`."""
    if isinstance(message, Ask | Tell) and not getattr(message, "given", None):  # PLACE alone is taken out
        try:
            plain = message.model_dump_json(exclude=_HEAD, exclude_defaults=True)
        except PydanticSerializationError:  # half a character
            plain = PLACE
        if PLACE not in plain:
            return plain
    data = dumped(message)
    take_texts(data, texts)
    return compact_json(data)


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
    texts: Texts = []
    data = item.model_dump(mode="json")
    take_texts(data, texts)
    row = {"id": item.id, "number": number, "data": compact_json(data), "texts": Cutter().pieces(texts)}
    return (Entry(ITEMS, row),)


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
    for one in verdict.ballots if verdict else ():
        for name, score in one.ballot.scores.items():
            if given.setdefault((one.agent, name), score) != score:
                return True
    return False


def score_values(row: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    for name in dict.fromkeys((*scores, *people)):
        if is_plain(name):
            yield {"name": name[:LONGEST], "score": scores.get(name), "human": people.get(name)}


def _sortable(text: str | None) -> str | None:
    return text[:LONGEST] if text is not None and is_plain(text) else None
