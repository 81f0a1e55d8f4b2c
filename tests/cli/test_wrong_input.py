"""Wrong input: one clear line on standard error with place and remedy, and exit code 2."""

import json
from pathlib import Path

import pytest
from typed import ITEM, NOBODY, RUN, SCORE, numbered, typed, write

TASK = RUN[3:]
GOOD = json.dumps(ITEM)
HEAD = '{"source": "a", "summary": '

Capsys = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"{GOOD}\n" * 16 + '{"source": oops}\n', ["data.jsonl, line 17", "not JSON", "column 12"]),
        (f"{GOOD}\n" * 16 + f"{GOOD[:-9]}\n{GOOD}\n", ["data.jsonl, line 17", "not JSON"]),
        (f"{GOOD}\n7\n", ["line 2", "an object is wanted here, not the number 7"]),
        (
            '{"sorce": "a", "summary": "b"}\n',
            ["line 1, 'source'", "Did you mean 'sorce'?", "--field source="],
        ),
        (HEAD + "null}", ["line 1, 'summary'", "a text is wanted here, not null"]),
        (HEAD + '" "}', ["'summary'", "there is no text here to judge"]),
        (f'{{"id": 1, {GOOD[1:]}\n' * 2, ["line 2", "'1' is on line 1 too", "--id"]),
        ("", ["data.jsonl", "nothing in it to judge"]),
        ("[" * 100_000, ["line 1", "cannot be read"]),
        (HEAD + "1" * 5000 + "}", ["line 1", "cannot be read"]),
    ],
)
def test_a_bad_row_is_named_with_file_line_and_field(content: str, said: list[str], capsys: Capsys) -> None:
    Path("data.jsonl").write_text(content, encoding="utf-8")
    came = typed(capsys, *RUN)
    assert (came.code, came.out, came.err.count("\n")) == (2, "", 1)
    assert [part for part in said if part not in came.err] == []
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "debat", "data.jsonl", *TASK), "no strategy 'debat'. Did you mean 'debate'?"),
        (("run", "solo", "none.jsonl", *TASK), "none.jsonl: cannot be read: No such file"),
        (("run", "solo", ".", *TASK), "what a folder holds is not known"),
        ((*RUN, "--format", "yaml"), "'yaml' cannot be read"),
        (("run", "solo", "data.jsonl", "--task", "sumarization"), "Did you mean 'summarization'?"),
        (("run", "solo", "data.jsonl", *TASK[:2], "--aspects", ""), "there is no aspect to be judged"),
        ((*RUN, "--model", "opnai/x"), "no model provider 'opnai'. Did you mean 'openai'?"),
        ((*RUN, "--model", "openai/x"), "set OPENAI_API_KEY"),
        ((*RUN, "--set", "round=2"), "no option 'round'"),
        (("run", "debate", "data.jsonl", *TASK, "--set", "rounds=0"), "'rounds'"),
        ((*RUN, "--set", "rounds"), "--set takes NAME=VALUE, not 'rounds'"),
        (("run", "debate", "data.jsonl", *TASK, "--cast", "critc=critic"), "Did you mean 'critic'?"),
        (("run", "debate", "data.jsonl", *TASK, "--cast", "critic=nobody"), "no agent 'nobody'"),
        ((*RUN, "--scale", "coherence=9"), "'9' is not a scale"),
        ((*RUN, "--limit", "0"), "--limit is at least 1"),
        ((*RUN, "--limit", "x"), "--limit"),
        ((*RUN, "--concurrency", "0"), "--concurrency is at least 1"),
        ((*RUN, "--deadline", "nan"), "--deadline is a number of seconds, more than 0"),
        ((*RUN, "--temperature", "-1"), "--temperature"),
        ((*RUN, "--form", "x"), 'Invalid value "x" for --form. Choose from: "auto"'),
        (
            (*RUN, "--field", "sorce=a"),
            "--field: task 'summarization' has no 'sorce'. Did you mean 'source'?",
        ),
        ((*RUN, "--human", "grace=a"), "--human: task 'summarization' has no 'grace'"),
        ((*RUN, "--join", "data.jsonl"), "--join FILE and --on COLUMN go together"),
        ((*RUN, "--project", "nowhere"), "--project: nowhere is not a folder"),
        ((*RUN, "--store", "nowhere/runs.db"), "there is no folder nowhere"),
        ((*RUN, "--store", "data.jsonl"), "data.jsonl is not a store; name another file"),
        ((*RUN, "--prices", "none.toml"), "none.toml: cannot be read"),
        ((*RUN, "--dry-run", "--prices", "data.jsonl"), "data.jsonl"),
        (
            ("run", "drpe", "data.jsonl", *TASK),
            "the strategy 'drpe' cannot judge this task: it votes on texts",
        ),
        ((*RUN, "--store", "foo://x"), "not one of foo"),
        ((*RUN, "--nope"), "Unknown option: --nope"),
        (("run", "solo"), "parameter DATA requires an argument"),
        (("run", "solo", "data.jsonl", "--task"), "parameter --task requires an argument"),
        (("init", "here", "there"), "Unused Tokens: ['there']"),
        (("nope",), "Unknown command"),
        (("show",), "there is no store agentdebate.db"),
        (("list", "runs"), "there is no store agentdebate.db"),
        ((*SCORE, "-f", "source=a"), "the item lacks summary"),
        ((*SCORE, "-f", "source=a", "-f", "summary=@none.txt"), "none.txt: cannot be read"),
        ((*SCORE, "-f", "source=a", "-f", "summary="), "--field takes NAME=VALUE, not 'summary='"),
        (SCORE, "the item lacks source and summary: --field NAME=TEXT"),
        ((*SCORE, "-f", "sumary=a"), "Did you mean 'summary'?"),
        ((*SCORE, "-f", "summary=a", "-f", "summary=b"), "--field is given twice for 'summary'"),
        ((*SCORE, "-f", "source=a", "-f", "summary=b\udcff"), "not UTF-8"),
        ((*SCORE, "--item", "none.json"), "none.json: cannot be read"),
    ],
)
def test_a_wrong_word_is_told_in_one_line(words: tuple[str, ...], said: str, capsys: Capsys) -> None:
    write([ITEM])
    came = typed(capsys, *words)
    assert (came.code, came.out) == (2, "")
    assert came.err.count("\n") == 1
    assert said in came.err


def test_debug_adds_the_traceback_and_keeps_the_code(capsys: Capsys) -> None:
    quiet, loud = typed(capsys, *RUN), typed(capsys, *RUN, "--debug")
    assert (quiet.code, loud.code) == (2, 2)
    assert "Traceback" not in quiet.err
    assert "Traceback" in loud.err
    assert loud.err.splitlines()[-1] == quiet.err.splitlines()[-1]


def test_an_error_of_ours_is_one_line_too(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.cli.score.item_of", None)
    write([ITEM], "item.json")
    came = typed(capsys, *SCORE, "--item", "item.json")
    assert (came.code, came.err.count("\n")) == (1, 1)
    assert "TypeError" in came.err


def test_a_wrong_name_empties_no_file(capsys: Capsys) -> None:
    write([ITEM])
    typed(capsys, *RUN)
    Path("mine.jsonl").write_text("precious", encoding="utf-8")
    assert typed(capsys, "export", "nope", "-o", "mine.jsonl").code == 2
    assert Path("mine.jsonl").read_text(encoding="utf-8") == "precious"
    assert "nowhere/x.csv cannot be written" in typed(capsys, "export", "-o", "nowhere/x.csv").err
    assert typed(capsys, "export", "--what", "calls", "--format", "csv").code == 2


WRITING = (
    ("agree", "last", "--format", "markdown"),
    ("aggregate", "last"),
    ("export", "last"),
    ("report", "last"),
)


def hold_with_evidence(capsys: Capsys) -> None:
    write([{**ITEM, "expert": 4, "m": 2}, {**ITEM, "expert": 2, "m": 1}])
    evidence = ("--evidence", "m=m", "--set", "evaluators=[]", "--set", 'ranges={"m": "0-10"}')
    judged = ("--task", "summarization", "--aspects", "coherence", "--human", "coherence=expert", *evidence)
    assert typed(capsys, "run", "avg", "data.jsonl", *judged).code == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("agentdebate.db", "agentdebate.db is a store, which would be lost"),
        ("data.jsonl", "data.jsonl is a file that the output is made from, which would be lost"),
        ("./data.jsonl", "data.jsonl is a file that the output is made from, which would be lost"),
    ],
)
@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_command_writes_over_no_store_and_over_no_file_that_it_comes_from(
    capsys: Capsys, command: tuple[str, ...], place: str, said: str
) -> None:
    hold_with_evidence(capsys)
    before = Path(place).read_bytes()
    form = ("--format", "jsonl") if command[0] == "export" else ()
    came = typed(capsys, *command, *form, "-o", place)
    assert (came.code, Path(place).read_bytes() == before) == (2, True)
    assert said in came.err


def test_a_missing_key_is_told_in_the_words_of_the_command_line(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write(numbered(1))
    came = typed(capsys, *RUN, "--model", "openai/gpt-4o-mini")
    assert came.code == 2
    assert "set OPENAI_API_KEY, or name a server of your own with --base-url" in came.err


def test_a_queue_is_not_entered_and_held_at_once(capsys: Capsys) -> None:
    write(numbered(1))
    came = typed(capsys, *RUN, "--queue", "-j", "2")
    assert (came.code, Path("agentdebate.db").exists()) == (2, False)
    assert "--queue, which holds no debate" in came.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cache", "sometimes"), 'Invalid value "sometimes" for --cache. Choose from: "off", "read"'),
        (("--cache", "read"), "--cache read: there is no file agentdebate-cache.db"),
        (("--budget-tokens", "0"), "a budget of tokens is more than 0, not 0"),
        (("--budget-tokens", "-5"), "a budget of tokens is more than 0, not -5"),
        (("--budget-money", "nan"), "a budget of money is more than 0, not nan"),
        (("--budget-money", "1"), "a budget of money needs the price of openai/tiny, which is unknown"),
        (("--budget-money", "1", "--prices", "nowhere.toml"), "nowhere.toml"),
        (("--debate-tokens", "0"), "what a debate may take in tokens is more than 0, not 0"),
        (("--debate-seconds", "nan"), "what a debate may take in seconds is more than 0, not nan"),
        (
            ("--debate-money", "1"),
            "a debate's budget of money needs the price of openai/tiny, which is unknown",
        ),
        (("--requests-per-minute", "0"), "--requests-per-minute is at least 1, not 0"),
        (("--tokens-per-minute", "-1"), "--tokens-per-minute is at least 1, not -1"),
        (("--in-flight", "0"), "--in-flight is at least 1, not 0"),
    ],
)
def test_an_option_that_means_nothing_is_misuse(words: tuple[str, ...], said: str, capsys: Capsys) -> None:
    write(numbered(1))
    came = typed(capsys, *RUN, *NOBODY, *words)
    assert (came.code, came.out) == (2, "")
    assert said in came.err
    assert "Traceback" not in came.err
    assert not Path("agentdebate.db").exists()
