"""agentdebate run: a file in, a table or JSONL out, everything else on standard error."""

import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, NOBODY, RUN, numbered, typed, write

from agentdebate.debates.outcome import ABSTAINED, OutcomeCounts
from agentdebate.debates.record import OFFLINE_NOTE
from agentdebate.models.base import Model
from agentdebate.runs.progress import Progress
from agentdebate.runs.progress_line import duration, short, words
from agentdebate.testing import replying

TASK = RUN[3:]


def test_the_table_has_the_items_in_the_files_order(capsys: pytest.CaptureFixture[str]) -> None:
    write(numbered(12))
    came = typed(capsys, *RUN)
    first = [line.split()[0] for line in came.out.splitlines() if line.startswith("i")]
    assert first[1:] == [f"i{number}" for number in range(1, 13)]
    assert came.code == 0
    again = typed(capsys, "show")
    assert [line.split()[0] for line in again.out.splitlines() if line.startswith("i")][1:] == first[1:]


def test_the_columns_are_in_the_order_of_the_aspects_that_were_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(numbered(3))
    came = typed(capsys, *RUN[:-1], "relevance,coherence")
    heads = [line.split() for line in came.out.splitlines() if line.startswith("item")]
    assert heads == [["item", "relevance", "coherence", "rounds"]]
    assert heads[0] in [line.split() for line in typed(capsys, "show").out.splitlines()]


def test_json_prints_a_row_a_debate_and_nothing_else_on_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(numbered(3))
    came = typed(capsys, *RUN, "--json")
    assert {row["id"] for row in came.json} == {"i1", "i2", "i3"}
    assert {row["models"][0] for row in came.json} == {"offline"}
    assert OFFLINE_NOTE in came.err


def test_the_store_keeps_where_the_items_came_from_and_how_the_run_was_held(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(numbered(3))
    words = (
        "--limit",
        "2",
        "--id",
        "id",
        "--scale",
        "coherence=1-3",
        "--temperature",
        "0",
        "--patience",
        "2",
    )
    typed(capsys, *RUN, *words, "-c", "3")
    (kept,) = (shown["configuration"] for shown in typed(capsys, "show", "--json").json)
    path = Path("data.jsonl").absolute()
    digest = sha256(path.read_bytes()).hexdigest()
    assert kept["data"] == {"path": str(path), "limit": 2, "id": "id", "sha256": digest}
    assert kept["command"]["strategy"] == "solo"
    assert kept["tasks"]["summarization"]["aspects"][0]["scale"]["high"] == 3
    assert (kept["sampling"], kept["patience"], kept["concurrency"]) == ({"temperature": 0.0}, 2, 3)
    assert kept["models"] == [{"name": "offline"}]


@pytest.mark.parametrize("command", [RUN, ("show",), ("show", "last", "i1")])
def test_the_offline_judge_is_called_a_baseline_wherever_its_verdicts_are_shown(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    typed(capsys, *RUN)
    assert OFFLINE_NOTE in typed(capsys, *command).out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.jsonl", json.dumps(ITEM)),
        ("data.json", json.dumps([ITEM])),
        ("data.csv", f'source,summary\n"{ITEM["source"]}","{ITEM["summary"]}"\n'),
        ("data.tsv", f"source\tsummary\n{ITEM['source']}\t{ITEM['summary']}\n"),
    ],
)
def test_every_format_is_read_from_a_file_and_from_standard_input(
    name: str, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(name).write_text(text, encoding="utf-8")
    assert typed(capsys, "run", "solo", name, *TASK, "--json").code == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    ending = Path(name).suffix[1:]
    came = typed(capsys, "run", "solo", "-", *TASK, "--format", ending, "--json")
    assert (came.code, len(came.json)) == (0, 1)


def test_closed_standard_input_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    came = typed(capsys, "run", "solo", "-", *TASK)
    assert came.code == 2
    assert "standard input: it is closed" in came.err


def test_closed_standard_output_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentdebate.cli.app import run

    write(numbered(1))
    monkeypatch.setattr("sys.stdout", None)
    assert run(RUN) == 0


@pytest.mark.parametrize(
    "fields", [("--field", "source=a,summary=b"), ("--field", "source=a", "-f", "summary=b")]
)
def test_fields_are_given_one_by_one_or_with_commas(
    fields: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write([{"a": ITEM["source"], "b": ITEM["summary"]}])
    assert typed(capsys, *RUN, *fields).code == 0


def test_a_comma_in_a_columns_name_is_no_end(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"a,b": ITEM["source"], "summary": ITEM["summary"]}])
    assert typed(capsys, *RUN, "--field", "source=a,b").code == 0


def test_human_scores_group_and_system_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    write([{**ITEM, "g": "A0", "s": 3, "h": 4.5}])
    words = ("--group", "g", "--system", "s", "--human", "coherence=h")
    row = typed(capsys, *RUN, *words, "--json").json[0]
    assert (row["id"], row["group"], row["system"], row["human"]) == ("A0/3", "A0", "3", {"coherence": 4.5})
    shown = typed(capsys, "show").out
    assert "4.500" in shown
    assert "people: the mean of people's scores" in shown


def test_limit_judges_the_first_and_does_not_look_at_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    Path("data.jsonl").write_text(f"{json.dumps(ITEM)}\nno JSON\n", encoding="utf-8")
    assert len(typed(capsys, *RUN, "--limit", "1", "--json").json) == 1


def test_control_characters_never_reach_the_terminal_raw(capsys: pytest.CaptureFixture[str]) -> None:
    bad = "x \x1b[2J\x1b]0;t\x07 \x9b1m \x00 \u202e cat sat."
    write([{"id": f"i{bad}\nj", "source": bad, "summary": bad}])
    debate = ("run", "debate", *RUN[2:])
    for words_ in (debate, ("show",), ("show", "last", f"i{bad}\nj"), ("show", "last", f"i{bad}")):
        came = typed(capsys, *words_)
        both = came.out + came.err
        assert [
            c for c in both if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" or c == "\u202e"
        ] == []
    assert typed(capsys, "export").json[0]["id"] == f"i{bad}\nj"


def test_half_characters_of_json_are_replaced_and_crash_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("data.jsonl").write_text(
        r'{"id": "\ud800", "source": "a \ud83d\ude00 b", "summary": "cat \udc00 sat."}', encoding="utf-8"
    )
    came = typed(capsys, *RUN, "--json")
    assert (came.code, came.json[0]["id"]) == (0, "\N{REPLACEMENT CHARACTER}")
    for words_ in (("show",), ("show", "last", "--json"), ("export", "--what", "messages"), ("export",)):
        assert typed(capsys, *words_).code == 0
    assert "\N{GRINNING FACE}" in typed(capsys, "export", "--what", "messages").out


def test_a_text_of_a_megabyte_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"source": ITEM["source"], "summary": "word " * 200_000}])
    assert typed(capsys, *RUN).code == 0


def test_failures_give_code_1_and_are_added_up_instead_of_listed(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I would rather not.", name="mute"))
    write(numbered(20))
    came = typed(capsys, *RUN, "--model", "mute")
    assert came.code == 1
    assert len(came.err.splitlines()) < 6
    assert "20 x UnreadableReply, for example i1/coherence" in came.err
    assert "first failure of its kind: " in came.err
    assert "0 verdicts, 20 failures" in came.err
    shown = typed(capsys, "show")
    assert "UnreadableReply" in shown.out
    assert shown.code == 1  # nothing was read


def test_one_item_that_fails_ends_nothing_but_itself(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    def odd(request: Any) -> str:
        return "Coherence: 4" if request.context.item.id != "i2" else "No."

    speaks(replying(odd, name="odd"))
    write(numbered(3))
    came = typed(capsys, *RUN, "--json")
    assert (came.code, sorted(row["id"] for row in came.json if row["failure"])) == (1, ["i2"])


def test_a_models_reply_with_control_characters_is_shown_harmless(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("\x1b[31mred\nCoherence: 4", name="red"))
    write(numbered(1))
    typed(capsys, *RUN)
    assert "\x1b" not in typed(capsys, "show", "last", "i1", "--who", "--prompts").out


def test_half_characters_in_a_reply_crash_nothing(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    def reply(request: Any) -> str:
        return "\ud800 fine.\nCoherence: 4" if request.context.item.id == "i1" else "\udc00"

    speaks(replying(reply, name="odd"))
    write(numbered(2))
    assert typed(capsys, *RUN).code == 1
    assert typed(capsys, "show", "last", "i1", "--prompts").code == 0
    for words_ in (("show", "last", "i1", "--json"), ("export", "--what", "calls"), ("export",)):
        came = typed(capsys, *words_)
        assert came.code == 0
        assert came.out.encode()
    assert "\ud800 fine.\nCoherence: 4" in {
        call["completion"]["text"] for call in typed(capsys, "export", "--what", "calls").json
    }


def test_an_address_where_nobody_listens_is_a_failure_that_says_what_to_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "agentdebate.models.registry.compose", lambda provider, *_, **__: provider
    )  # without its waits
    write(numbered(1))
    came = typed(capsys, *RUN, *NOBODY)
    assert came.code == 1
    assert "check that the server runs, and the address in base_url" in came.err


@pytest.mark.shared
@pytest.mark.parametrize("aspects", [["coherence", "fluency"]])
def test_summeval_runs_as_it_lies_there(
    shared: Path, aspects: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "summeval"
    came = typed(
        capsys,
        *("run", "debate", f"{folder / 'summaries.jsonl'}", "--task", "summarization"),
        *("--join", f"{folder / 'articles.jsonl'}", "--on", "article_id", "--field", "source=article"),
        *("--group", "article_id", "--system", "system_id", "--aspects", ",".join(aspects)),
        *("--human", "coherence=coherence", "--human", "fluency=fluency", "--limit", "10", "--json"),
    )
    assert came.code == 0
    assert len(came.json) == 20
    assert {row["group"] for row in came.json} == {"A0"}
    assert all(1 <= row["human"][row["aspects"][0]] <= 5 for row in came.json)


@pytest.mark.shared
def test_topical_chat_runs_as_it_lies_there(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = f"{shared / 'topical_chat' / 'responses.jsonl'}"
    words_ = ("--task", "dialogue", "--group", "dialogue_id", "--system", "system_id", "--limit", "4")
    came = typed(capsys, "run", "debate", data, *words_)
    assert came.code == 0
    assert "D00/Original" in came.out


def test_progress_says_done_failed_rate_calls_tokens_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = OutcomeCounts({"verdict": 2, "curtailed": 1, "failure": 2})
    progress = Progress(total=10, outcomes=ended, calls=12_345, tokens=6_700_000, started=100.0)
    monkeypatch.setattr("agentdebate.runs.progress.time.monotonic", lambda: 110.0)
    assert words(progress) == "5/10 debates, 2 failed, 0.5/s, 12.3k calls, 6.7M tokens, 0:10 left"
    ended.add(ABSTAINED)
    assert words(progress).startswith("6/10 debates, 2 failed, 1 abstained, 0.6/s, ")
    assert words(Progress(started=100.0)) == "0 debates, 0 failed, 0.0/s, 0 calls, 0 tokens"
    assert (short(9999), short(123_456), short(123_456_789)) == ("9999", "123k", "123M")
    assert duration(3723) == "1:02:03"


def test_the_live_line_of_a_long_run_fits_a_terminal_beside_its_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = OutcomeCounts({"verdict": 14_766, "failure": 1_234})
    progress = Progress(total=64_000, outcomes=ended, calls=123_456, tokens=123_456_789, started=0.0)
    monkeypatch.setattr("agentdebate.runs.progress.time.monotonic", lambda: 13_000.0)
    line = words(progress, brief=True)
    assert line.endswith(" left")
    assert len(line) + len("------ ") <= 80


def test_elsewhere_than_on_a_terminal_progress_is_a_plain_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdebate.runs.progress_line.EVERY", 0.0)
    write(numbered(2))
    came = typed(capsys, *RUN)
    lines = [line for line in came.err.splitlines() if "/s, " in line]
    assert len(lines) == 2
    assert lines[-1].startswith("2/2 debates, 0 failed, ")


@pytest.mark.parametrize("width", [80, 160])
def test_tables_fit_the_terminal_and_keep_every_figure(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    texts = {"dialogue": "Hi there.\nHow are you?", "response": "I am fine, and you?"}
    write([{"id": f"D{number}/A system with quite a long name", **texts} for number in range(3)])
    came = typed(capsys, "run", "solo", "data.jsonl", "--task", "dialogue")
    lines = came.out.splitlines()
    assert max(map(len, lines)) <= max(width, len(OFFLINE_NOTE))
    assert sum(line.startswith("D") for line in lines) == (3 if width == 160 else 6), (
        "in two parts on the narrow screen"
    )


def test_a_member_that_is_lost_in_every_debate_makes_no_clean_run(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    """The verdicts are there, and each of them says less than it seems to."""

    def half(request: Any) -> str:
        if request.context.card == "reviewer":
            return ""
        return "Fine.\n\nCoherence: 4"

    speaks(replying(half, name="half"))
    write(numbered(3))
    came = typed(capsys, "run", "chateval-one-by-one", *RUN[2:])
    assert (
        "3 verdicts without some of the ballots or samples (lost: reviewer in 3); agentdebate show "
        in came.out
    )
    assert "3 verdicts (3 of them without some of the ballots or samples), 0 failures" in came.err
    assert "(lost: reviewer in 3)" in typed(capsys, "show").out
    one = typed(capsys, "show", "last", "i1")
    hint = "replies that could not be read, word for word: agentdebate show "
    assert hint in one.out
    assert hint not in typed(capsys, "show", "last", "i1", "--prompts").out


def test_a_long_table_names_the_command_that_prints_all_of_it_and_pays_for_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(numbered(22))
    (line,) = [line for line in typed(capsys, *RUN).out.splitlines() if "more items" in line]
    words_ = (
        line.removeprefix("... and 2 more items; agentdebate ").removesuffix(" prints all of them").split()
    )
    assert (words_[0], words_[-1]) == ("show", "--json")
    assert len(typed(capsys, *words_).json[0]["rows"]) == 22


def test_show_says_how_the_run_was_held_and_what_it_cost(capsys: pytest.CaptureFixture[str]) -> None:
    write(numbered(2))
    words_ = ("--set", "rounds=3", "--cast", "critic=critic-weak", "--limit", "1", "--temperature", "0.5")
    typed(capsys, "run", "debate-tiebreaker", *RUN[2:], *words_)
    said = typed(capsys, "show").out
    for part in ("options of debate: ", "rounds=3", "critic=critic-weak", "temperature=0.5", "limit=1"):
        assert part in said
    assert "aspects: coherence\n" in said
    assert f"data: path={Path('data.jsonl').absolute()}" in said
    assert "\nCosts\n" in said


def test_with_who_the_transcript_numbers_the_messages(capsys: pytest.CaptureFixture[str]) -> None:
    write(numbered(1))
    typed(capsys, "run", "chateval-one-by-one", *RUN[2:])
    said = typed(capsys, "show", "last", "i1", "--who").out
    assert "\n3 general-public, round 1\n" in said
    assert "3 general-public statement" in said
    plain = typed(capsys, "show", "last", "i1").out
    assert "\ngeneral-public, round 1\n" in plain
    talk = plain[: plain.index("Ballots")].splitlines()
    assert [line for line in talk if line != line.rstrip()] == []
