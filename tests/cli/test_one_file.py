"""A whole debate in one file, and strategies from a project's Python files, as people run them: processes in a folder of their own."""

import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typed import ITEM, typed, write

import agentdebate as ad
from agentdebate.project.project import examples_root
from agentdebate.store.reader import read_store

Capsys = pytest.CaptureFixture[str]
ONE_FILE = examples_root() / "one_file"
COURT = 'name = "court"\nabout = "A courtroom."\nuses = "./courts.py:Courtroom"\n'
CODE = '''
from pathlib import Path
import agentdebate as ad

Path("imported").touch()
SCORE = ad.Purpose("weigh", ad.Score, prompt="Weigh it as {{ title }}.")

class Courtroom(ad.Strategy):
    """A court."""

    rounds: int = 1
    cast: dict[str, ad.Cards] = {"judge": ad.Card(name="judge", title="Judge", persona="You judge.")}

    async def debate(self, floor: ad.Floor) -> ad.Verdict:
        score = await floor.ask(floor.one("judge"), SCORE)
        return floor.verdict(score, settled=True, ended="one score")
'''
RUN = ("run", "court", "data.jsonl", "--task", "summarization", "--aspects", "coherence")


def project(code: str = CODE, uses: str = "./courts.py:Courtroom", folder: str = ".") -> None:
    """A project whose strategy is a class in a file."""
    base = Path(folder)
    (base / "strategies").mkdir(parents=True, exist_ok=True)
    (base / "strategies/court.toml").write_text(
        COURT.replace("./courts.py:Courtroom", uses), encoding="utf-8"
    )
    (base / "courts.py").write_text(code, encoding="utf-8")
    write([{"id": name, **ITEM} for name in "ab"])


def python(*words: str) -> "subprocess.CompletedProcess[str]":
    """What comes of a Python file."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", ["courtroom", "round_table", "cascade"])
def test_an_example_in_one_file_runs_in_an_empty_folder(name: str) -> None:
    shutil.copy(ONE_FILE / f"{name}.py", f"{name}.py")
    came = python(f"{name}.py")
    assert came.returncode == 0, came.stderr
    assert came.stdout.strip()


@pytest.mark.parametrize("name", ["courtroom", "round_table", "cascade"])
def test_the_page_shows_the_examples_as_they_are(name: str) -> None:
    page = Path(__file__).parents[2] / "docs/how-to/one-file.md"
    assert (ONE_FILE / f"{name}.py").read_text(encoding="utf-8") in page.read_text(encoding="utf-8")


def test_the_courtroom_of_five_takes_forty_lines_is_shown_with_its_prompts_and_resumed(
    capsys: Capsys,
) -> None:
    assert len((ONE_FILE / "courtroom.py").read_text(encoding="utf-8").splitlines()) <= 40
    shutil.copy(ONE_FILE / "courtroom.py", "courtroom.py")
    first = python("courtroom.py")
    shown = typed(capsys, "show", "last", "1", "--prompts", "--store", "court.db").out
    assert "You heard 2 others." in shown
    assert "Weigh what was said as Judge." in shown
    again = python("courtroom.py", "last")
    assert (again.returncode, again.stdout) == (0, first.stdout)
    with read_store("court.db") as reader:
        assert len(reader.runs()) == 1
        assert reader.count(reader.run_name("last"), "calls") == 5


def test_the_courtroom_moves_into_a_project(capsys: Capsys) -> None:
    project((ONE_FILE / "courtroom.py").read_text(encoding="utf-8"))
    came = typed(capsys, *RUN, "--project", ".")
    assert came.code == 0, came.err


def test_a_run_that_was_killed_goes_on_in_the_same_file() -> None:
    Path("slow.py").write_text(SLOW, encoding="utf-8")
    process = subprocess.Popen([sys.executable, "slow.py"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with closing(process.stdout):
        try:
            assert process.stdout.readline() == "i0\n"  # one debate is on disk, and the others wait
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=120)
    came = python("slow.py", "last")
    assert came.returncode == 0, came.stderr
    assert came.stdout.split() == ["i0", "i1", "i2", "i3"]
    with read_store("s.db") as reader:
        run = reader.run("last")
        assert (run.verdicts, run.failures) == (4, 0)


SLOW = """
import asyncio, sys
import agentdebate as ad
SCORE = ad.Purpose("weigh", ad.Score, prompt="Weigh it.")

class One(ad.Strategy):
    cast: dict[str, ad.Cards] = {"judge": ad.Card(name="judge", title="Judge", persona="You judge.")}
    async def debate(self, floor):
        if floor.item.id != "i0" and not sys.argv[1:]:
            await asyncio.Event().wait()
        return floor.verdict(await floor.ask(floor.one("judge"), SCORE), settled=True, ended="x")

async def main(resume=None):
    items = [ad.Item(id=f"i{n}", task="summarization", fields={"source": "A.", "summary": "B."}) for n in range(4)]
    async with ad.evaluate(items, One(), aspects="fluency", store="s.db", resume=resume, in_order=True) as run:
        async for record in run:
            print(record.item.id, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        RUN,
        ("score", "court", "-f", "source=a", "-f", "summary=b", "--task", "summarization"),
        ("graph", "court"),
        (*RUN, "--dry-run"),
    ],
)
def test_code_of_a_folder_that_nobody_named_is_not_imported(words: tuple[str, ...], capsys: Capsys) -> None:
    project()
    came = typed(capsys, *words)
    assert came.code == 2
    assert "--allow-code" in came.err
    assert "court.toml" in came.err
    assert not Path("imported").exists()


def test_a_library_call_in_that_folder_does_not_import_it_either() -> None:
    project()
    with pytest.raises(ad.UserError, match="allow_code=True"):
        ad.strategy("court")
    assert not Path("imported").exists()
    assert ad.strategy("court", project=ad.Project(Path())).title == "court"
    assert Path("imported").exists()


@pytest.mark.parametrize("words", [("--allow-code",), ("--project", ".")])
def test_code_that_the_user_allowed_or_whose_folder_they_named_is_used(
    words: tuple[str, ...], capsys: Capsys
) -> None:
    project()
    came = typed(capsys, *RUN, *words)
    assert came.code == 0, came.err


@pytest.mark.parametrize("words", [(), ("--project", ".")])
def test_list_imports_nothing_and_says_what_the_strategy_is(words: tuple[str, ...], capsys: Capsys) -> None:
    project()
    came = typed(capsys, "list", "strategies", *words)
    assert "A courtroom." in came.out
    assert not Path("imported").exists()


def test_a_run_in_the_store_never_imports_its_code_by_itself(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(folder="theirs")
    assert typed(capsys, *RUN, "--project", "theirs").code == 0
    Path("imported").unlink()
    for words in (("show",), ("export",), ("resume",), ("list", "runs")):
        typed(capsys, *words)
        assert not Path("imported").exists(), words
    refused = typed(capsys, "resume", "--allow-code")  # the folder is the store's word
    assert (refused.code, "does not say whose code is run" in refused.err) == (2, True)
    assert not Path("imported").exists()


def test_a_run_goes_on_with_the_code_of_its_project_where_that_is_named_again(capsys: Capsys) -> None:
    waits = CODE.replace("        score =", '        assert Path("open").exists()\n        score =')
    project(waits, folder="theirs")
    assert typed(capsys, *RUN, "--project", "theirs").code == 1
    Path("open").touch()
    assert typed(capsys, "resume", "--retry-failed", "--allow-code").code == 2
    came = typed(capsys, "resume", "--retry-failed", "--project", "theirs")
    assert came.code == 0, came.err


def test_a_resume_with_another_project_is_refused(capsys: Capsys) -> None:
    project(folder="theirs")
    project(folder="others")
    assert typed(capsys, *RUN, "--project", "theirs").code == 0
    came = typed(capsys, "resume", "--project", "others")
    assert came.code == 2
    assert "--project: the project of run" in came.err


def test_workers_import_the_code_of_a_project_that_is_named(capsys: Capsys) -> None:
    project(folder="theirs")
    entered = typed(capsys, *RUN, "--project", "theirs", "--queue")
    assert entered.code == 0, entered.err
    assert "--project=theirs" in entered.err
    assert typed(capsys, "work", "last", "--allow-code").code == 2
    came = typed(capsys, "work", "last", "--project", "theirs")
    assert came.code == 0, came.err


@pytest.mark.parametrize(
    ("uses", "says"),
    [
        ("./courts.py:Courtrom", "Did you mean 'Courtroom'?"),
        ("./court.py:Courtroom", "there is no file ./court.py"),
        ("./courts.py", "./FILE.py:CLASS"),
        ("./courts.py:SCORE", "is not a class made from agentdebate.Strategy"),
        ("../courts.py:Courtroom", "leads out of"),
        ("/etc/courts.py:Courtroom", "leads out of"),
    ],
)
def test_what_is_wrong_with_the_name_is_an_error_that_names_the_file(
    uses: str, says: str, capsys: Capsys
) -> None:
    project(uses=uses)
    came = typed(capsys, *RUN, "--allow-code")
    assert came.code == 2
    assert says in came.err
    assert "strategies/court.toml" in came.err


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("x = 1\nraise ValueError('no')\n", "courts.py, line 2: it cannot be imported: ValueError: no"),
        ("x = (\n", "courts.py, line 1: it cannot be imported: SyntaxError"),
        ("raise SystemExit(3)\n", "it cannot be imported: SystemExit"),
        ("import a_module_that_nobody_has\n", "ModuleNotFoundError"),
        (CODE.replace("{{ title }}", "{{ titel }}"), "{{ titel }}"),
    ],
)
def test_what_is_wrong_with_the_code_is_an_error_in_a_line(code: str, says: str, capsys: Capsys) -> None:
    project(code)
    came = typed(capsys, *RUN, "--allow-code")
    assert came.code == 2
    assert says in came.err
    assert "agentdebate itself" not in came.err


def test_a_link_to_code_outside_of_the_project_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    project()
    outside = tmp_path.parent / f"{tmp_path.name}.py"
    shutil.move("courts.py", outside)
    Path("courts.py").symlink_to(outside)
    came = typed(capsys, *RUN, "--allow-code")
    assert (came.code, "leads out of" in came.err) == (2, True)
    assert not Path("imported").exists()


def test_a_file_that_was_changed_is_imported_anew(capsys: Capsys) -> None:
    project()
    assert typed(capsys, *RUN, "--allow-code").code == 0
    project(CODE.replace("Weigh it as", "Judge it as"))
    assert typed(capsys, *RUN, "--allow-code").code == 0
    assert "Judge it as Judge." in typed(capsys, "show", "last", "a", "--prompts").out


PYTHON = """
import asyncio, sys
from pathlib import Path
import agentdebate as ad
items = [ad.Item(id=name, task="summarization", fields=FIELDS) for name in "ab"[: int(sys.argv[1])]] or None

async def main(resume=None):
    how = {"aspects": "coherence", "project": ad.Project(Path()), "store": "agentdebate.db", "resume": resume}
    async with ad.evaluate(items, "court", **how) as run:
        print(sorted([record.id async for record in run]))

asyncio.run(main(*sys.argv[2:]))
"""


def test_a_run_of_python_goes_on_here_and_the_other_way_round(capsys: Capsys) -> None:
    project()
    Path("go.py").write_text(PYTHON.replace("FIELDS", repr(ITEM)), encoding="utf-8")
    assert python("go.py", "1").returncode == 0  # one of two items
    without = typed(capsys, "resume", "--project", ".", "--json")
    assert [row["id"] for row in without.json] == ["a"], without.err
    more = ("resume", "--project", ".", "--data", "data.jsonl", "--json")
    refused = typed(capsys, *more)
    assert (refused.code, "begun with other items (new: 'b')" in refused.err) == (2, True)
    here = typed(capsys, *more, "--anyway")
    assert here.code == 0, here.err
    assert [row["id"] for row in here.json] == ["a", "b"]
    there = python("go.py", "2", "last")
    assert there.stdout == "['a/coherence', 'b/coherence']\n", there.stderr
    assert typed(capsys, *RUN, "--project", ".").code == 0
    for count in ("2", "0"):  # 0: no items are given, so those of the store are taken
        there = python("go.py", count, "last")
        assert there.stdout == "['a/coherence', 'b/coherence']\n", there.stderr


STOPPED = """
import asyncio, os
from pathlib import Path
import agentdebate as ad
items = [ad.Item(id=name, task="summarization", fields=FIELDS) for name in "abcd"]

async def main():
    how = {"aspects": "coherence", "project": ad.Project(Path()), "store": "agentdebate.db", "concurrency": 1}
    async with ad.evaluate(SOURCE, "court", **how) as run:
        async for record in run:
            if record.item.id == "b":
                os._exit(0)  # as a kill does

async def stream():
    for item in items:
        yield item

asyncio.run(main())
"""


def test_a_run_of_python_that_was_killed_goes_on_here_without_its_items(capsys: Capsys) -> None:
    project()
    Path("go.py").write_text(
        STOPPED.replace("FIELDS", repr(ITEM)).replace("SOURCE", "items"), encoding="utf-8"
    )
    assert python("go.py").returncode == 0
    here = typed(capsys, "resume", "--project", ".", "--json")
    assert [row["id"] for row in here.json] == ["a", "b", "c", "d"], here.err
    assert "4 verdicts" in typed(capsys, "show", "last").out


def test_a_run_of_python_that_read_a_stream_needs_its_items_once_more(capsys: Capsys) -> None:
    project()
    Path("go.py").write_text(
        STOPPED.replace("FIELDS", repr(ITEM)).replace("SOURCE", "stream()"), encoding="utf-8"
    )
    assert python("go.py").returncode == 0
    came = typed(capsys, "resume", "--project", ".")
    assert (came.code, "--data FILE" in came.err) == (2, True)
    with_rest = [{"id": name, **ITEM} for name in "abcd"]
    write([*with_rest[1:], {**with_rest[0], "summary": "Another."}], "other.jsonl")
    other = typed(capsys, "resume", "--project", ".", "--data", "other.jsonl")
    assert other.code == 2
    assert "the item 'a'" in other.err
    assert "had other texts" in other.err
    write(with_rest, "rest.jsonl")
    here = typed(capsys, "resume", "--project", ".", "--data", "rest.jsonl", "--json")
    assert (here.code, sorted(row["id"] for row in here.json)) == (0, list("abcd")), here.err


def test_a_strategy_that_has_no_file_is_said_to_go_on_in_python(capsys: Capsys) -> None:
    shutil.copy(ONE_FILE / "courtroom.py", "courtroom.py")
    assert python("courtroom.py").returncode == 0
    came = typed(capsys, "resume", "--store", "court.db")
    assert came.code == 2
    assert "evaluate(..., resume=" in came.err
    assert "with the Courtroom(...) and the tasks that it was begun with" in came.err


def test_the_test_that_init_makes_passes(capsys: Capsys) -> None:
    assert typed(capsys, "init").code == 0
    came = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_headline_panel.py")
    assert came.returncode == 0, came.stdout
    run = typed(capsys, "run", "headline-panel", "headlines.jsonl", "--task", "headline", "--allow-code")
    assert run.code == 0, run.err
