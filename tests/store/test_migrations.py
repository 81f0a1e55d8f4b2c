"""A store that the version before Alembic wrote: everything in it is there afterwards, and it goes on where it was."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from agentdebate.store.migrate import upgrade
from agentdebate.store.record_rows import changed_in_talk
from old_stores import CONTROL, ENDED, KILLED, PAIRS, STEPS, SWEPT, write_old_store
from postgres_cluster import Cluster

from agentdebate.cli.app import run
from agentdebate.cli.app import run as command
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import schema
from agentdebate.store.engine import open_engine
from agentdebate.store.lock import hold
from agentdebate.store.reader import Reader, read_store
from agentdebate.store.writer import rewrite_run
from agentdebate.strategies.load import strategy
from agentdebate.talk.messages import Verdict, decode
from agentdebate.tasks import Item

RUNS = (ENDED, KILLED, PAIRS, SWEPT, CONTROL, STEPS)


class Before:
    """What the old tables say."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self, columns: str, table: str, run: str) -> Iterator[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path)) as there:
            yield from there.execute(f"select {columns} from {table} where run = ?", (run,)).fetchall()

    def check(self, reader: Reader, run: str) -> None:
        """Compare everything of a run, word for word."""
        messages = {
            (name, seq): decode(data) for name, seq, data in self.rows("debate, seq, data", "messages", run)
        }
        assert {(name, one.seq): one for name, one in reader.said(run)} == messages
        items = {name: Item.model_validate_json(data) for name, data in self.rows("id, data", "items", run)}
        assert {item.id: item for item in reader.items(run)} == items
        rows = {
            name: {"debate": name, **json.loads(row), "outcome": state}
            for name, row, state in self.rows("id, row, state", "debates", run)
        }
        assert {row["debate"]: row for row in reader.rows(run)} == rows
        names = "debate, number, agent, round, ask, attempt, shown, key, sampling, schema, sample, prompt, completion"
        calls = {(one[0], one[1]): one[2:] for one in self.rows(names, "calls", run)}
        found = {(name, one.number): one for name, one in reader.asked(run)}
        assert found.keys() == calls.keys()
        for place, (*plain, shown, key, sampling, schema_, sample, prompt, completion) in calls.items():
            now = found[place]
            assert [now.agent, now.round, now.ask, now.attempt] == plain
            assert (now.key, now.schema, now.sample) == (key, bool(schema_), sample)
            assert (list(now.shown), now.sampling) == (json.loads(shown), json.loads(sampling))
            assert list(now.prompt) == json.loads(prompt)
            assert now.completion == Completion.model_validate_json(completion)


def before_migrating(*, schema: int = 2) -> Before:
    """An old store, and a copy of it that stays as it was."""
    copy = Path("before.db")
    shutil.copy(write_old_store(schema=schema), copy)
    return Before(copy)


def tables_of(connection: sa.Connection) -> dict[str, Any]:
    """The tables of a database, their columns and indexes, without the names that a database makes up."""
    there = sa.inspect(connection)
    return {
        table: (
            {one["name"]: (str(one["type"]), one["nullable"]) for one in there.get_columns(table)},
            there.get_pk_constraint(table)["constrained_columns"],
            sorted(tuple(one["column_names"]) for one in there.get_unique_constraints(table)),
            {
                one["name"]: one["column_names"]
                for one in there.get_indexes(table)
                if not one.get("duplicates_constraint")
            },
        )
        for table in sorted(there.get_table_names())
        if table != schema.OLD_VERSION
    }


def bytes_of(path: Path) -> list[str]:
    """What a store holds, as SQL: the file itself may differ by its pages."""
    with closing(sqlite3.connect(path)) as there:
        return list(there.iterdump())


@pytest.mark.parametrize("number", [1, 2])
def test_everything_in_an_old_store_is_there_afterwards(
    number: int, caplog: pytest.LogCaptureFixture
) -> None:
    before = before_migrating(schema=number)
    with read_store("old.db") as reader:
        assert tuple(run.id for run in reader.runs()) == RUNS
        for run in RUNS:
            before.check(reader, run)
        assert not reader.damage.found
    (told,) = [one.message for one in caplog.records if getattr(one, "kind", "") == "store migrated"]
    assert "old.db was written by an older agentdebate and is brought to schema 6" in told


@pytest.mark.parametrize("command", ["list runs", "show last", "store check", "export last -o out.jsonl"])
def test_every_command_says_once_that_a_store_was_brought_up_to_date(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_old_store(schema=2)
    for times in (1, 0):
        run([*command.split(), "--store=old.db"])
        told = [line for line in capsys.readouterr().err.splitlines() if "older agentdebate" in line]
        assert len(told) == times
        Path("out.jsonl").unlink(missing_ok=True)


def test_what_an_old_run_says_of_itself_is_as_it_was() -> None:
    write_old_store()
    with read_store("old.db") as reader:
        ended, killed = reader.run(ENDED), reader.run(KILLED)
        assert (ended.verdicts, ended.failures, ended.task, ended.model) == (
            3,
            1,
            "summarization",
            "scripted",
        )
        assert (killed.verdicts, killed.failures, killed.ended) == (1, 0, None)
        assert reader.not_ended(KILLED) == 1
        assert [row["scores"] for row in reader.find(ENDED, by="score", name="fluency")][:3] == [
            {"fluency": 2.0}, {"fluency": 3.0}, {"fluency": 4.0}
        ]  # fmt: skip
        assert [row["id"] for row in reader.find(ENDED, where={"outcome": "failure"})] == ["kelby/s3"]


def test_in_which_debates_an_agent_changed_its_mind_is_found_out_of_an_old_store() -> None:
    changed = change_a_mind(write_old_store())
    with read_store("old.db") as reader:
        for run in RUNS:
            told = {
                said: {row["debate"] for row in reader.find(run, where={"changed": said})}
                for said in (True, False)
            }
            verdicts = {name: one for name, one in reader.said(run) if isinstance(one, Verdict)}
            assert told[True] == {name for name, verdict in verdicts.items() if changed_in_talk(verdict)}
            assert told[True] | told[False] == {row["debate"] for row in reader.rows(run)}
        assert changed in {row["debate"] for row in reader.find(ENDED, where={"changed": True})}


def change_a_mind(store: Path) -> str:
    """Have an agent of a debate cast another ballot behind its first one; the debate."""
    with closing(sqlite3.connect(store)) as there, there:
        verdict = 'run = ? and data like \'%"kind":"verdict"%\''
        debate, seq, data = there.execute(
            f"select debate, seq, data from messages where {verdict}", (ENDED,)
        ).fetchone()
        said = json.loads(data)
        again = json.loads(json.dumps(said["ballots"][0]))
        again["ballot"]["ratings"][0]["score"] += 1
        said["ballots"].append(again)
        there.execute(
            "update messages set data = ? where run = ? and debate = ? and seq = ?",
            (json.dumps(said), ENDED, debate, seq),
        )
    return str(debate)


def test_an_old_store_is_shown_exported_and_agrees_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are those that the version printed which wrote it."""
    write_old_store("agentdebate.db")
    assert command(["show", ENDED, "kelby/s1/fluency", "--prompts"]) == 0
    assert "The score is too high: the summary does not say why the bridge closes" in capsys.readouterr().out
    assert command(["agree", ENDED, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["statistic"]: row["value"] for row in rows} == pytest.approx(
        {"pearson": 0.32732683535398854, "spearman": 0.5, "kendall-b": 1 / 3}
    )
    assert {row["missing"] for row in rows} == {1}
    for what, lines in {"verdicts": 4, "messages": 60, "calls": 15}.items():
        assert command(["export", ENDED, "--what", what]) == 0
        assert len(capsys.readouterr().out.splitlines()) == lines


async def test_a_run_that_was_killed_gives_again_what_was_paid_for() -> None:
    before = before_migrating()
    left = {
        (number, key): json.loads(completion)["text"]
        for debate, number, key, completion in before.rows("debate, number, key, completion", "calls", KILLED)
        if debate == "kelby/s2/fluency"
    }
    assert len(left) == 1
    async with rewrite_run("old.db", KILLED) as writer:
        assert writer.begun is not None
        assert writer.begun.ended == {"kelby/s1/fluency"}
        assert {
            (one.number, one.key): one.completion.text for one in await writer.earlier("kelby/s2/fluency")
        } == left


async def test_a_run_that_was_killed_goes_on_to_its_end() -> None:
    write_old_store()
    with read_store("old.db") as reader:
        items = list(reader.items(ENDED))

    def reply(request: ModelRequest) -> str:
        critic = request.context is not None and request.context.reply == "critique"
        return "NO ISSUE" if critic else "The summary keeps it short.\n\nFluency: 4"

    options: dict[str, Any] = {
        "aspects": "fluency",
        "store": "old.db",
        "resume": KILLED,
        "anyway": True,
        "earlier": False,
    }
    debate = strategy("debate", rounds=2)
    async with evaluate(items[:2], debate, model=Function("scripted", reply), **options) as run:
        (record,) = [record async for record in run]
    assert record.verdict is not None
    assert record.item.id == "kelby/s2"
    with read_store("old.db") as reader:
        assert [row["scores"] for row in reader.rows(KILLED)] == [{"fluency": 2.0}, record.scores]
        assert reader.run(KILLED).ended is not None


async def test_options_that_came_later_keep_no_run_from_going_on() -> None:
    """They have their defaults now, so the run is held as it was begun; content files that changed are told."""
    write_old_store()
    with read_store("old.db") as reader:
        items = list(reader.items(ENDED))
    options: dict[str, Any] = {"aspects": "fluency", "store": "old.db", "resume": KILLED}
    with pytest.raises(UsageError) as refused:
        async with evaluate(
            items[:2], strategy("debate", rounds=3), model=Function("scripted", str), **options
        ):
            pass
    assert "strategy.rounds was 2 and is 3" in str(refused.value)
    assert "strategy.stop" not in str(refused.value)
    assert "strategy.history" not in str(refused.value)


async def test_what_was_found_out_once_is_there() -> None:
    write_old_store()
    async with rewrite_run("old.db", STEPS) as writer:
        assert writer.begun is not None
        ((name, (debate, message)),) = writer.begun.found.items()
    assert "steps" in name
    assert debate == "kelby/s1/fluency"
    assert message.kind == "statement"


def test_a_record_that_was_damaged_before_is_so_afterwards_and_keeps_no_other_one_back() -> None:
    write_old_store()
    with closing(sqlite3.connect("old.db")) as there, there:
        hurt = f"where run = '{ENDED}' and debate = 'kelby/s1/fluency'"
        there.execute(f"update messages set data = '{{oh' {hurt} and seq = 5")
        there.execute(f"update messages set data = cast(x'7bff7d' as text) {hurt} and seq = 7")
        there.execute(f"update messages set data = '[1]' {hurt} and seq = 9")
        there.execute(f"update calls set prompt = '[1]' {hurt} and number = 1")
        there.execute(f"update calls set completion = '7' {hurt} and number = 2")
        there.execute(f"update debates set row = 'x' where run = '{ENDED}' and id = 'kelby/s1/fluency'")
        there.execute(
            f"update items set data = '{{' || hex(zeroblob(34000000)) where run = '{KILLED}' and number = 1"
        )
    with read_store("old.db") as reader:
        seqs = {message.seq for message in reader.messages(ENDED, "kelby/s1/fluency")}
        assert {4, 6, 8} < seqs
        assert seqs.isdisjoint({5, 7, 9})
        assert next(call.number for call in reader.calls(ENDED, "kelby/s1/fluency")) == 3
        assert len(list(reader.rows(ENDED))) == 3
        assert len(list(reader.items(KILLED))) == 1
        told = list(reader.damage.found)
    assert len(told) == 7
    assert any("more than 64 MiB" in one for one in told)


def test_debates_of_no_run_are_kept_and_told() -> None:
    write_old_store()
    with closing(sqlite3.connect("old.db")) as there, there:
        there.execute(f"delete from runs where id = '{ENDED}'")
    with read_store("old.db") as reader:
        assert len(reader.runs()) == 5
        assert "it has debates, and is not among the runs" in next(iter(reader.damage.found))
    with closing(sqlite3.connect("old.db")) as there:
        assert there.execute("select count(*) from debates where run < 0").fetchone() == (4,)


KILLED_MIDWAY = """
import os, signal, sys
from agentdebate.store.migrations import schema_3
from agentdebate.store.engine import open_engine
import sqlalchemy as sa

count = 0
def die(connection, cursor, statement, *_):
    global count
    count += 1
    if count == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
sa.event.listen(sa.Engine, "before_cursor_execute", die)
open_engine("old.db", create=False).dispose()
"""


@pytest.mark.parametrize("statement", [30, 60, 120, 200])
def test_a_kill_in_the_middle_leaves_the_old_store(statement: int) -> None:
    before = bytes_of(write_old_store())
    died = subprocess.run([sys.executable, "-c", KILLED_MIDWAY, str(statement)], check=False, timeout=60)
    assert died.returncode == -signal.SIGKILL
    assert bytes_of(Path("old.db")) == before
    with read_store("old.db") as reader:
        assert len(reader.runs()) == len(RUNS)


def test_a_migration_that_fails_leaves_the_store_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bytes_of(write_old_store())

    def full(_connection: sa.Connection) -> None:
        upgrade(_connection)
        raise sa.exc.OperationalError("insert", {}, sqlite3.OperationalError("database or disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr("agentdebate.store.migrate.upgrade", full)
        with pytest.raises(StoreError, match=r"cannot be opened: database or disk is full; make room"):
            open_engine("old.db", create=True)
    assert bytes_of(Path("old.db")) == before


def test_a_store_in_which_an_older_version_is_at_work_is_left_alone() -> None:
    before = bytes_of(write_old_store())
    with (
        hold("old.db", KILLED),
        pytest.raises(UsageError, match=f"at work on run {KILLED}: wait until it has ended"),
    ):
        open_engine("old.db", create=False, reading=True)
    assert bytes_of(Path("old.db")) == before


def test_an_old_store_that_cannot_be_changed_is_refused_with_the_way_to_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_old_store()
    monkeypatch.setattr("agentdebate.store.engine.is_writable", lambda _path: False)
    with pytest.raises(UsageError, match="copy it to a folder where you may write, and use the copy"):
        open_engine("old.db", create=False, reading=True)


def test_migrations_from_nothing_lead_to_the_tables_that_a_new_store_has() -> None:
    open_engine("new.db", create=True).dispose()
    new, stepwise = (sa.create_engine(f"sqlite:///{name}") for name in ("new.db", "stepwise.db"))
    with stepwise.begin() as connection:
        upgrade(connection)
    with new.connect() as one, stepwise.connect() as other:
        assert tables_of(one) == tables_of(other)
        assert schema.version_of(one, "one") == schema.version_of(other, "other") == schema.HEAD
    new.dispose()
    stepwise.dispose()


@pytest.mark.postgres
def test_an_old_store_on_a_server_is_brought_up_to_date_in_the_same_way(cluster: Cluster) -> None:
    before = write_old_store("before.db")
    url, fresh = cluster.new_database(), cluster.new_database()
    copy_to_server(before, url)
    with read_store(url) as reader:
        assert tuple(run.id for run in reader.runs()) == RUNS
        for run in RUNS:
            Before(before).check(reader, run)
    open_engine(fresh, create=True).dispose()
    engines = [open_engine(one, create=False) for one in (url, fresh)]
    with engines[0].connect() as one, engines[1].connect() as other:
        assert tables_of(one) == tables_of(other)
    for engine in engines:
        engine.dispose()


def copy_to_server(path: Path, url: str) -> None:
    """Have a server hold what the old file holds, in the old tables."""
    from agentdebate.store.migrations import schema_2
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    from agentdebate.store.driver import engine_for

    engine = engine_for(sa.make_url(url), busy=0)
    with engine.begin() as server, closing(sqlite3.connect(path)) as there:
        with Operations.context(MigrationContext.configure(server)):
            schema_2.upgrade()
        server.exec_driver_sql("create table schema_version (version integer primary key)")
        for table in ("runs", "items", "debates", "messages", "calls", "found", "schema_version"):
            columns = sa.Table(table, sa.MetaData(), autoload_with=server)
            names = list(columns.c.keys())
            rows = there.execute(f"select {', '.join(names)} from {table}").fetchall()
            values = [dict(zip(names, row, strict=True)) for row in rows]
            if table == "calls":
                values = [{**row, "schema": bool(row["schema"])} for row in values]
            server.execute(columns.insert(), values)
    engine.dispose()


def test_a_database_in_which_another_program_has_alembic_is_not_taken_for_a_store() -> None:
    with closing(sqlite3.connect("theirs.db")) as there, there:
        there.execute("create table alembic_version (version_num text)")
        there.execute("insert into alembic_version values ('ae1027a6acf5')")
    for create in (False, True):
        with pytest.raises(UsageError, match=r"theirs.db is a database and not a store of agentdebate"):
            open_engine("theirs.db", create=create)
