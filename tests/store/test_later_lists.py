"""Lists of calls that go on from those of an earlier one: they read as what was shown and sent, and rows do not grow with the talk."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy as sa
from agentdebate.store.beginnings import Beginnings, Said
from agentdebate.store.call_list import CallList
from agentdebate.store.later_lists import own_pieces
from agentdebate.store.pieces import Cutter, is_plain
from agentdebate.store.whole_lists import MOST, Row, WholeLists, with_lists
from hypothesis import given
from hypothesis import strategies as st
from postgres_cluster import Cluster

from agentdebate.agents.card import Conversation
from agentdebate.errors import StoreError
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import beginnings
from agentdebate.store.engine import open_database
from agentdebate.store.reader import StoredCall, read_store
from agentdebate.store.run_copy import copy_runs
from agentdebate.store.upkeep import check_store
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item

STORE = "long.db"
SAID = {number: f"What was said is {number}. " + "\ud800" * (number == 3) for number in range(1, 8)}
WORDS = st.sampled_from(["\n---\n", "You are the critic.", "a", "\ud800", *SAID.values()])
TALKS = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.lists(WORDS, max_size=6)), max_size=5)
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "ben"]),
        st.integers(1, 2),
        st.lists(st.sampled_from([*SAID, 9]), max_size=5),
        st.integers(0, 9),
        TALKS,
    ),
    max_size=20,
)


class Table:
    """The rows of one debate's calls, as they are written and read."""

    def __init__(self, said: Mapping[int, str] = SAID) -> None:
        self.rows: dict[int, Row] = {}
        self._beginnings = Beginnings(Cutter(), said)
        self._pieces: dict[str, int] = {}

    def enter(self, agent: str, shown: Sequence[int], prompt: Sequence[Said], attempt: int = 1) -> None:
        number = len(self.rows) + 1
        call = Call(agent, 1, 1, attempt, tuple(shown), ModelRequest(()), Completion(text="", model="m"))
        own, roles, pieces = self._beginnings.lists(call, number, prompt)
        for part in filter(is_plain, pieces):
            self._pieces.setdefault(part, len(self._pieces))
        self.rows[number] = {
            "debate": "d",
            "number": number,
            "agent": agent,
            "attempt": attempt,
            "shown": own,
            "roles": roles,
            "prompt": pieces.column({part: str(place) for part, place in self._pieces.items()}),
        }
        assert own_pieces(pieces.encoded(self._pieces)) == own_pieces(self.rows[number]["prompt"])

    def read(self, row: Row, lists: WholeLists) -> tuple[list[int], list[Said]]:
        texts = {number: part for part, number in self._pieces.items()}
        words = [
            (role, "".join([one if isinstance(one, str) else texts[one] for one in parts]))
            for role, parts in lists.prompt(row)
        ]
        return [*lists.shown(row)], words

    @property
    def whole(self) -> list[int]:
        """The calls that list everything."""
        return [number for number, row in self.rows.items() if not own_pieces(row["prompt"]).beginning]


def spoken(words: Sequence[str]) -> list[Said]:
    return [("user", "".join(words))]


@given(CALLS, st.integers(1, 6), st.integers(0, 3))
def test_whatever_is_written_is_read_back(
    calls: list[tuple[str, int, list[int], int, list[tuple[str, list[str]]]]], least: int, least_shown: int
) -> None:
    table, written, talk = Table(), [], list[Said]()
    with patch.multiple(beginnings, LEAST=least, LEAST_SHOWN=least_shown):
        for agent, attempt, shown, kept, later in calls:
            talk = [*talk[:kept], *((role, "".join(words)) for role, words in later)]
            table.enter(agent, shown, talk, attempt)
            written.append((shown, talk))
    assert [table.read(row, lists) for row, lists in with_lists(table.rows.values())] == written
    alone = WholeLists(table.rows.get)
    assert [table.read(row, alone) for row in table.rows.values()] == written


@given(st.lists(st.lists(WORDS, max_size=4), max_size=20), st.integers(1, 6))
def test_a_prompt_that_grows_is_read_back(talk: list[list[str]], least: int) -> None:
    table, said = Table(), list[str]()
    with patch.object(beginnings, "LEAST", least):
        for words in talk:
            said += words
            table.enter("ann", range(len(said)), spoken([*said, "Go on."]))
    last = len(talk)
    assert not last or table.read(table.rows[last], WholeLists(table.rows.get))[1] == spoken(
        [*said, "Go on."]
    )


MANY = {number: f"What was said is {number}." for number in range(1, 600)}


def talk_of(rounds: int, *, attempts: int = 1) -> Table:
    """A talk of so many rounds in which one agent is asked once a round, and heeds the last attempt."""
    table, said = Table(MANY), list[str]()
    for place in range(rounds):
        prompt = spoken([*said, "Go on."])
        for attempt in range(1, attempts + 1):
            table.enter("ann", range(1, place + 1), prompt, attempt)
            prompt = [*prompt, ("assistant", "Hm."), ("user", "Again?")]
        said += ["\n---\n", MANY[place + 1]]
    return table


def test_a_call_of_many_rounds_is_read_from_few_rows_and_none_says_much_itself() -> None:
    table, found = talk_of(500), list[int]()

    def find(number: int) -> Row | None:
        found.append(number)
        return table.rows.get(number)

    shown, ((_, text),) = table.read(table.rows[500], WholeLists(find))
    assert (len(shown), text.count("What was said")) == (499, 499)
    assert len(found) <= 2 * 9  # for each of the two lists, the logarithm
    assert len(table.whole) == 12 + 9  # short prompts, and the long ones 1, 2, 4, ... 256
    own = [sum(map(len, own_pieces(row["prompt"]).texts)) for row in table.rows.values()]
    assert sum(own) / 500 < 2 * (9 + 2)  # pieces; there are 500 in the middle


def test_where_nothing_was_shown_the_row_says_so_itself() -> None:
    """Calls that serve every debate are found by it."""
    table, words = Table(), [*SAID.values()] * 5
    for _ in range(3):
        table.enter("ann", (), spoken(words))
    assert {row["shown"] for row in table.rows.values()} == {"[]"}
    assert table.whole == [1, 2, 3]  # one piece each: nothing that was said was shown


def test_an_agent_that_forgets_lists_what_is_left() -> None:
    table = Table()
    for first in range(3):
        table.enter("ann", range(first, 8), spoken(["\n---\n".join([*SAID.values()][first:]), "Go on."] * 9))
    assert table.whole == [1, 2, 3]


def test_further_attempts_go_on_from_the_first_and_nothing_from_them() -> None:
    table = talk_of(40, attempts=2)
    begun = {number: own_pieces(row["prompt"]).beginning for number, row in table.rows.items()}
    assert not [one for one in begun.values() if one and one.call % 2 == 0]
    assert [one.call for number, one in begun.items() if one and number % 2 == 0] == [*range(25, 80, 2)]


Sent = list[tuple[ChatMessage, ...]]


class Talkative:
    """A model whose every reply is another one, some of them half characters, and some not to be read at first."""

    def __init__(self, fails: int = 0) -> None:
        self.sent: Sent = []
        self._numbers, self._fails = count(1), fails

    def __call__(self, request: ModelRequest) -> str:
        number = next(self._numbers)
        if number == self._fails:
            raise RuntimeError("the model is gone")
        self.sent.append(request.messages)
        assert request.context is not None
        said = f"{number} " + " ".join(f"That is sentence {place} of reply {number}." for place in range(4))
        if request.context.reply == "critique":
            return f"The score is too high. {said}" + ("\ud800" if number % 10 == 0 else "")
        return said if number % 7 == 0 else f"{said}\n\nFluency: 4"


FIELDS = {"source": "The bridge at Kelby closes.", "summary": "A bridge closes."}
ITEM = Item(id="i1", task="summarization", fields=FIELDS)


async def held(
    rounds: int, *, store: str = STORE, conversation: Conversation | None = None, fails: int = 0, **how: Any
) -> Sent:
    """Hold one debate of so many rounds, of which the model was sent this."""
    model = Talkative(fails)
    talk = strategy("debate", rounds=rounds, conversation=conversation)
    async with evaluate(
        [ITEM], talk, model=Function("m", model), aspects="fluency", store=store, **how
    ) as run:
        records = [record async for record in run]
    assert len(records) == 1
    return model.sent


def prompts(calls: Sequence[StoredCall]) -> list[list[tuple[str, str]]]:
    return [[(part["role"], part["content"]) for part in call.prompt] for call in calls]


def after_brief(sent: Sent) -> list[list[tuple[str, str]]]:
    return [[(one.role, one.content) for one in messages if one.role != "system"] for messages in sent]


def stored(store: str = STORE) -> list[StoredCall]:
    with read_store(store) as reader:
        calls = [call for _, call in reader.asked(reader.run("last").id)]
        assert not reader.damage.found
    return calls


def changed(*statements: str) -> None:
    with closing(sqlite3.connect(STORE)) as there, there:
        for statement in statements:
            assert there.execute(statement).rowcount


def later_rows() -> int:
    with closing(sqlite3.connect(STORE)) as there:
        query = "select count(*) from calls where prompt like '{%' and shown like '{%'"
        return int(there.execute(query).fetchone()[0])


@pytest.mark.parametrize("conversation", ["message", "chat"])
async def test_a_long_debate_is_read_as_it_was_sent_all_at_once_and_call_by_call(
    conversation: Conversation,
) -> None:
    sent = await held(20, conversation=conversation)
    calls = stored()
    assert later_rows() > 20
    assert prompts(calls) == after_brief(sent)
    with read_store(STORE) as reader:
        run = reader.run("last").id
    with closing(open_database(STORE, reading=True)) as database:
        calls_of = CallList(database, run, "i1/fluency")
        assert [calls_of.call(call.number) for call in calls] == calls
        assert [head.shown for head in calls_of.heads()] == [call.shown for call in calls]
        assert not calls_of.damage.found


@pytest.mark.parametrize("conversation", ["message", "chat"])
async def test_one_call_of_a_long_debate_is_read_with_one_statement_for_each_call_that_it_goes_on_from(
    conversation: Conversation, asked: list[str]
) -> None:
    await held(20, conversation=conversation)
    with read_store(STORE) as reader:
        run = reader.run("last").id
    longest = 0
    with closing(open_database(STORE, reading=True)) as database:
        calls = CallList(database, run, "i1/fluency")
        for head in calls.heads():
            asked.clear()
            calls.call(head.number)
            earlier = chain_of(head.number)
            of_pieces = [one for one in asked if "FROM pieces" in one]  # its own, and those of earlier calls
            assert len(of_pieces) == (2 if earlier else 1)
            assert len(asked) == len(of_pieces) + 1 + len(earlier)
            longest = max(longest, len(earlier))
    assert longest >= 3


@pytest.fixture
def asked() -> Iterator[list[str]]:
    """The statements that databases are sent."""
    statements: list[str] = []

    def note(*given: Any) -> None:
        statements.append(given[2])

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    yield statements
    sa.event.remove(sa.Engine, "before_cursor_execute", note)


def chain_of(number: int) -> list[int]:
    """The calls that one goes on from, one after the other."""
    prompts, found = [text for (text,) in columns("prompt")], list[int]()
    while (beginning := own_pieces(prompts[number - 1]).beginning) is not None:
        number = beginning.call
        found.append(number)
    return found


async def test_pieces_of_earlier_calls_are_read_anew_where_they_were_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = await held(20)
    monkeypatch.setattr("agentdebate.store.piece_table.KEPT", 1)
    monkeypatch.setattr("agentdebate.store.reader.PAGE", 5)
    assert prompts(stored()) == after_brief(sent)


async def test_calls_of_many_rounds_take_little_more_than_those_of_few() -> None:
    sizes = []
    for rounds in (10, 60):
        store = f"{rounds}.db"
        await held(rounds, store=store)
        with closing(sqlite3.connect(store)) as there:
            lengths = "avg(length(shown) + length(roles) + length(prompt))"
            sizes.append(there.execute(f"select {lengths} from calls").fetchone()[0])
    assert sizes[1] < 2 * sizes[0]  # six times as much, were they whole


async def test_a_debate_that_is_held_again_goes_on_in_the_same_store() -> None:
    first = await held(12, fails=16)
    again = await held(12, resume="last", retry_failed=True)
    calls = stored()
    assert prompts(calls) == after_brief([*first, *again])
    assert {own_pieces(text).beginning is None for (text,) in columns("prompt")} == {True, False}


def columns(name: str) -> list[tuple[str]]:
    with closing(sqlite3.connect(STORE)) as there:
        return there.execute(f"select {name} from calls order by number").fetchall()


async def test_a_store_of_the_schema_before_reads_the_same_and_goes_on() -> None:
    with patch.object(beginnings, "LEAST", 1 << 60):  # as the version before wrote it
        first = await held(12, fails=16)
    assert not later_rows()
    changed("update alembic_version set version_num = '5'")
    before = stored()
    assert prompts(before) == after_brief(first)
    again = await held(12, resume="last", retry_failed=True)
    assert prompts(stored()) == after_brief([*first, *again])
    assert later_rows()


async def test_a_copy_of_a_long_debate_reads_the_same_in_any_database(cluster: Cluster) -> None:
    await held(12)
    url, calls = cluster.new_database(), stored()
    await held(12, store=url)  # so that texts have other numbers there
    await held(3, store="back.db")
    sums = [one.content for one in copy_runs(STORE, url)]
    assert not check_store(url).problems
    assert [one.content for one in copy_runs(url, "back.db", sums[0].run)] == sums
    for store in (url, "back.db"):
        with read_store(store) as reader:
            assert [call for _, call in reader.asked(sums[0].run)] == calls


LAST = 24
"""A call that goes on from call 21, which goes on from call 17."""
AFTER = 20
"""One that goes on from neither."""


def says(column: str, number: int = LAST, /, **changes: object) -> str:
    """A statement that has a call's list begin otherwise."""
    values = ", ".join(f"'$.{name}', json('{json.dumps(value)}')" for name, value in changes.items())
    return f"update calls set {column} = json_set({column}, {values}) where number = {number}"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (says("prompt", **{"as": LAST}), "begins as call 24, which does not come before call 24"),
        (says("prompt", 21, **{"as": LAST}), "begins as call 24, which does not come before call 21"),
        (says("shown", 21, **{"as": LAST}), "begins as call 24, which does not come before call 21"),
        (says("prompt", **{"as": 1 << 70}), "which does not come before call 24"),
        (says("prompt", **{"as": 20}), "begins as call 20, which another agent made"),
        (says("shown", **{"as": 22}), "begins as call 22, which is not a first attempt"),
        ("update calls set agent = 'critic' where number = 21", "begins as call 21, which another agent made"),
        ("update calls set attempt = 2 where number = 21", "begins as call 21, which is not a first attempt"),
        (says("prompt", **{"as": 0}), "begins as call 0, which is not there or cannot be read"),
        (says("prompt", **{"as": -1}), "does not say how it begins and goes on"),
        (says("prompt", **{"as": "21"}), "does not say how it begins and goes on"),
        (says("shown", **{"as": True}), "does not say how it begins and goes on"),
        (says("shown", keep=99), "begins with 99 messages shown of call 21, which has 20"),
        (says("shown", keep=[0, 1]), "does not say how it begins and goes on"),
        (says("shown", then=["x"]), "should be a valid integer"),
        (says("prompt", keep=[2, 0]), "begins with 2 messages of call 21, which has 1"),
        (says("prompt", keep=[1, 1]), "begins with 2 messages of call 21, which has 1"),
        (says("prompt", keep=[0, 99]), "begins with 99 pieces of call 21, which has 55"),
        (says("prompt", keep=7), "does not say how it begins and goes on"),
        (says("prompt", then=[]), "its prompt has 0 messages and 1 roles"),
        (says("prompt", then=[[None]]), "where the number of a piece belongs"),
        (says("prompt", then={}), "its pieces are not a list"),
        ("update calls set prompt = '{}' where number = 24", "does not say how it begins and goes on"),
        ("update calls set prompt = '{' where number = 24", "it is not JSON"),
        ("update calls set prompt = '[' where number = 17", "begins as call 17, which is damaged"),
        ("update calls set shown = '[' where number = 17", "begins as call 17, which is damaged"),
        ("update calls set roles = 'user,user' where number = 21", "begins as call 21, which is damaged"),
        ("update calls set prompt = '[]', roles = '' where number = 21", "messages of call 21, which has 0"),
        ("delete from calls where number = 21", "begins as call 21, which is not there or cannot be read"),
        ("update calls set shown = cast(x'ff' as text) where number = 21", "not there or cannot be read"),
    ],
)  # fmt: skip
async def test_a_call_that_begins_as_none_does_is_named_and_the_others_are_shown(
    statement: str, words: str
) -> None:
    await held(10)
    changed(statement)
    with read_store(STORE) as reader:
        run = reader.run("last").id
        calls = reader.calls(run, "i1/fluency")
        told = [one for one in reader.damage.found if f"call {LAST} of the debate" in one]
    assert AFTER in [call.number for call in calls]
    assert LAST not in [call.number for call in calls]
    assert words in told[0]
    assert f"run {run}: call {LAST} of the debate 'i1/fluency' is damaged" in told[0]
    assert told[0] in check_store(STORE).problems
    with closing(open_database(STORE, reading=True)) as database:
        listed = CallList(database, run, "i1/fluency")
        with pytest.raises(StoreError) as raised:
            listed.call(LAST)
        assert words in str(raised.value)
        assert {head.number for head in listed.heads()} >= {call.number for call in calls}


@pytest.mark.parametrize(
    "statement",
    [
        says("prompt", **{"as": 17, "keep": [0, 40]}),
        says("prompt", keep=[0, 50]),
        says("prompt", then=[[]]),
        f"update calls set roles = 'assistant' where number = {LAST}",
        f"update calls set key = 'another' where number = {LAST}",
    ],
)
async def test_a_prompt_that_was_not_sent_is_told_by_the_digest_of_its_request(statement: str) -> None:
    await held(10)
    assert not check_store(STORE).problems
    changed(statement)
    told = [one for one in check_store(STORE).problems if f"call {LAST} of the debate 'i1/fluency'" in one]
    assert "is damaged: what its row lists is not what was sent" in told[0]


@pytest.mark.parametrize(
    "statement",
    [
        "update calls set key = 'another' where number = 21",  # in a chat a brief has a word behind it
        f"update calls set schema = 1 where number = {LAST}",  # a schema is not stored
    ],
)
async def test_no_prompt_is_doubted_whose_digest_covers_more_than_the_store_has(statement: str) -> None:
    await held(10)
    changed(statement)
    changed(f"update calls set key = 'another' where number = {LAST}")
    told = check_store(STORE).problems
    assert not [one for one in told if f"call {LAST} of" in one]


async def test_no_prompt_of_a_chat_is_doubted() -> None:
    await held(20, conversation="chat")
    assert later_rows()
    assert not check_store(STORE).problems


async def test_no_prompt_is_doubted_of_a_debate_that_was_held_again() -> None:
    await held(12, fails=16)
    await held(12, resume="last", retry_failed=True)
    assert later_rows()
    assert not check_store(STORE).problems


def test_calls_that_go_on_from_each_other_without_an_end_are_damage() -> None:
    rows = {
        number: {
            "number": number,
            "agent": "ann",
            "attempt": 1,
            "shown": json.dumps({"as": number - 1, "keep": 0, "then": []} if number > 1 else []),
        }
        for number in range(1, MOST + 3)
    }
    lists = WholeLists(rows.get)
    assert lists.shown(rows[MOST + 1]) == ()
    with pytest.raises(ValueError, match=f"goes on from more than {MOST} calls"):
        lists.shown(rows[MOST + 2])


async def test_a_damaged_beginning_is_not_copied() -> None:
    await held(10)
    changed(says("prompt", keep=7))
    with pytest.raises(
        StoreError, match="call 24 of the debate 'i1/fluency' is damaged: it does not say how"
    ):
        copy_runs(STORE, "two.db")
