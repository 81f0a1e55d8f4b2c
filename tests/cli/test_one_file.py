"""A whole debate in one file, and strategies from a project's Python files, as people run them: processes in a folder of their own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typed import ITEM, typed, write

from agentdebate.project.project import examples_root

Capsys = pytest.CaptureFixture[str]
ONE_FILE = examples_root() / "one_file"
COURT = 'name = "court"\nabout = "A courtroom."\nuses = "./courts.py:Courtroom"\n'
CODE = '''
from pathlib import Path
import agentdebate as ad

Path("imported").touch()
SCORE = ad.talk.Purpose("weigh", ad.talk.Score, prompt="Weigh it as {{ title }}.")

class Courtroom(ad.strategies.Strategy):
    """A court."""

    rounds: int = 1
    cast: dict[str, ad.strategies.Cards] = {"judge": ad.Card(name="judge", title="Judge", persona="You judge.")}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
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
    """Return what comes of a Python file."""
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", ["courtroom", "round_table", "cascade"])
def test_an_example_in_one_file_runs_in_an_empty_folder(name: str) -> None:
    shutil.copy(ONE_FILE / f"{name}.py", f"{name}.py")
    came = python(f"{name}.py")
    assert came.returncode == 0, came.stderr
    assert came.stdout.strip()


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


def test_a_run_in_the_store_never_imports_its_code_by_itself(capsys: Capsys) -> None:
    project(folder="theirs")
    assert typed(capsys, *RUN, "--project", "theirs").code == 0
    Path("imported").unlink()
    for words in (("show",), ("export",), ("resume",), ("list", "runs")):
        typed(capsys, *words)
        assert not Path("imported").exists(), words
    typed(capsys, "resume", "--allow-code")  # of the current folder, which the store does not choose
    assert not Path("imported").exists()


def test_workers_import_the_code_of_a_project_that_is_named(capsys: Capsys) -> None:
    project(folder="theirs")
    entered = typed(capsys, *RUN, "--project", "theirs", "--queue")
    assert entered.code == 0, entered.err
    assert "--project=theirs" in entered.err
    assert typed(capsys, "work", "last", "--allow-code").code == 2
    came = typed(capsys, "work", "last", "--project", "theirs")
    assert came.code == 0, came.err


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


def test_the_test_that_init_makes_passes(capsys: Capsys) -> None:
    assert typed(capsys, "init").code == 0
    came = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_headline_panel.py")
    assert came.returncode == 0, came.stdout
    run = typed(capsys, "run", "headline-panel", "headlines.jsonl", "--task", "headline", "--allow-code")
    assert run.code == 0, run.err
