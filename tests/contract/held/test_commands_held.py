"""Commands beside `run`: one text judged, who hears whom, published datasets, forecasts, limits of a debate, and a project's own prompts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import doors
import pytest
from scripted_endpoint import ScriptedEndpoint

FIELDS = {"source": "The bridge at Kelby is shut for weeks. #3", "summary": "It is shut. #3"}
ANSWERS = {
    "question": "Why is the bridge shut?",
    "answer_1": "Two of its bearings are corroded.",
    "answer_2": "I do not know why.",
}
TASK = ("--task", "summarization", "--aspects", "relevance")


def on(endpoint: ScriptedEndpoint) -> tuple[str, ...]:
    """The model of a command: the scripted endpoint."""
    return "--model", "openai/m", "--base-url", endpoint.base_url


def fields(given: dict[str, str]) -> tuple[str, ...]:
    """The fields of an item as options."""
    return tuple(word for name, text in given.items() for word in ("-f", f"{name}={text}"))


def test_one_text_is_judged_and_the_verdict_printed(endpoint: ScriptedEndpoint) -> None:
    words = ("score", "debate", *TASK, *fields(FIELDS), *on(endpoint))
    (row,) = doors.typed(*words, "--json").json
    assert (row["scores"], row["outcome"], row["ended"]) == ({"relevance": 4.0}, "verdict", "agreement")
    assert (row["calls"], row["prompt_tokens"], row["completion_tokens"]) == (2, 200, 14)
    assert doors.typed(*words, "--quiet").out == "relevance\t4\n"
    said = doors.typed(*words).out
    assert all(text in said for text in (*FIELDS.values(), "NO ISSUE", "relevance 4"))
    assert not Path("agentdebate.db").exists()


def test_one_text_comes_from_files_or_from_standard_input(endpoint: ScriptedEndpoint) -> None:
    Path("source.txt").write_text(FIELDS["source"], encoding="utf-8")
    doors.write_rows("item.json", [FIELDS])
    summary = f"summary={FIELDS['summary']}"
    for words, stdin in (
        (("-f", "source=@source.txt", "-f", summary), None),
        (("--item", "item.json"), None),
        (("--item", "-"), json.dumps(FIELDS)),
    ):
        done = doors.typed("score", "solo", *TASK, *words, *on(endpoint), "--quiet", stdin=stdin)
        assert done.out == "relevance\t4\n", done.err


def test_a_text_that_cannot_be_judged_ends_with_one_and_prints_no_score(endpoint: ScriptedEndpoint) -> None:
    endpoint.text = "I would rather not say."
    words = ("score", "solo", *TASK, *fields(FIELDS), *on(endpoint))
    done = doors.typed(*words, "--form", "text")
    assert done.code == 1
    assert "relevance\t" not in done.out
    (row,) = doors.typed(*words, "--form", "text", "--json").json
    assert (row["outcome"], row["scores"]) == ("failure", {})


@pytest.mark.parametrize("name", doors.built_in("strategies"))
def test_who_hears_whom_is_drawn_of_each_strategy(name: str, golden: Callable[..., None]) -> None:
    done = doors.typed("graph", name, "--json")
    assert done.code == 0, done.err
    (found,) = done.json
    golden(f"graph-{name}", {what: found[what] for what in ("calls", "hearings")})


@pytest.mark.parametrize("name", doors.built_in("strategies"))
def test_each_strategy_judges_on_the_embedded_judge_without_a_network(name: str) -> None:
    said = []
    for task, given in (
        ("summarization", (*fields(FIELDS), "--aspects", "relevance")),
        ("comparison", fields(ANSWERS)),
    ):
        done = doors.typed("score", name, "--task", task, *given, "--json", "--also", "reference=It is shut.")
        if done.code == 0:
            (row,) = done.json
            assert row["outcome"] == "verdict"
            assert row["scores"] or row["winners"] or row["agreed"] is not None
            return
        said.append(done.err)
    pytest.fail("\n".join(said))


PUBLISHED = {
    "summeval": ("summeval", "consistency"),
    "topical-chat": ("topical_chat", "coherence"),
    "faireval": ("faireval", ""),
    "goyal2022": ("goyal2022/cnn.jsonl", ""),
    "hanna": ("hanna", "coherence"),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_dataset_is_read_as_it_is_published(
    name: str, shared: Path, endpoint: ScriptedEndpoint, golden: Callable[..., None]
) -> None:
    place, aspect = PUBLISHED[name]
    data = shared / place
    words = ("--as", name, "--limit", "3", "--concurrency", "1", *(("--aspects", aspect) if aspect else ()))
    done = doors.typed("run", "solo", str(data), *words, *on(endpoint))
    assert done.code == 0, done.err
    rows = doors.typed("export").json
    kept = ("id", "group", "system", "task", "aspects", "human", "candidates")
    golden(f"dataset-{name}", [{one: doors.rounded(row[one]) for one in kept} for row in rows])


@pytest.mark.shared
def test_half_a_published_dataset_is_refused_unless_a_part_is_meant(
    shared: Path, endpoint: ScriptedEndpoint
) -> None:
    lines = (shared / "hanna" / "hanna.jsonl").read_text(encoding="utf-8").splitlines()[:4]
    Path("part.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ("run", "solo", "part.jsonl", "--as", "hanna", "--aspects", "coherence", *on(endpoint))
    refused = doors.typed(*words)
    assert (refused.code, endpoint.received) == (2, [])
    assert "4" in refused.err
    assert doors.typed(*words, "--subset").code == 0
    assert len(endpoint.received) == 4


def test_people_s_scores_on_another_scale_are_mapped_onto_the_aspect_s(endpoint: ScriptedEndpoint) -> None:
    people = [0, 50, 100]
    doors.write_rows("data.jsonl", [{"id": n, **FIELDS, "rating": score} for n, score in enumerate(people)])
    words = ("--human", "relevance=rating", "--human-scale", "0-100", "--concurrency", "1")
    assert doors.typed("run", "solo", "data.jsonl", *TASK, *words, *on(endpoint)).code == 0
    assert [row["human"] for row in doors.typed("export").json] == [
        {"relevance": one} for one in (1.0, 3.0, 5.0)
    ]


def test_columns_of_any_name_are_fields_ids_groups_and_systems(endpoint: ScriptedEndpoint) -> None:
    row = {"doc": "d1", "text": FIELDS["source"], "short": FIELDS["summary"], "who": "m7", "of": "g2"}
    doors.write_rows("data.jsonl", [row])
    words = ("-f", "source=text,summary=short", "--id", "doc,who", "--group", "of", "--system", "who")
    done = doors.typed("run", "solo", "data.jsonl", *TASK, *words, *on(endpoint))
    assert done.code == 0, done.err
    (found,) = doors.typed("export").json
    assert (found["group"], found["system"]) == ("g2", "m7")
    assert "d1" in found["id"]
    assert "m7" in found["id"]


@pytest.mark.parametrize(
    "wrong", [("--limit", "0"), ("--sample", "0"), ("--concurrency", "0"), ("--patience", "0")]
)
def test_a_count_below_one_is_refused(wrong: tuple[str, str], endpoint: ScriptedEndpoint) -> None:
    doors.write_rows("data.jsonl", [{"id": 1, **FIELDS}])
    done = doors.typed("run", "solo", "data.jsonl", *TASK, *on(endpoint), *wrong)
    assert (done.code, endpoint.received) == (2, [])


def test_the_first_items_or_a_drawn_sample_are_judged_alone(endpoint: ScriptedEndpoint) -> None:
    doors.write_rows("data.jsonl", [{"id": f"i{n}", **FIELDS} for n in range(1, 10)])
    drawn = []
    for words in (("--limit", "1"), ("--limit", "2"), ("--sample", "3"), ("--sample", "3")):
        assert doors.typed("run", "solo", "data.jsonl", *TASK, *words, *on(endpoint)).code == 0
        drawn.append(sorted(row["id"] for row in doors.typed("export").json))
    assert drawn[:2] == [["i1"], ["i1", "i2"]]
    assert len(drawn[2]) == 3
    assert drawn[2] == drawn[3]


def test_a_debate_becomes_a_shorter_one_rather_than_take_more_tokens(endpoint: ScriptedEndpoint) -> None:
    doors.write_rows("data.jsonl", [{"id": 1, **FIELDS}])
    endpoint.prompt_tokens = 1500
    words = (
        "run",
        "chateval-one-by-one",
        "data.jsonl",
        *TASK,
        "--set",
        "rounds=4",
        "--max-tokens",
        "50",
        *on(endpoint),
    )
    assert doors.typed(*words).code == 0
    (whole,) = doors.typed("export").json
    assert doors.typed(*words, "--debate-tokens", "9000").code == 0
    (short,) = doors.typed("export").json
    assert (whole["curtailed"], whole["outcome"], short["outcome"]) == ("", "verdict", "curtailed")
    assert short["curtailed"]
    assert short["rounds"] < whole["rounds"]
    assert short["prompt_tokens"] + short["completion_tokens"] <= 9000


TRAPS = {
    "a long loop": "{% for x in range(10**9) %}x{% endfor %}",
    "a long text": "{{ 'x' * 10**10 }}",
    "wide digits": "{{ '%0999999999d' % 1 }}",
    "a wide field": "{{ '{:>999999999}'.format('x') }}",
    "a list of a range": "{{ range(10**10) | list | length }}",
    "a padded text": "{{ 'x'.ljust(10**10) }}",
    "a large power": "{{ 9 ** (9 ** 9) }}",
    "loops in loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}.{% endfor %}{% endfor %}{% endfor %}",
    "a class": "{{ ''.__class__.__mro__ }}",
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_template_of_a_project_neither_runs_on_nor_fills_the_memory(
    trap: str, endpoint: ScriptedEndpoint
) -> None:
    Path("prompts/turns").mkdir(parents=True)
    Path("prompts/turns/score.md").write_text(
        f"---\nname: score\nabout: A trap.\n---\n\n{TRAPS[trap]}\n", encoding="utf-8"
    )
    done = doors.typed("score", "solo", *TASK, *fields(FIELDS), *on(endpoint))
    assert done.code in (1, 2)
    assert endpoint.received == []
    assert "Traceback" not in done.err


WORKING = {
    "a filter": ("{{ 'low' | upper }} {{ 'a' | replace('a', 'b') }}", "LOW b"),
    "a loop": ("{% for n in range(3) %}<{{ n }}>{% endfor %}", "<0><1><2>"),
    "digits": ("{{ '%.2f' % 1.5 }} {{ '%4d' % 7 }}", "1.50    7"),
    "a list": ("{{ range(2, 12, 3) | list | join(';') }}", "2;5;8;11"),
    "a condition": ("{% if aspects %}ASPECTS{% endif %}", ""),
}


@pytest.mark.parametrize("case", WORKING)
def test_a_template_of_a_project_writes_what_it_says(case: str, endpoint: ScriptedEndpoint) -> None:
    template, expected = WORKING[case]
    Path("prompts/turns").mkdir(parents=True)
    Path("prompts/turns/score.md").write_text(
        f"---\nname: score\nabout: Mine.\n---\n\nMINE {template}\n", encoding="utf-8"
    )
    done = doors.typed("score", "solo", *TASK, *fields(FIELDS), *on(endpoint))
    assert done.code == 0, done.err
    assert f"MINE {expected}" in json.dumps(endpoint.received[0].body)


def test_a_new_project_holds_a_strategy_that_runs(endpoint: ScriptedEndpoint) -> None:
    done = doors.typed("init", "court")
    assert done.code == 0, done.err
    assert any(Path("court").rglob("*.toml"))
    assert doors.typed("init", "court").code == 2


def test_a_model_is_checked_and_a_store_is_read_through(endpoint: ScriptedEndpoint) -> None:
    checked = doors.typed("check", "openai/m", "--base-url", endpoint.base_url, "--json")
    assert checked.code in (0, 1), checked.err
    assert json.loads(checked.out)
    doors.write_rows("data.jsonl", [{"id": 1, **FIELDS}])
    assert doors.typed("run", "solo", "data.jsonl", *TASK, *on(endpoint)).code == 0
    (info,) = doors.typed("store", "info", "--json").json
    assert (info["runs"], info["debates"], info["calls"]) == (1, 1, 1)
    assert doors.typed("store", "check").code == 0


PICTURES = {"scores.svg": "<svg", "people.html": "<html"}


@pytest.mark.parametrize("name", PICTURES)
def test_a_run_is_drawn_into_a_file(name: str, endpoint: ScriptedEndpoint) -> None:
    rows: list[dict[str, Any]] = [
        {"id": n, "source": f"Shut. #{n}", "summary": f"Shut. #{n}", "human": {"relevance": 1 + n % 4}}
        for n in range(1, 6)
    ]
    doors.write_rows("data.jsonl", rows)
    assert doors.typed("run", "solo", "data.jsonl", *TASK, *on(endpoint)).code == 0
    done = doors.typed("plot", name.partition(".")[0], "last", "-o", name)
    assert done.code == 0, done.err
    assert PICTURES[name] in Path(name).read_text(encoding="utf-8")
