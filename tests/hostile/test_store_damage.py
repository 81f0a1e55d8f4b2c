"""Stores that were damaged or altered: every command says what is wrong in a line, and shows the rest."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from stopped_debates import stop_debates
from typed import RUN, Typed, typed, write

from agentdebate.cli.app import run

TEXTS = (
    "The bridge is shut.",
    "A bridge. Shut, it is said, for weeks and weeks.",
    "No bridge was ever here at all.",
)

Capsys = pytest.CaptureFixture[str]
HURT, WELL = "i1/coherence", ("i2/coherence", "i3/coherence")
LIST, SHOW, EXPORT = ("list", "runs"), ("show", "last"), ("export", "last")
AGREE = ("agree", "last", "--statistic", "bias", "--resamples", "20")
LAST = "(select number from runs order by created desc limit 1)"
NUMBER = f"(select number from debates where id = '{HURT}' and run = {LAST})"
DEBATE = f"where id = '{HURT}' and run = {LAST}"


def command(capsys: Capsys, *words: str) -> Typed:
    came = typed(capsys, *words)
    assert "Traceback" not in came.err
    assert "agentdebate itself" not in came.err
    return came


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of three debates each, and the data that they are about."""
    folder = tmp_path_factory.mktemp("sound")
    data, store = str(folder / "data.jsonl"), folder / "agentdebate.db"
    numbers = range(1, len(TEXTS) + 1)
    write(
        [{"id": f"i{n}", "source": TEXTS[0], "summary": TEXTS[n - 1], "coherence": n} for n in numbers], data
    )
    words = ("run", "solo", data, *RUN[3:], "--human", "coherence=coherence", "--store", str(store), "--json")
    assert run(words) == run(words) == 0
    return store


@pytest.fixture
def store(sound: Path) -> Path:
    """A store of the test's own, in its folder."""
    return Path(shutil.copy(sound, "agentdebate.db"))


def change(store: Path, *statements: str) -> None:
    with closing(sqlite3.connect(store)) as there, there:
        for statement in statements:
            there.execute(statement)


def _last(store: Path) -> str:
    with closing(sqlite3.connect(store)) as there:
        return str(there.execute("select id from runs order by created desc").fetchone()[0])


RECORDS = {
    "not JSON": (f"update debates set row = '{{oh' {DEBATE}", "is damaged: Expecting"),
    "cut short": (f"update debates set row = substr(row, 1, 90) {DEBATE}", "is damaged: Expecting"),
    "too deep": (f"update debates set row = replace(hex(zeroblob(100000)), '0', '[') {DEBATE}", "maximum recursion depth"),
    "a negative count": (f"update debates set row = replace(row, '\"calls\":1', '\"calls\":-1') {DEBATE}", "calls: "),
    "not a number": (f"update debates set row = replace(row, '\"seconds\":', '\"seconds\":NaN,\"x\":') {DEBATE}", "seconds: "),
    "a score beyond all scales": (f"update debates set row = replace(row, '\"scores\":{{\"coherence\":', '\"scores\":{{\"coherence\":1e308,\"x\":') {DEBATE}", "scores.coherence: "),
    "a lost field": (f"update debates set row = replace(row, '\"scores\"', '\"scares\"') {DEBATE}", "scores: Field required"),
    "not UTF-8": (f"update debates set row = cast(x'7bff7d' as text) {DEBATE}", "is damaged: Expecting"),
    "an integer": (f"update debates set row = 7 {DEBATE}", "a JSON int"),
}  # fmt: skip
"""By what was done to the record of one debate: the statement, and words of what is said."""


@pytest.mark.parametrize("name", RECORDS)
def test_one_damaged_record_is_named_and_the_others_are_shown(name: str, store: Path, capsys: Capsys) -> None:
    statement, words = RECORDS[name]
    change(store, statement)
    listed = command(capsys, *LIST)
    assert (listed.code, listed.err, listed.out.count("  ended  ")) == (0, "", 2), "a list reads no debates"
    for how in (SHOW, EXPORT, (*EXPORT, "--format", "csv"), AGREE):
        came = command(capsys, *how)
        assert came.code == 1, how
        told = [line for line in came.err.splitlines() if "is damaged" in line]
        assert len(told) == 1, how
        assert f"the debate '{HURT}'" in told[0]
        assert words in told[0]
        assert came.out, how
    assert [row["debate"] for row in command(capsys, *EXPORT).json] == list(WELL)
    shown = command(capsys, *SHOW)
    assert "i2" in shown.out
    assert "i3" in shown.out
    assert command(capsys, "show", "last", HURT).out, "what was said in it is there"


@pytest.mark.parametrize("words", [SHOW, EXPORT, (*EXPORT, "--what", "calls")])
def test_a_value_that_would_flood_the_memory_is_refused(
    words: tuple[str, ...], store: Path, capsys: Capsys
) -> None:
    change(store, f"update debates set row = '{{' || hex(zeroblob(34000000)) {DEBATE}",
           f"update documents set calls = zeroblob(70000000) where debate = {NUMBER}")  # fmt: skip
    came = command(capsys, *words)
    assert came.code == 1
    assert "too big" in came.err


RUNS = {
    "its configuration is not JSON": "update runs set configuration = '{'",
    "its aspects are a number": "update runs set configuration = '{\"aspects\": 5}'",
    "its time is a word": "update runs set created = 'yesterday'",
    "its time is in no calendar": "update runs set created = 1e300",
    "its strategy is binary": "update runs set strategy = x'ff'",
}


@pytest.mark.parametrize("name", RUNS)
def test_one_damaged_run_is_marked_and_the_other_is_listed_and_shown(
    name: str, store: Path, capsys: Capsys
) -> None:
    first, second = (row["run"] for row in command(capsys, *LIST, "--json").json)
    change(store, f"{RUNS[name]} where id = '{second}'")
    listed = command(capsys, *LIST, "--json")
    assert listed.code == 1
    assert {row["run"]: row["state"] for row in listed.json} == {first: "ended", second: "damaged"}
    assert f"run {second}: the run itself is damaged" in listed.err
    assert "damaged" in command(capsys, *LIST).out
    for words in (
        ("show", second),
        ("export", second),
        ("resume", second),
        ("agree", second, "--statistic", "bias"),
    ):
        came = command(capsys, *words)
        assert (came.code, came.out, came.err.count("\n")) == (1, "", 1), words
        assert f"run {second}: the run itself is damaged" in came.err
    assert command(capsys, "show", first).code == 0
    assert len(command(capsys, "export", first).json) == 3


DOCUMENTS = {
    "its bytes were changed": ("{0} = cast(substr({0}, 1, 20) || x'5a5a5a' || substr({0}, 24) as blob)", "its bytes are not those that were stored"),
    "it is cut": ("{0} = substr({0}, 1, 40)", "its bytes are not those that were stored"),
    "it is a number": ("{0} = 7", "is damaged"),
}  # fmt: skip


@pytest.mark.parametrize("document", ["talk", "calls"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_damaged_document_damages_its_debate_alone_which_is_named(
    name: str, document: str, store: Path, capsys: Capsys
) -> None:
    statement, words = DOCUMENTS[name]
    change(store, f"update documents set {statement.format(document)} where debate = {NUMBER}")
    what = "messages" if document == "talk" else "calls"
    came = command(capsys, "export", "--what", what)
    assert (came.code, {row["debate"] for row in came.json}) == (1, set(WELL))
    told = [line for line in came.err.splitlines() if "is damaged" in line]
    assert len(told) == 1
    assert f"the debate '{HURT}'" in told[0]
    assert words in told[0]
    assert command(capsys, *EXPORT).code == 0, "its verdict is there"
    checked = command(capsys, "store", "check")
    assert checked.code == 1
    assert f"the debate '{HURT}'" in checked.out


def test_control_characters_in_names_do_not_reach_the_terminal(store: Path, capsys: Capsys) -> None:
    evil = "x\x1b[2J\x07\nrun fine: ended"
    with closing(sqlite3.connect(store)) as there, there:
        there.execute(f"update debates set run = ?, row = '?' {DEBATE}", (evil,))
        there.execute("update runs set id = ? where number = " + LAST, (evil,))
        there.execute("update runs set configuration = '{' where id = ?", (evil,))
    came = command(capsys, *LIST)
    assert came.code == 1
    assert "\x1b" not in came.out + came.err
    assert "\x07" not in came.out + came.err
    assert came.err.count("\n") <= 2


STORES = {
    "the version is newer": ("update alembic_version set version_num = '99'", 2, "is no store of this agentdebate (schema 99"),
    "a trigger": ("create trigger t after insert on items begin delete from runs; end", 1, "has the trigger 't'"),
    "a trigger on reading": ("create trigger t after update on runs begin select load_extension('x'); end", 1, "trigger"),
    "a view in the place of a table": ("create view spare as select 1", 1, "has the view 'spare'"),
    "a virtual table": ("create virtual table v using fts5(x)", 1, "has the table 'v'"),
}  # fmt: skip


@pytest.mark.parametrize("name", STORES)
def test_an_altered_store_is_refused_in_a_line_and_left_alone(name: str, store: Path, capsys: Capsys) -> None:
    statement, code, words = STORES[name]
    change(store, statement)
    if "in the place" in name:
        change(
            store,
            "alter table runs rename to old",
            "create view runs as select * from old",
            "drop view spare",
        )
        words = "has the view 'runs'"
    before = store.read_bytes()
    for how in (LIST, SHOW, EXPORT, ("resume",), AGREE):
        came = command(capsys, *how)
        assert (came.code, came.out, came.err.count("\n")) == (code, "", 1), how
        assert words in came.err
    assert store.read_bytes() == before


FILES = {
    "not a database": (b"my notes " * 400, 2, "is not a store"),
    "an empty file": (b"", 2, "not a store of agentdebate"),
    "a header and zeros": (b"SQLite format 3\x00" + bytes(4000), 2, "is not a store"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_a_store_is_refused_and_left_alone(name: str, capsys: Capsys) -> None:
    data, code, words = FILES[name]
    path = Path("agentdebate.db")
    path.write_bytes(data)
    for how in (LIST, SHOW, EXPORT, ("resume",), AGREE):
        came = command(capsys, *how)
        assert (came.code, came.out, came.err.count("\n")) == (code, "", 1), how
        assert words in came.err
    assert path.read_bytes() == data
    assert [one.name for one in Path().iterdir()] == ["agentdebate.db"]


def test_a_call_that_is_damaged_keeps_a_run_from_going_on_unnoticed(store: Path, capsys: Capsys) -> None:
    """What was paid for cannot be given again, and is not paid for twice without a word."""
    stop_debates(store, HURT, _last(store))
    change(store, "update in_flight set entry = x'3f' where call")
    came = command(capsys, "resume")
    assert came.code == 1
    assert f"call 1 of the debate '{HURT}' is damaged" in came.err


@contextmanager
def mounted(*options: str) -> Iterator[Path]:
    """A small file system of its own. Needs root."""
    place = Path("disk").absolute()
    place.mkdir()
    tried = subprocess.run(
        ["mount", "-t", "tmpfs", *options, "tmpfs", str(place)], check=False, capture_output=True, timeout=60
    )
    if tried.returncode:
        pytest.skip("file systems cannot be mounted here: it takes root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True, timeout=60)


def fill(path: Path) -> None:
    """Write a file for as long as there is room."""
    with path.open("wb", buffering=0) as filling:
        try:
            while filling.write(bytes(1024)):
                pass
        except OSError as error:
            assert "No space" in str(error)  # noqa: PT017 - any other error is not what is waited for


def test_a_disk_that_is_full_when_a_run_is_taken_up_is_told_with_the_way_to_go_on(
    store: Path, capsys: Capsys
) -> None:
    change(store, f"update runs set ended = NULL where number = {LAST}")
    stop_debates(store, HURT, _last(store))
    with mounted("-o", "size=20m") as disk:
        there = Path(shutil.copy(store, disk / "agentdebate.db"))
        room = disk / "filling"
        fill(room)
        os.truncate(
            room, room.stat().st_size - 1_000_000
        )  # room for a few calls, and not for what is in flight
        assert command(capsys, *LIST, "--store", str(there)).out.count("stopped") == 1
        came = command(capsys, "resume", "--store", str(there))
        assert came.code == 1
        assert f"make room on the disk of {there}: " in came.err
        room.unlink()
        assert command(capsys, "resume", "--store", str(there)).code == 0
        assert len(command(capsys, *EXPORT, "--store", str(there)).json) == 3
