"""The user's own file says which folders are theirs; and no endpoint is asked because a folder's file names one."""

import asyncio
from pathlib import Path

import pytest
from listener import Listener
from test_folder_traps import HEAD, MEAN, RECRUITED, SEATS, SOLO, TRAP, Files, evaluator, judged, lay
from typed import ITEM, typed, write

import agentdebate as ad
from agentdebate.errors import ContentError, UsageError, UserError
from agentdebate.project.my_folders import is_mine
from agentdebate.project.trust import Trust
from agentdebate.strategies.strategy_words import StrategyWords

Capsys = pytest.CaptureFixture[str]
CODE = """
from pathlib import Path

import agentdebate as ad
from agentdebate.strategies.solo import Solo

Path("imported").touch()


class Own(Solo):
    pass
"""
OWN = {"own.py": CODE, TRAP: f'{HEAD}"./own.py:Own"\n'}
"""A project whose strategy is code that leaves a mark where it is imported."""
REFUSED = {
    "an address": evaluator("base_url=ADDRESS"),
    "an address of a model": {
        TRAP: f'{SOLO}[models]\nscorer = {{ model = "openai/m", base_url = "ADDRESS" }}\n'
    },
    "code": OWN,
}


def mine(*lines: str) -> None:
    """The user's file."""
    said = "".join(f"{line}\n" for line in lines)
    lay({"config/agentdebate/my-folders": f"# folders of mine\n\n{said}"})


@pytest.mark.parametrize("files", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_names_the_word_that_ends_it_and_then_is_not_refused(
    files: Files, listener: Listener, capsys: Capsys
) -> None:
    lay(files, ADDRESS=listener.address)
    refused = judged(capsys)
    assert refused.code == 2, refused.err
    assert f"write its path, {Path.cwd().resolve()}, on a line of" in refused.err
    assert "my-folders" in refused.err
    assert (listener.requests, Path("imported").exists()) == ([], False)
    mine(str(Path.cwd()))
    allowed = judged(capsys)
    assert "my-folders" not in allowed.err
    assert allowed.code != 2 or "no item has what the evaluators compare with" in allowed.err, allowed.err


def test_a_folder_below_or_above_or_one_that_says_so_itself_is_not_meant(tmp_path: Path) -> None:
    mine(str(tmp_path))
    lay({"below/my-folders": f"{tmp_path / 'below'}\n"})
    assert is_mine(tmp_path)
    assert is_mine(Path())
    assert not is_mine(Path("below"))
    assert not is_mine(tmp_path.parent)
    assert not is_mine(None)


def test_a_link_is_the_folder_that_it_leads_to(tmp_path: Path) -> None:
    Path("real").mkdir()
    Path("foreign").mkdir()
    Path("link").symlink_to("real")
    mine(str(tmp_path / "link"))
    assert is_mine(Path("real"))
    assert is_mine(Path("link"))
    Path("link").unlink()
    Path("link").symlink_to("foreign")
    assert not is_mine(Path("real"))


@pytest.mark.parametrize("line", [".", "judging", "~nobody-of-that-name/x"])
def test_a_path_that_any_folder_could_meet_is_an_error_with_its_line(line: str) -> None:
    mine(line)
    with pytest.raises(ContentError, match="my-folders, line 3"):
        is_mine(Path())


def test_a_link_out_of_the_users_own_folder_is_still_refused(tmp_path: Path, capsys: Capsys) -> None:
    mine(str(tmp_path))
    outside = tmp_path.parent / f"{tmp_path.name}-outside.toml"
    outside.write_text(SOLO, encoding="utf-8")
    Path("strategies").mkdir()
    Path(TRAP).symlink_to(outside)
    assert "leads out of the project" in judged(capsys).err


def test_a_store_says_nothing_in_the_users_name(tmp_path: Path) -> None:
    from agentdebate.project.trust import Trust

    mine(str(tmp_path))
    with pytest.raises(UserError, match="would send requests"):
        Trust().of("run x in the store").check_address("http://evil.test/v1", None, "--base-url")


LOOKS = (
    ("graph", "trap"),
    ("run", "trap", "data.jsonl", "--task", "summarization", "--dry-run"),
    ("sweep", "trap", "data.jsonl", "--task", "summarization", "--vary", "model=offline", "--dry-run"),
)


@pytest.mark.parametrize("words", LOOKS)
def test_looking_at_a_named_folder_imports_its_code_only_where_that_is_allowed(
    words: tuple[str, ...], capsys: Capsys
) -> None:
    write([{"id": "a", **ITEM}])
    lay({f"theirs/{path}": text for path, text in OWN.items()})
    refused = typed(capsys, *words, "--project", "theirs")
    assert refused.code == 2
    assert "--allow-code" in refused.err
    assert not Path("imported").exists()
    assert typed(capsys, *words, "--project", "theirs", "--allow-code").code == 0
    assert Path("imported").exists()


# A run that was given no model asks no endpoint because a file names one.


NAMING = {
    **{place: (files, "scorer") for place, files in SEATS.items()},
    "an evaluator": ({TRAP: f'{MEAN}evaluators = ["endpoint-probability/lure"]\n'}, "an evaluator"),
    "an embedder": ({TRAP: RECRUITED.replace("EMBEDDER", "openai/lure")}, "the embedder"),
}


@pytest.fixture
def usual(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> Listener:
    """A listener at the address that the environment names for OpenAI's models, with the key beside it."""
    monkeypatch.setenv("OPENAI_BASE_URL", listener.address)
    return listener


@pytest.mark.parametrize(("files", "seat"), NAMING.values(), ids=NAMING)
def test_without_a_model_of_the_users_no_endpoint_is_asked_and_the_error_names_the_seat(
    files: Files, seat: str, usual: Listener, capsys: Capsys
) -> None:
    lay(files, MODEL="openai/lure")
    came = judged(capsys)
    assert came.code == 2, came.err
    assert f"{seat} by " in came.err
    assert "lure" in came.err
    assert f"--model, or --allow-endpoint {usual.place}" in came.err
    assert "my-folders" in came.err
    assert usual.requests == []
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize("named", [True, False])
def test_a_library_call_asks_nobody_either(named: bool, usual: Listener) -> None:
    lay(SEATS["models of a strategy"], MODEL="openai/lure")
    item = ad.Item(task="summarization", fields=ITEM)
    strategy = "trap" if named else ad.strategy("trap")
    with pytest.raises(UsageError, match=r"scorer by openai/lure \(strategies/trap\.toml\).*model=\.\.\."):
        asyncio.run(ad.debate(item, strategy, aspects="coherence"))
    with (
        pytest.raises(UsageError, match="scorer by openai/lure"),
        ad.Judge(strategy, task="summarization") as judge,
    ):
        judge(**ITEM)
    assert usual.requests == []


def test_the_users_word_has_it_asked(usual: Listener, capsys: Capsys) -> None:
    lay(SEATS["models of a strategy"], MODEL="openai/lure")
    words = ("--model openai/mine", f"--allow-endpoint {usual.place}", "--agent-model scorer=openai/mine", "")
    for said in words:
        if not said:  # the last of the user's words is a line of a file
            lay({"config/agentdebate/my-folders": f"{Path.cwd()}\n"})
        usual.requests.clear()
        assert "no model was given" not in judged(capsys, *said.split()).err
        assert usual.requests, said


def test_a_card_at_an_address_is_refused_of_who_may_not_name_it() -> None:
    card = ad.Card(
        name="c", title="C", persona="You judge.", model="openai/m:base_url=https://elsewhere.test/v1"
    )
    words = StrategyWords(cast={"critic": card})
    assert words.strategy("debate", ad.Project()).cast["critic"] == (card,)
    with pytest.raises(UserError, match=r"elsewhere\.test"):
        words.strategy("debate", ad.Project(), Trust.allowing(()).of("a store"))
