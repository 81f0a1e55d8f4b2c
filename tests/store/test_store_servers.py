"""A store on a database server holds what a file holds; its locks are the server's, and its absence is waited for."""

import logging
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import which

import anyio
import pytest
import sqlalchemy as sa
from postgres_cluster import Cluster, programs
from run_locks import is_held
from small_runs import call, opening

import agentdebate as ad
from agentdebate.errors import StoreError, UsageError
from agentdebate.store import engine as engine_module
from agentdebate.store import writer as writer_module
from agentdebate.store.engine import open_database
from agentdebate.store.reader import read_store
from agentdebate.store.upkeep import delete_run
from agentdebate.store.writer import RunWriter, rewrite_run
from agentdebate.tasks import Item
from agentdebate.testing import replying

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}
QUOTED = """o'b"r;--%s\\"""
NewStore = Callable[[str], str]


@pytest.mark.postgres
async def test_quotation_marks_in_names_of_roles_databases_and_items_are_parts_of_names(
    cluster: Cluster,
) -> None:
    store = cluster.named_database(QUOTED, f"{QUOTED} store")
    given = [Item(fields=FIELDS, task="summarization", id=QUOTED, group=QUOTED, system=QUOTED)]
    async with ad.evaluate(
        given, "solo", model=replying("Fine.\n\nCoherence: 3"), aspects="coherence", store=store
    ) as run:
        assert [record.id async for record in run] == [f"{QUOTED}/coherence"]
    with read_store(store) as reader:
        head = reader.run("last")
        assert reader.item(head.id, QUOTED) == given[0]
        assert reader.named(head.id, QUOTED) == [f"{QUOTED}/coherence"]
        with pytest.raises(UsageError, match="there is no run"):
            reader.run(QUOTED)
    assert delete_run(store, head.id).debates == 1


async def test_a_run_is_written_by_one_process_at_a_time(new_store: NewStore) -> None:
    store = new_store("runs")
    async with opening(store) as writer:
        assert is_held(store, writer.run) is True
        assert is_held(store, "another") is False
        with pytest.raises(UsageError, match=f"another process is at work on run {writer.run}"):
            async with rewrite_run(store, writer.run):
                pass
        async with opening(store) as other:
            assert is_held(store, other.run) is True
    assert is_held(store, writer.run) is False
    async with rewrite_run(store, writer.run) as again:
        assert is_held(store, again.run) is True


# From here on: what a server ends, so that nobody waits for a process that is stopped or cut off.


@pytest.mark.postgres
def test_a_reader_that_waits_between_two_rows_gets_all_of_them(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server leaves its session alone, and what others write meanwhile is not part of what it reads."""
    monkeypatch.setattr(engine_module, "IDLE", 1)
    table = sa.Table("rows", sa.MetaData(), sa.Column("n", sa.Integer, primary_key=True))
    database = open_database(cluster.new_database(), create=True)
    try:
        database.change(table.create)
        database.change(lambda one: one.execute(table.insert(), [{"n": 2 * n} for n in range(3000)]))
        read = list[int]()
        for row in database.stream(sa.select(table).order_by(table.c.n)):
            assert isinstance(row, sa.RowMapping)
            read.append(row["n"])
            if len(read) == 700:
                database.change(lambda one: one.execute(table.insert(), [{"n": 1}, {"n": 5001}]))
                assert database.scalar(sa.text("SELECT 1 FROM pg_sleep(2)")) == 1
        assert read == list(range(0, 6000, 2))
    finally:
        database.close()


# From here on: a server that goes away.


@asynccontextmanager
async def stopped_midway(cluster: Cluster, store: str) -> AsyncIterator[RunWriter]:
    """A run of which one call is on disk when its server stops."""
    async with opening(store) as writer:
        await writer.open("d").call(1, call(1))
        cluster.stop()
        try:
            yield writer
        finally:
            if not cluster.is_running():
                cluster.start()


@pytest.mark.postgres
async def test_a_server_that_comes_back_is_waited_for_and_nothing_is_lost_or_double(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writer_module, "PAUSE", 0.05)
    store = cluster.new_database()
    async with stopped_midway(cluster, store) as writer, anyio.create_task_group() as group:
        for number in range(2, 12):
            group.start_soon(writer.open("d").call, number, call(number))
        with anyio.fail_after(120):
            while not caplog.records:
                await anyio.lowlevel.checkpoint()
        await anyio.to_thread.run_sync(cluster.start)
    with read_store(store) as reader:
        assert [made.number for made in reader.calls(writer.run, "d")] == list(range(1, 12))
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "Trying again for up to 60 s" in caplog.text


@pytest.mark.postgres
async def test_a_server_that_stays_away_ends_the_run_with_the_way_to_go_on(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "PAUSE", 0.02)
    monkeypatch.setattr(writer_module, "WAIT", 0.2)
    store = cluster.new_database()

    async def write() -> None:
        async with stopped_midway(cluster, store) as writer:
            await writer.open("d").call(2, call(2))

    with pytest.raises(StoreError) as caught:
        await write()
    assert "start the database server" in str(caught.value)
    assert "(waited 0.2 s for it)" in str(caught.value)
    assert "What was written before is kept, and run 20" in str(caught.value)
    with read_store(store) as reader:
        head = reader.run("last")
        assert [made.number for made in reader.calls(head.id, "d")] == [1]
        assert head.ended is None
        assert is_held(store, head.id) is False


@pytest.mark.postgres
async def test_a_run_that_another_session_took_while_the_server_was_away_is_left_to_it(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "PAUSE", 0.02)
    monkeypatch.setattr(writer_module, "WAIT", 0.2)
    store = cluster.new_database()

    async def write() -> None:
        async with stopped_midway(cluster, store) as writer:
            cluster.start()
            async with rewrite_run(store, writer.run):
                await writer.open("d").call(2, call(2))

    with pytest.raises(StoreError, match="another session holds run"):
        await write()


# From here on: encryption, and rights.

RIGHTS = (Path(__file__).parents[2] / "docs/how-to/stores.md").read_text(encoding="utf-8")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that has signed itself, and its key."""
    if which("openssl") is None:
        pytest.skip("openssl is not installed, which makes the certificate")
    cert, key = folder / "server.crt", folder / "server.key"
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*words, *names], check=True, capture_output=True, timeout=60)
    return cert, key


@pytest.mark.postgres
def test_a_store_on_a_server_with_a_certificate_is_reached_encrypted(
    cluster: Cluster, tmp_path: Path
) -> None:
    cert, key = certificate(tmp_path)
    store = cluster.new_database()
    encrypted = store.replace("127.0.0.1", "localhost")
    with pytest.raises(StoreError, match="SSL"):
        ad.store.store_info(f"{encrypted}?sslmode=require")
    open_database(store, create=True).close()
    with cluster.encrypted(cert, key):
        assert ad.store.store_info(f"{store}?sslmode=disable").runs == 0
        assert ad.store.store_info(f"{encrypted}?sslmode=verify-full&sslrootcert={cert}").runs == 0
        assert ad.store.store_info(f"{encrypted}?sslmode=require").runs == 0
        for words in ("sslmode=verify-full", f"sslmode=verify-full&sslrootcert={cert}"):
            with pytest.raises(StoreError, match=r"(?i)certificate"):
                ad.store.store_info(f"{store}?{words}")
    with pytest.raises(StoreError, match="sslmodus"):
        ad.store.store_info(f"{store}?sslmodus=require")


@pytest.mark.postgres
async def test_a_role_with_the_rights_that_the_page_gives_reads_runs_and_writes_none(
    cluster: Cluster,
) -> None:
    store = cluster.new_database()
    async with opening(store) as writer:
        await writer.open("d").call(1, call(1))
    rights = RIGHTS.split("```sql\n")[1].split("```")[0]
    rights = rights.replace("DATABASE judging", f"DATABASE {store.rpartition('/')[2]}")
    folder, told = programs(), f"--command={rights.replace('ROLE me', 'ROLE tests')}"
    assert folder is not None
    await anyio.run_process([str(folder / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", told, store])
    theirs = store.replace("tests@", "reader@")
    with ad.open_store(theirs) as opened:
        assert [one.number for one in opened.run("last").calls()] == [1]
    with pytest.raises(StoreError, match="permission denied"):
        await opening(theirs).__aenter__()
