"""agentdebate resume: what a user types after a run was stopped, killed, or changed under its feet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from run_locks import hold
from typed import RUN, Typed, numbered, typed, write

import agentdebate as ad
from agentdebate.errors import UsageError
from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.function import Function
from agentdebate.store.reader import read_store
from agentdebate.store.run_head import RunHead

Speaks = Callable[[Model], None]
Capsys = pytest.CaptureFixture[str]


class Judge:
    """A model that counts what it is asked, and does something else for some items."""

    def __init__(self, **instead: Exception) -> None:
        self.asked: list[str] = []
        self._instead = instead
        self.model = Function("judge", self._reply)

    def _reply(self, request: ModelRequest) -> str:
        assert request.context is not None
        self.asked.append(request.context.item.id)
        if request.context.item.id in self._instead:
            raise self._instead[request.context.item.id]
        return f"Fine.\n\nCoherence: {1 + len(request.context.item.id) % 5}"


STOP = UsageError("the run is stopped here")


def head(run: str = "last", store: str = "agentdebate.db") -> RunHead:
    with read_store(store) as reader:
        return reader.run(run)


def stopped(capsys: Capsys, speaks: Speaks, count: int = 4, *words: str) -> None:
    """A run of which two debates ended, one after the other."""
    write(numbered(count))
    speaks(Judge(i3=STOP).model)
    came = typed(capsys, *RUN, "-c", "1", *words)
    assert (came.code, head().verdicts, head().ended) == (2, 2, None)


def resumed(capsys: Capsys, speaks: Speaks, *words: str, **instead: Exception) -> tuple[Typed, list[str]]:
    """Return what came of going on, and what was asked for it."""
    judge = Judge(**instead)
    speaks(judge.model)
    return typed(capsys, "resume", *words), judge.asked


def test_calls_that_were_paid_for_before_are_not_counted_as_its_own(capsys: Capsys, speaks: Speaks) -> None:
    asked: list[str] = []

    def reply(request: ModelRequest) -> str:
        assert request.context is not None
        asked.append(request.context.agent)
        if len(asked) == 4:  # the critic of the second item
            raise STOP
        return "NO ISSUE" if request.context.agent == "critic" else "Fine.\n\nCoherence: 3"

    write(numbered(2))
    speaks(Function("judge", reply))
    assert typed(capsys, "run", "debate", *RUN[2:], "-c", "1").code == 2
    came = typed(capsys, "resume")
    assert asked == ["scorer", "critic", "scorer", "critic", "critic"]
    assert "\n2 verdicts, 0 failures, 1 call, " in came.err


def test_it_goes_on_in_the_folder_in_which_it_was_begun(
    capsys: Capsys, speaks: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("here").mkdir()
    Path("elsewhere").mkdir()
    monkeypatch.chdir("here")
    stopped(capsys, speaks)
    monkeypatch.chdir("../elsewhere")
    store = "../here/agentdebate.db"
    came, asked = resumed(capsys, speaks, "--store", store)
    assert (came.code, asked) == (0, ["i3", "i4"])
    assert Path.cwd().name == "elsewhere"
    assert list(Path().iterdir()) == []
    assert head(store=store).ended is not None


def test_a_prompt_that_was_changed_is_noticed_and_taken_anyway(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    root = Path(ad.__file__).parents[1]
    Path("agents").mkdir()
    Path("agents/critic-strict.md").write_text("of no agent in this run", encoding="utf-8")
    Path("prompts/parts").mkdir(parents=True)
    frame = (root / "prompts/parts/frame.md").read_text(encoding="utf-8")
    Path("prompts/parts/frame.md").write_text(f"{frame}\nBe brief.\n", encoding="utf-8")
    came, asked = resumed(capsys, speaks)
    assert (came.code, asked) == (2, [])
    assert (
        "held with another configuration: content files have changed (1): prompts/parts/frame. Start a new run"
        in came.err
    )
    assert "go on anyway (--anyway)" in came.err
    came, asked = resumed(capsys, speaks, "--anyway")
    assert (came.code, asked) == (0, ["i3", "i4"])


def test_a_run_at_which_another_process_is_at_work_is_refused(capsys: Capsys, speaks: Speaks) -> None:
    stopped(capsys, speaks)
    with hold("agentdebate.db", head().id):
        came, asked = resumed(capsys, speaks)
        assert (came.code, asked) == (2, [])
        assert f"another process is at work on run {head().id}; wait for it, or stop it" in came.err
        assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "running"
        assert ", running: 2 verdicts, 0 failures" in typed(capsys, "show").out
    assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "stopped"
    assert ", stopped: 2 verdicts, 0 failures" in typed(capsys, "show").out
    assert typed(capsys, "show", "--json").json[0]["state"] == "stopped"
    resumed(capsys, speaks)
    assert typed(capsys, "list", "runs", "--json").json[0]["state"] == "ended"
    assert ", ended: 4 verdicts, 0 failures" in typed(capsys, "show").out
