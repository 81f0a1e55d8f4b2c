"""Options as they were typed, which a run's record keeps and `resume` types again."""

import shlex

import pytest

from agentdebate.cli.app import build
from agentdebate.cli.options.words import plain_word, recorded_words, typed_words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("debate data.jsonl --task t -m openai/x:timeout=5", ["--task=t", "--model=openai/x:timeout=5"]),
        ("debate - -c4 -fsource=a --field=b=c", ["--concurrency=4", "--field=source=a", "--field=b=c"]),
        (
            "debate -x.jsonl --together --dry-run --budget_tokens=4",
            ["--together", "--dry-run", "--budget-tokens=4"],
        ),
        (
            "debate data.jsonl --apart --extra a=-1 --extra b=2",
            ["--together=false", "--extra=a=-1", "--extra=b=2"],
        ),
    ],
)
def test_each_option_is_written_under_its_first_name(line: str, words: list[str]) -> None:
    arguments = build()["run"].assemble_argument_collection()
    assert typed_words(shlex.split(line), arguments) == tuple(words)


@pytest.mark.parametrize(
    "word",
    [
        "--base-url=https://me:hunter2@host.example/v1",
        '--extra=api_key="hunter2"',
        '--extra=headers={"x-api-key": "hunter2"}',
        "--set=token=hunter2",
        "--model=openai/m:api_key=hunter2",
        "--agent-model=critic=openai/m:api_key=hunter2",
    ],
)
def test_a_record_holds_no_secret(word: str) -> None:
    assert "hunter2" not in plain_word(word)
    assert plain_word(word).partition("=")[0] == word.partition("=")[0]


def test_a_record_of_an_earlier_version_is_read_and_no_record_says_what_is_the_user_s_own() -> None:
    named = {
        "folder": "/x", "strategy": "debate", "data": "d.jsonl", "task": "t", "project": None,
        "casting": {"option": ["rounds=2"], "agent_model": []},
        "spending": {"budget_tokens": 5, "limits": {"in_flight": None}, "cache": "on", "cache_file": "x.db"},
        "source": {"subset": True, "dataset": "hanna", "limit": None},
    }  # fmt: skip
    assert recorded_words(named) == [
        "--task=t",
        "--set=rounds=2",
        "--budget-tokens=5",
        "--subset",
        "--as=hanna",
    ]
    assert recorded_words({"options": ["--task=t", "--cache=on", "--allow-code", "--project=x"]}) == [
        "--task=t"
    ]
    assert recorded_words({"options": 3}) == []
