"""Texts taken out of records as pieces: joined they are what they were, and what was said once is one piece."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from agentdebate.store.pieces import (
    LEAST,
    PLACE,
    Cutter,
    PieceList,
    digest,
    is_plain,
    listed,
    put_back,
    take_out,
)
from hypothesis import example, given
from hypothesis import strategies as st

from agentdebate.models.base import ChatMessage, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import piece_table
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item

TEXTS = st.text(alphabet=st.sampled_from("ab \n§\0\ud800é"), max_size=40) | st.text(max_size=200)
LONG = st.text(alphabet="ab\n", min_size=LEAST, max_size=200)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS | LONG,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=5)
LINE = "The summary names the main point of the article and keeps it short, as it should."


def through(parts: PieceList) -> list[str]:
    """The texts of a list of pieces, once it was a column."""
    numbers = {part: number for number, part in enumerate(filter(is_plain, dict.fromkeys(parts)))}
    texts = {number: part for part, number in numbers.items()}
    column = parts.encoded(numbers)
    return ["".join(one if isinstance(one, str) else texts[one] for one in some) for some in listed(column)]


@given(TEXTS | LONG, st.lists(TEXTS | LONG, max_size=4), st.lists(TEXTS | LONG, max_size=4))
@example("", ["", "a"], [""])
def test_the_pieces_of_a_text_joined_are_the_text(text: str, known: list[str], along: list[str]) -> None:
    cutter = Cutter()
    for one in known:
        cutter.cut(one)
    assert "".join(cutter.cut(text, along)) == text
    assert "".join(cutter.cut(text + "".join(along) + text)) == text + "".join(along) + text


@given(OBJECTS, OBJECTS)
def test_a_record_gets_its_texts_back(before: dict[str, Any], data: dict[str, Any]) -> None:
    whole, cutter = json.dumps(data), Cutter()
    take_out(before, cutter)
    texts = PieceList(take_out(data, cutter))
    bare = json.loads(json.dumps(data))
    assert json.dumps(put_back(bare, through(texts))) == whole


@given(OBJECTS)
def test_no_long_text_is_left_in_a_record(data: dict[str, Any]) -> None:
    take_out(data, Cutter())
    left = [data]
    while left:
        one = left.pop()
        left += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
        assert not isinstance(one, str) or len(one) < LEAST or not is_plain(one)


@given(st.lists(TEXTS | LONG, max_size=5))
def test_a_list_of_pieces_comes_back_from_its_column(texts: list[str]) -> None:
    cutter = Cutter()
    assert through(PieceList(cutter.cut(text) for text in texts)) == texts


@given(st.lists(TEXTS | LONG, max_size=5), st.lists(TEXTS, max_size=5))
@example(["\ud800é\0", "é\0"], [])
@example(["ab é", ""], ["ab "])
def test_a_column_by_digits_is_that_by_numbers(texts: list[str], known: list[str]) -> None:
    """Whatever stands in it for itself."""
    cutter = Cutter()
    for one in known:
        cutter.learn(one)
    parts = PieceList(cutter.cut(text) for text in texts)
    numbers = {part: number for number, part in enumerate(filter(is_plain, dict.fromkeys(parts)))}
    assert parts.column({part: str(number) for part, number in numbers.items()}) == parts.encoded(numbers)


@pytest.mark.parametrize("column", ["{", "7", "[1.5]", "[true]", "[[1, null]]", '{"1": 2}'])
def test_what_is_no_list_of_pieces_is_an_error(column: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        listed(column)


@pytest.mark.parametrize("texts", [[], ["a", "b"]])
def test_more_or_fewer_texts_than_places_are_an_error(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="texts than it has places for"):
        put_back({"text": PLACE}, texts)


def test_what_is_repeated_is_a_piece_of_its_own() -> None:
    cutter = Cutter()
    (said,) = take_out({"text": LINE}, cutter)
    assert said == (LINE,)
    assert cutter.cut(f"The scorer says:\n\n{LINE}") == ("The scorer says:\n\n", LINE)
    prompt = f"Heard so far:\n\nScorer:\n{LINE}\n\nYou are the critic."
    assert cutter.cut(prompt, [LINE]) == ("Heard so far:\n\nScorer:\n", LINE, "\n\nYou are the critic.")


def test_a_text_within_a_longer_one_is_stored_once() -> None:
    """A ballot's reason is the reply without its last line."""
    reason, text = take_out({"reason": LINE, "text": f"{LINE}\n\nFluency: 4"}, Cutter())
    assert (reason, text) == ((LINE,), (LINE, "\n\nFluency: 4"))


def test_a_digest_is_of_the_text_alone() -> None:
    assert digest(LINE) == digest(str(LINE.encode(), "utf-8"))
    assert len({digest(text) for text in ("", "a", "a ", "ä")}) == 4


Sent = list[tuple[ChatMessage, ...]]


def long(number: int) -> str:
    """A reply of many sentences, none of which it says twice."""
    return " ".join(f"{LINE.strip()} That is sentence {place} of reply {number}." for place in range(8))


async def held(rounds: int) -> tuple[str, Sent]:
    """A store with one debate of so many rounds, each reply another one, and what the model was sent."""
    sent: Sent = []

    def reply(request: ModelRequest) -> str:
        sent.append(request.messages)
        number = len(sent)
        if request.context is not None and request.context.reply == "critique":
            return f"The score {number} is too high. {long(number)}"
        return f"{number} {long(number)}\n\nFluency: 4"

    store = f"rounds{rounds}.db"
    fields = {"source": "The bridge at Kelby closes.", "summary": "A bridge closes."}
    items = [Item(id="i1", task="summarization", fields=fields)]
    async with evaluate(
        items, strategy("debate", rounds=rounds), model=Function("m", reply), aspects="fluency", store=store
    ) as run:
        (record,) = [record async for record in run]
    assert record.verdict is not None
    assert record.verdict.rounds == rounds
    return store, sent


async def bytes_of(rounds: int) -> int:
    """What the rows of such a debate hold."""
    store, _ = await held(rounds)
    with closing(sqlite3.connect(store)) as there:
        return sum(_held_in(there, table) for table in ("messages", "calls", "pieces", "debates"))


def _held_in(there: sqlite3.Connection, table: str) -> int:
    names = [row[1] for row in there.execute(f"pragma table_info({table})")]
    lengths = " + ".join(f"coalesce(length({name}), 0)" for name in names)
    return int(there.execute(f"select sum({lengths}) from {table}").fetchone()[0])


async def test_a_store_grows_in_line_with_rounds() -> None:
    """The tenth round takes hardly more than the second, although its prompts show all nine before it."""
    sizes = [await bytes_of(rounds) for rounds in (1, 2, 9, 10)]
    second, tenth = sizes[1] - sizes[0], sizes[3] - sizes[2]
    assert tenth < 1.25 * second


async def test_a_prompt_is_shown_exactly_as_it_was_sent() -> None:
    """From the store alone: whatever the templates say by then."""
    store, sent = await held(3)
    with read_store(store) as reader:
        shown = [call.prompt for _, call in reader.asked(reader.run("last").id)]
    assert len(shown) == 7
    assert shown == [
        tuple({"role": one.role, "content": one.content} for one in messages[1:]) for messages in sent
    ]


async def test_a_piece_that_was_altered_is_damage_and_not_shown_as_what_was_said() -> None:
    store, _ = await held(1)
    with closing(sqlite3.connect(store)) as there, there:
        there.execute(
            "update pieces set text = replace(text, 'too high', 'too low') where text like '%too high%'"
        )
    with read_store(store) as reader:
        run = reader.run("last").id
        messages = [message for _, message in reader.said(run)]
        assert not any("too low" in getattr(message, "text", "") for message in messages)
        assert any("is not the one that was stored under its digest" in told for told in reader.damage.found)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("delete from pieces where text like '%too high%'", "which is not in the store"),
        ("update messages set texts = '[999]' where kind = 'critique'", "lists piece 999, which is not"),
        ("update messages set texts = '[1, 1]' where kind = 'critique'", "more texts than it has places"),
        ("update messages set texts = null where kind = 'critique'", "fewer texts than it has places"),
        ("update messages set texts = '{' where kind = 'critique'", "it is not JSON"),
        ("update messages set texts = '[[true]]' where kind = 'critique'", "where the number of a piece belongs"),
        ("update pieces set text = x'ff' where text like '%too high%'", "is not the one that was stored"),
        ("update pieces set text = cast(x'ff' as text) where text like '%too high%'", "not UTF-8"),
    ],
)  # fmt: skip
async def test_a_message_whose_pieces_are_damaged_is_named_and_the_others_are_shown(
    statement: str, words: str
) -> None:
    store, _ = await held(1)
    with closing(sqlite3.connect(store)) as there, there:
        there.execute(statement)
    with read_store(store) as reader:
        kinds = {message.kind for _, message in reader.said(reader.run("last").id)}
        told = [one for one in reader.damage.found if words in one and "message " in one]
    assert "ask" in kinds
    assert "critique" not in kinds
    assert told


async def test_pieces_that_would_flood_the_memory_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of a few bytes may name a large piece a thousand times."""
    monkeypatch.setattr(piece_table, "LARGEST", 10_000)
    store, _ = await held(1)
    with closing(sqlite3.connect(store)) as there, there:
        most = "(select number from pieces order by length(text) desc limit 1)"
        there.execute(
            f"update messages set texts = '[[' || replace(hex(zeroblob(100)), '00', {most} || ',') || {most} || ']]' "
            "where kind = 'critique'"
        )
    with read_store(store) as reader:
        assert not [one for _, one in reader.said(reader.run("last").id, ["critique"])]
        assert "million characters together" in next(iter(reader.damage.found))
