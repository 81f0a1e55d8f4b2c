"""Published digits, agreement, choices and their forms, evaluators without a judge, dynamics, sweeps and exports, as JSON."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import doors
import pytest
import scripted_judge
from scripted_endpoint import ScriptedEndpoint

FOUR = ("naturalness", "coherence", "engagingness", "groundedness")
SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
TRUTH = "Original Ground Truth"
FIGURES = ("--resamples", "0")


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def as_printed(value: float, digits: int) -> str:
    """A figure as papers print it, rounded half up."""
    exact = Decimal(repr(round(value, 12))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return str(exact).replace("0.", ".", 1)


def printed(found: Sequence[Mapping[str, Any]], statistic: str) -> list[str]:
    """The values of one statistic, with three digits."""
    return [as_printed(row["value"], 3) for row in found if row["statistic"] == statistic]


def scored(texts: Sequence[Mapping[str, Any]], scores: Sequence[float | None], name: str) -> None:
    """Write rows with a score of a judge."""
    doors.write_rows(name, [{**row, "mine": score} for row, score in zip(texts, scores, strict=True)])


def unieval(shared: Path) -> tuple[str, ...]:
    """UniEval's predictions beside people's scores on Topical-Chat."""
    folder = shared / "topical_chat"
    return (
        "--data", str(folder / "responses.jsonl"), "--scores", f"unieval={folder / 'unieval_predictions.jsonl'}",
        *FIGURES,
    )  # fmt: skip


PUBLISHED: dict[tuple[str, str], list[str]] = {
    ("topicalchat-pooled", "spearman"): [".514", ".613", ".605", ".575", ".468", ".663"],
    ("debate-table1", "spearman"): [".455", ".602", ".573", ".577"],
    ("debate-table1", "kendall-b"): [".330", ".455", ".430", ".453"],
    ("topicalchat-dialogue", "pearson"): [".493", ".507", ".571", ".571"],
    ("topicalchat-dialogue", "spearman"): [".515", ".560", ".575", ".614"],
}


@pytest.mark.shared
@pytest.mark.parametrize(("convention", "statistic"), PUBLISHED)
def test_unieval_on_topical_chat_has_the_published_digits(
    convention: str, statistic: str, shared: Path
) -> None:
    found = doors.agreed(*unieval(shared), "--convention", convention)
    assert printed(found, statistic) == PUBLISHED[convention, statistic]


OVERLAP = {
    "rouge-l:tokens=whitespace,stem=false,beta=1.2": (
        [".176", ".193", ".295", ".310"],
        [".146", ".203", ".300", ".327"],
    ),
    # ChatEval prints .235 for the second Spearman, which is .23447 rounded twice.
    "bleu:smoothing=1e-15,tokenize=whitespace": (
        [".180", ".131", ".232", ".213"],
        [".175", ".234", ".316", ".310"],
    ),
}


@pytest.mark.shared
@pytest.mark.parametrize("metric", OVERLAP)
def test_overlap_with_the_reference_has_the_published_digits(metric: str, shared: Path) -> None:
    texts = rows_of(shared / "topical_chat" / "responses.jsonl")
    truth = {row["dialogue_id"]: row["response"] for row in texts if row["system_id"] == TRUTH}
    some = [row for row in texts if row["system_id"] != TRUTH]
    scores = doors.measured(metric, [((truth[row["dialogue_id"]],), row["response"]) for row in some])
    scored(some, scores, "scored.jsonl")
    words = ("--score", ",".join(f"{name}=mine" for name in FOUR), "--statistic", "pearson,spearman")
    found = doors.agreed("--data", "scored.jsonl", *words, *FIGURES)
    assert (printed(found, "pearson"), printed(found, "spearman")) == OVERLAP[metric]


@pytest.mark.shared
def test_rouge_2_of_systems_on_summeval_has_the_published_digits(shared: Path) -> None:
    references = {
        row["article_id"]: row["references"] for row in rows_of(shared / "summeval" / "articles.jsonl")
    }
    texts = rows_of(shared / "summeval" / "summaries.jsonl")
    scores = doors.measured("rouge-2", [(references[row["article_id"]], row["summary"]) for row in texts])
    scored(texts, scores, "scored.jsonl")
    words = ("--score", ",".join(f"{name}=mine" for name in SUMMEVAL), "--convention", "summeval-system")
    found = doors.agreed("--data", "scored.jsonl", *words, *FIGURES)
    assert printed(found, "kendall-b") == [".233", ".600", ".494", ".433"]
    assert as_printed(sum(row["value"] for row in found) / 4, 2) == ".44"


@pytest.mark.shared
def test_articles_whose_human_scores_are_constant_are_left_out_and_counted(shared: Path) -> None:
    words = ("--data", str(shared / "summeval" / "summaries.jsonl"), "--convention", "summeval-summary")
    itself = ",".join(f"{name}={name}" for name in SUMMEVAL)
    found = doors.agreed(*words, "--score", itself, *FIGURES)
    assert [row["left_out"] for row in found if row["statistic"] == "kendall-b"] == [0, 4, 2, 0]
    assert {row["value"] for row in found} == {1.0}


@pytest.mark.shared
@pytest.mark.parametrize(("label", "share"), [("1", ".513"), ("2", ".313"), ("tie", ".175")])
def test_the_labels_of_faireval_are_shared_out_as_published(label: str, share: str, shared: Path) -> None:
    doors.write_rows("same.jsonl", [{"question_id": n, "human_label": label} for n in range(1, 81)])
    data = str(shared / "faireval" / "faireval.jsonl")
    accuracy, kappa = doors.agreed(
        "--data", data, "--scores", "same.jsonl", "--convention", "faireval", *FIGURES
    )
    assert (as_printed(accuracy["value"], 3), kappa["value"], accuracy["n"]) == (share, 0.0, 80)


@pytest.mark.shared
def test_pairs_of_drpe_are_those_that_two_annotators_of_three_ticked_first(shared: Path) -> None:
    done = doors.typed(
        "run", "llmscore", str(shared / "goyal2022"), "--as", "goyal2022", "--subset", "--dry-run", "--json"
    )
    assert done.code in (0, 2)
    articles = rows_of(shared / "goyal2022" / "cnn.jsonl")
    assert sum(_decided(row) for row in articles) == 81


def _decided(row: Mapping[str, Any]) -> bool:
    firsts = [[one[kind][0] for one in row["annotators"] if one[kind]] for kind in ("best", "worst")]
    (best, votes), (worst, others) = (Counter(names).most_common(1)[0] for names in firsts)
    return min(votes, others) >= 2 and best != worst


STATISTICS = (
    "pearson", "spearman", "kendall-b", "kendall-c", "pairwise-accuracy", "alpha", "alpha-ordinal", "bias",
    "mean-absolute-error", "root-mean-square-error",
)  # fmt: skip


@pytest.mark.shared
@pytest.mark.parametrize("level", ["pooled", "group", "system"])
def test_statistics_of_scores_are_what_they_were(
    level: str, shared: Path, golden: Callable[..., None]
) -> None:
    columns = ("--on", "dialogue_id,system_id", "--group", "dialogue_id", "--system", "system_id")
    words = ("--aspects", "coherence", "--statistic", ",".join(STATISTICS), "--level", level)
    golden(f"statistics-{level}", doors.agreed(*unieval(shared), *columns, *words))


CHOSEN: list[dict[str, Any]] = [
    {"id": 1, "people": "CHATGPT", "mine": 1, "back": 2, "first": 7, "second": 3, "votes": [1, 1, 2]},
    {"id": 2, "people": "VICUNA13B", "mine": 2, "back": 2, "first": 3, "second": 8, "votes": [2, 1, 1]},
    {"id": 3, "people": "TIE", "mine": "tie", "back": 2, "first": 5, "second": 5, "votes": [2, 1]},
    {"id": 4, "people": "VICUNA13B", "mine": 1, "back": 1, "first": 6, "second": 4, "votes": [2, 2, 2]},
    {"id": 5, "people": "CHATGPT", "mine": None, "back": 1, "first": 9, "second": 1, "votes": [1]},
]
FORMS = (
    "people=mine",
    "people=first,second",
    "people=mine+flip(back)",
    "people=majority(votes)",
    "people=back",
)
LABELLED = ("--labels", "CHATGPT=1,VICUNA13B=2,TIE=tie")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("missing", ["left-out", "wrong", "tie"])
def test_a_form_of_choice_counts_as_it_did(form: str, missing: str, golden: Callable[..., None]) -> None:
    doors.write_rows("pairs.jsonl", CHOSEN)
    words = ("--data", "pairs.jsonl", "--choice", form, *LABELLED, "--missing", missing, "--on", "id")
    golden(f"choice-{FORMS.index(form)}-{missing}", doors.agreed(*words, *FIGURES))


def test_the_accuracy_and_kappa_of_choices_are_what_arithmetic_says() -> None:
    doors.write_rows("pairs.jsonl", CHOSEN)
    words = ("--data", "pairs.jsonl", "--choice", "people=mine", *LABELLED, "--on", "id")
    accuracy, kappa = doors.agreed(*words, *FIGURES)
    chance = (1 * 2 + 2 * 1 + 1 * 1) / 16  # people 1, 2, 1 and the judge 2, 1, 1 of labels 1, 2 and tie
    assert (accuracy["value"], accuracy["n"]) == (0.75, 4)
    assert kappa["value"] == pytest.approx((0.75 - chance) / (1 - chance), abs=1e-6)


ORDERS: list[dict[str, Any]] = [
    {"id": 1, "label": 1, "decision_1": 1, "decision_2": 2},
    {"id": 2, "label": 1, "decision_1": 1, "decision_2": 1},
    {"id": 3, "label": 2, "decision_1": 2, "decision_2": "tie"},
    {"id": 4, "label": 2, "decision_1": 2, "decision_2": 1},
]


def test_both_orders_are_held_against_each_other(golden: Callable[..., None]) -> None:
    doors.write_rows("orders.jsonl", ORDERS)
    words = ("--data", "orders.jsonl", "--choice", "label=decision_1+flip(decision_2)", *FIGURES)
    done = doors.typed("agree", *words, "--statistic", "accuracy", "--json")
    found = json.loads(done.out)
    kept = {name: _values(value) for name, value in found["orders"][0].items()}
    golden("orders", doors.rounded(kept))


def _values(value: Any) -> Any:
    """A figure without its interval."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


ASIAN = {
    "中文": ("回答一", "回答二", "平局"),
    "日本語": ("回答A", "回答B", "引き分け"),
    "한국어": ("답변 1", "답변 2", "무승부"),
}


@pytest.mark.parametrize("language", ASIAN)
def test_labels_in_other_scripts_are_labels(language: str) -> None:
    first, second, tie = ASIAN[language]
    said = [(first, first), (second, second), (tie, tie), (second, first)]
    doors.write_rows("pairs.jsonl", [{"id": n, "people": a, "mine": b} for n, (a, b) in enumerate(said)])
    accuracy, _ = doors.agreed("--data", "pairs.jsonl", "--choice", "people=mine", "--on", "id", *FIGURES)
    assert accuracy["value"] == 0.75


@pytest.mark.parametrize("language", ASIAN)
def test_a_pattern_finds_choices_in_replies_in_other_scripts(language: str) -> None:
    first, second, _ = ASIAN[language]
    said = [(first, f"……[[{first}]]"), (second, f"……[[{second}]]"), (second, f"……[[{first}]]")]
    doors.write_rows("pairs.jsonl", [{"id": n, "people": a, "reply": b} for n, (a, b) in enumerate(said)])
    words = ("--choice", "people=reply", "--read", rf"pattern=\[\[({first}|{second})\]\]", "--on", "id")
    accuracy, _ = doors.agreed("--data", "pairs.jsonl", *words, *FIGURES)
    assert accuracy["value"] == pytest.approx(2 / 3, abs=1e-6)


def test_raw_replies_in_the_form_are_read_and_the_unreadable_counted() -> None:
    people = [{"id": n, "coherence": score} for n, score in enumerate((4, 1, 5, 3), 1)]
    replies = ["It hangs together.\nCoherence: 4", "Coherence: 1", "Coherence: 5", "I would rather not say."]
    doors.write_rows("people.jsonl", people)
    doors.write_rows("replies.jsonl", [{"id": n, "reply": text} for n, text in enumerate(replies, 1)])
    words = (
        "--data",
        "people.jsonl",
        "--replies",
        "mine=replies.jsonl",
        "--reply",
        "reply",
        "--scale",
        "1-5",
    )
    (row,) = doors.agreed(*words, "--aspects", "coherence", "--on", "id", "--statistic", "spearman", *FIGURES)
    assert (row["value"], row["n"], row["missing"]) == (1.0, 3, 1)


@pytest.mark.shared
def test_recorded_replies_of_real_judges_are_read_as_people_read_them(shared: Path) -> None:
    """The authors' own readings are mostly right: nineteen of twenty have to be the same, and few may be refused."""
    rows = [row for row in rows_of(shared / "replies" / "llmbar_natural.jsonl") if row["shown_winner"]][::8]
    texts = [{"id": n, "people": row["shown_winner"], "reply": row["reply"]} for n, row in enumerate(rows)]
    doors.write_rows("recorded.jsonl", texts)
    words = ("--data", "recorded.jsonl", "--choice", "people=reply", "--read", "auto", "--on", "id")
    accuracy, _ = doors.agreed(*words, *FIGURES)
    assert accuracy["value"] > 0.95
    assert accuracy["missing"] < 0.05 * len(rows)


HUMAN: list[dict[str, Any]] = [
    {"id": f"{source}/{n}", "group": source, "system": f"s{n}", "source": f"The bridge is shut. #{n}",
     "summary": f"It is shut for {n} weeks.", "reference": "The bridge is shut for 2 weeks.",
     "human": {"relevance": 1 + (n * step) % 5}}
    for source, step in (("a", 2), ("b", 3)) for n in range(1, 5)
]  # fmt: skip
SUMMARIES = {
    "The bridge is shut for weeks.": (5, 4, 4),
    "The bridge is shut.": (3, 4, 2),
    "Kelby's bridge was opened by a poet.": (2, 1, 2),
    "It rains.": (1, 1, 2),
}
RATED: list[dict[str, Any]] = [
    {"id": f"{source}/{n}", "group": source, "system": f"s{n}", "source": f"The bridge at Kelby is shut. #{n}",
     "summary": text, "reference": "The bridge at Kelby is shut for eleven weeks.", "human": {"relevance": scores[place]}}
    for place, source in enumerate("abc") for n, (text, scores) in enumerate(SUMMARIES.items(), 1)
]  # fmt: skip
RUN = (
    "human.jsonl", "--task", "summarization", "--aspects", "relevance", "--group", "group", "--system", "system",
    "--also", "reference=reference",
)  # fmt: skip
"""On the embedded offline judge, which computes text features: the same in each run of a version."""


def people_s_items(rows: Sequence[Mapping[str, Any]], *fields: str) -> list[Any]:
    """Make items that people have scored, with some of their fields."""
    return [
        doors.item(
            "summarization",
            {name: row[name] for name in fields},
            name=row["id"],
            human=row["human"],
            group=row["group"],
            system=row["system"],
        )
        for row in rows
    ]


def judged() -> None:
    """Hold a run over the items with the scripted judge: a panel that casts ballots in both rounds."""
    items = people_s_items(HUMAN, "source", "summary")
    strategy = doors.strategy("chateval-simultaneous", ballots="every")
    doors.evaluate(items, strategy, scripted_judge.answer, aspects="relevance", store="agentdebate.db")


def test_a_run_agrees_with_the_people_that_came_with_its_items(golden: Callable[..., None]) -> None:
    judged()
    found = doors.agreed("last", "--statistic", "spearman", "--level", "pooled,group,system", *FIGURES)
    golden("agree-run", [{name: row[name] for name in ("level", "n", "value")} for row in found])


def test_evaluators_are_put_together_without_a_judge(golden: Callable[..., None]) -> None:
    doors.write_rows("human.jsonl", HUMAN)
    assert doors.typed("run", "avg", *RUN).code == 0
    rows = doors.typed("export").json
    golden("avg", sorted([row["id"], doors.rounded(row["scores"])] for row in rows))


COUNTED = ("debates", "movement", "influence", "flips", "convergence", "pull")


def test_dynamics_count_who_moved_after_hearing_whom(golden: Callable[..., None]) -> None:
    judged()
    found = json.loads(doors.typed("dynamics", "last", "--json").out)
    golden("dynamics", doors.rounded({name: found[name] for name in COUNTED}))


def test_a_sweep_has_a_row_a_cell_its_openings_and_controls_at_the_same_cost() -> None:
    doors.write_rows("human.jsonl", HUMAN)
    done = doors.typed("sweep", "debate", *RUN, "--vary", "rounds=1,2", "--json")
    assert done.code == 0, done.err
    rows = json.loads(done.out)["rows"]
    calls = {(row["cell"], row["kind"]): row["calls"] for row in rows}
    for cell in ("rounds=1", "rounds=2"):
        assert calls[cell, "same calls"] == calls[cell, "run"] > calls[cell, "openings"] == len(HUMAN)


@pytest.fixture
def on_the_endpoint(endpoint: ScriptedEndpoint) -> tuple[str, ...]:
    """The words for a run over the items on the scripted endpoint, one call after the other."""
    doors.write_rows("human.jsonl", RATED)
    return (*RUN, "--model", "openai/m", "--base-url", endpoint.base_url, "--concurrency", "1")


OF_A_CELL = (
    "cell", "kind", "varied", "judge", "debates", "failures", "calls", "calls_each", "cached", "prompt_tokens",
    "completion_tokens", "coverage",
)  # fmt: skip
OF_A_FIGURE = ("aspect", "statistic", "level", "value", "n", "groups", "missing", "imputed")


def test_a_sweep_has_these_values(on_the_endpoint: tuple[str, ...], golden: Callable[..., None]) -> None:
    measured = ("--statistic", "spearman", "--level", "pooled", "--resamples", "0")
    done = doors.typed(
        "sweep", "chateval-one-by-one", *on_the_endpoint, "--vary", "agents=2,3", *measured, "--json"
    )
    assert done.code == 0, done.err
    rows = [
        {name: row[name] for name in OF_A_CELL}
        | {"agreement": [{name: one[name] for name in OF_A_FIGURE} for one in row["agreement"]]}
        for row in json.loads(done.out)["rows"]
    ]
    golden("sweep", doors.rounded(rows))


EXPORTED: dict[str, tuple[str, ...]] = {
    "verdicts": (
        "id", "group", "system", "task", "strategy", "aspects", "outcome", "scores", "candidates", "winner", "winners", "agreed",
        "settled", "ended", "curtailed", "abstained", "rounds", "missing", "lost", "models", "confidences", "human", "failure",
        "calls", "prompt_tokens", "completion_tokens", "cached_calls",
    ),
    "ballots": (
        "item", "number", "agent", "round", "aspect", "candidate", "score", "reason", "weight", "confidence", "confidence_from",
    ),
    "costs": ("agent", "calls", "prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "cached_calls", "money"),
}  # fmt: skip
"""What is held of each kind of row; times, digests and places in a transcript are not."""
FAILING = "b/2"


def exported() -> None:
    """Hold DEBATE and a panel, each with an item that fails, by the scripted judge."""
    items = people_s_items(HUMAN, "source", "summary")

    def answer(question: doors.Question) -> doors.Reply:
        return doors.Reply("I do not know.") if question.item == FAILING else scripted_judge.answer(question)

    for name in ("chateval-one-by-one", "debate"):
        doors.evaluate(items, name, answer, aspects="relevance", store="agentdebate.db", concurrency=1)


@pytest.mark.parametrize("what", EXPORTED)
def test_an_export_has_these_values(what: str, golden: Callable[..., None]) -> None:
    exported()
    found = {}
    for run in doors.runs("agentdebate.db"):
        rows = doors.typed("export", doors.runs("agentdebate.db")[run], "--what", what).json
        kept = [{name: doors.rounded(row[name]) for name in EXPORTED[what]} for row in rows]
        found[run] = sorted(kept, key=lambda row: json.dumps(row, sort_keys=True))
    golden(f"export-{what}", found)


def test_replies_and_messages_are_exported_word_for_word(golden: Callable[..., None]) -> None:
    exported()
    run = doors.runs("agentdebate.db")["debate"]
    calls = doors.typed("export", run, "--what", "calls").json
    said = [[row["agent"], row["round"], row["attempt"], row["completion"]["text"]] for row in calls]
    golden("export-replies", said)
    messages = [row for row in doors.typed("export", run, "--what", "messages").json if "text" in row]
    texts = {row["text"] for row in messages}
    assert {text for _, _, _, text in said if text.startswith("For ")} <= texts
    golden("export-messages", [[row["sender"], row["to"], row["kind"], row["round"]] for row in messages])


def test_a_table_of_verdicts_for_spreadsheets_has_the_values_of_the_rows() -> None:
    exported()
    run = doors.runs("agentdebate.db")["debate"]
    rows = doors.typed("export", run).json
    table = list(csv.DictReader(StringIO(doors.typed("export", run, "--format", "csv").out)))
    for name in ("id", "group", "system", "outcome", "ended"):
        assert [row[name] for row in table] == [row[name] or "" for row in rows], name
    for name in ("rounds", "calls", "prompt_tokens", "completion_tokens"):
        assert [int(row[name] or 0) for row in table] == [row[name] or 0 for row in rows], name
    scored = [row for row in table if row["id"] != FAILING]
    assert [float(row["score_relevance"]) for row in scored] == [
        row["scores"]["relevance"] for row in rows if row["id"] != FAILING
    ]


HOW: dict[str, tuple[str, ...]] = {
    "avg": (),
    "avg-in-ranges": ("--range", "chrf=0-50"),
    "corrw": ("--how", "corrw"),
    "corrw-spearman": ("--how", "corrw", "--statistic", "spearman", "--folds", "2"),
}


@pytest.mark.parametrize("how", HOW)
def test_scores_of_evaluators_are_aggregated_as_they_were(how: str, golden: Callable[..., None]) -> None:
    strategy = doors.strategy("avg", evaluators=("rouge-1", "rouge-l", "chrf"))
    items = people_s_items(RATED, "source", "summary", "reference")
    doors.evaluate(items, strategy, scripted_judge.answer, aspects="relevance", store="agentdebate.db")
    done = doors.typed("aggregate", "last", *HOW[how], "--json", "-o", "rows.jsonl")
    assert done.code == 0, done.err
    rows = sorted(rows_of(Path("rows.jsonl")), key=lambda row: str(row["id"]))
    golden(f"aggregate-{how}", doors.rounded(rows))


def test_an_export_has_a_row_for_each_debate_in_each_format() -> None:
    doors.write_rows("human.jsonl", HUMAN)
    assert doors.typed("run", "solo", *RUN).code == 0
    rows = doors.typed("export", "last").json
    table = doors.typed("export", "last", "--format", "csv").out.strip().split("\n")
    assert len(rows) == len(table) - 1 == len(HUMAN)
    assert {"id", "group", "system", "scores", "human", "outcome", "calls"} <= set(rows[0])
