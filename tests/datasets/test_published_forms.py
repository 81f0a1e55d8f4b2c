"""Datasets in the forms in which their authors publish them: which items they give, with whose ratings; and damaged rows."""

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_files import (
    FOUR,
    SAID,
    annotation,
    as_csv,
    as_json,
    as_jsonl,
    faireval,
    first,
    four,
    goyal_article,
    hanna_rows,
    part,
    unieval_summary,
    usr_dialogue,
)

import agentdebate as ad
from agentdebate.errors import DataError
from agentdebate.tasks import Item

HANNA = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")


class TestSummEval:
    def test_experts_and_crowd_workers_are_kept_one_by_one(self) -> None:
        as_jsonl("both/model_annotations.aligned.jsonl", [annotation()])
        as_json("both/summeval.json", [unieval_summary(), unieval_summary(system="M9")])
        taken = part("summeval", "both")
        assert taken.items[0].fields["source"] == "The article dm-1."
        assert taken.form == "the authors' annotations with UniEval's articles"
        experts, turkers = taken.ratings["dm-1/M8"]
        assert experts.kind == "expert"
        assert experts.scores["coherence"] == [1.0, 2.0, 2.0]
        assert turkers.scores["coherence"] == [1.0, 2.0, 3.0, 4.0, 5.0]
        assert taken.kinds == ("expert", "turker")
        assert turkers.scores["relevance"] == [3.0] * 5

    def test_unievals_json_has_means_and_one_reference(self) -> None:
        item = first("summeval", as_json("summeval.json", [unieval_summary()]))
        assert item.id == "dm-1/M8"
        assert item.human == {"coherence": 1.666667, "consistency": 5.0, "fluency": 5.0, "relevance": 2.0}
        assert item.fields == {
            "source": "The article dm-1.",
            "summary": "A summary by M8.",
            "reference_1": "One.",
        }

    def test_peoples_scores_are_mapped_onto_another_scale_of_an_aspect(self) -> None:
        path = as_json("s.json", [unieval_summary(scores=four(1, 5, 4, 2))])
        task = ad.load_task("summarization").rescaled({"fluency": ad.Scale.parse("1-3")})

        def human(scale: str) -> dict[str, float | None]:
            source = ad.DataSource(path, dataset="summeval", subset=True, human_scale={"fluency": scale})
            return source.load(task).items[0].human

        assert human("1-5") == four(1, 5, 2, 2) | {"fluency": 2.5}
        with pytest.raises(
            DataError, match=r"s\.json, item 'dm-1/M8', 'fluency': people's score 4 is outside"
        ):
            human("1-3")

    def test_a_wrong_score_is_named_with_its_place(self) -> None:
        bad = annotation(expert_annotations=[four(1, 1, 1, 1), {**four(1, 1, 1, 1), "fluency": "?"}])
        as_jsonl("bad/a.jsonl", [annotation(), bad])
        as_json("bad/summeval.json", [unieval_summary()])
        with pytest.raises(
            DataError, match=r"a\.jsonl, line 2, 'expert_annotations\[1\]\.fluency': a number"
        ):
            part("summeval", "bad")
        scores = {**unieval_summary()["scores"], "coherence": True}
        with pytest.raises(DataError, match=r"line 2, 'scores\.coherence': a number is wanted"):
            part("summeval", as_json("a.json", [unieval_summary(scores=scores)]))

    def test_single_ratings_of_our_own_form_are_lists_in_the_order_of_the_aspects(self) -> None:
        summary = {"article_id": "A0", "system_id": "M1", "summary": "Short.", **four(1, 2, 3, 4)}
        as_jsonl("own/articles.jsonl", [{"article_id": "A0", "article": "Long.", "references": ["R."]}])
        as_jsonl(
            "own/summaries.jsonl", [{**summary, "expert": [[1, 2, 3, 4], [1, None, 3, 4]], "turker": None}]
        )
        taken = part("summeval", "own")
        assert taken.ratings["A0/M1"][0].scores["consistency"] == (2.0, None)
        assert taken.items[0].human == {name: float(n) for n, name in enumerate(FOUR, 1)}
        as_jsonl("own/summaries.jsonl", [{**summary, "expert": [[1, 2, 3]]}])
        with pytest.raises(DataError, match=r"line 1, 'expert\[0\]': a list of 4 scores"):
            part("summeval", "own")


class TestTopicalChat:
    def test_dialogues_are_numbered_and_what_was_said_next_is_the_others_reference(self) -> None:
        rows = [
            usr_dialogue("Original Ground Truth", "Argmax Decoding", fact="_nofact\n"),
            usr_dialogue("Argmax Decoding"),
        ]
        truth, other, elsewhere = part("topical-chat", as_json("tc_usr_data.json", rows)).items
        assert [item.id for item in (truth, other, elsewhere)] == [
            "D00/Original Ground Truth",
            "D00/Argmax Decoding",
            "D01/Argmax Decoding",
        ]
        assert truth.fields == {"dialogue": SAID, "response": "says Original Ground Truth"}
        assert other.fields["reference"] == "says Original Ground Truth"
        assert elsewhere.fields == {"dialogue": SAID, "fact": "a fact\n", "response": "says Argmax Decoding"}


class TestFairEval:
    @pytest.mark.parametrize(
        ("labels", "said"),
        [
            ("CHATGPT\nTIE\n", "question.jsonl, line 3: there are not as many labels as questions"),
            ("TIE\n" * 4, "human.txt, line 4: there are not as many labels as questions"),
            ("TIE\nDRAW\nTIE\n", "human.txt, line 2, 'line': 'DRAW' is not a label"),
        ],
    )
    def test_labels_that_do_not_go_with_the_questions_are_named(self, labels: str, said: str) -> None:
        with pytest.raises(DataError) as raised:
            part("faireval", faireval(labels=labels))
        assert said in str(raised.value)

    def test_a_question_without_an_answer_is_named(self) -> None:
        folder = faireval()
        path = folder / "answer" / "answer_gpt35.jsonl"
        path.write_text(
            "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]), encoding="utf-8"
        )
        with pytest.raises(DataError, match=r"line 3, 'question_id': question 3 has no answer"):
            part("faireval", folder)


class TestGoyal:
    def test_a_wrong_tick_is_named_as_the_authors_name_it(self) -> None:
        path = as_json("cnn_human.json", {"0": goyal_article(("gpt3", "t0"), ("gpt2", "t0"), ("t0", "t0"))})
        with pytest.raises(
            DataError, match=r"line 2, 'annotators\[1\]\.best_summary': 'gpt2' is not a system"
        ):
            part("goyal2022", path)

    def test_the_files_name_says_whose_the_articles_are(self) -> None:
        path = as_json("human.json", {"0": goyal_article(*[("gpt3", "t0")] * 3)})
        with pytest.raises(
            DataError, match=r"line 2: the file's name says whose articles these are: cnn_human"
        ):
            part("goyal2022", path)

    def test_of_two_outlets_in_a_folder_one_has_to_be_named(self) -> None:
        for outlet in ("cnn", "bbc"):
            as_json(f"two/{outlet}_human.json", {"0": goyal_article(*[("gpt3", "t0")] * 3)})
        with pytest.raises(
            DataError, match=r"several files hold the articles: bbc_human\.json, cnn_human\.json"
        ):
            part("goyal2022", "two")


class TestHanna:
    def test_the_annotators_of_a_story_are_put_together(self) -> None:
        rows = hanna_rows(
            ("0", "A prompt.", "Human"), ("1", "Another.", "Human"), ("96", "A prompt.", "GPT-2")
        )
        taken = part("hanna", as_csv("hanna_stories_annotations.csv", rows))
        assert [item.id for item in taken.items] == ["P0/Human", "P1/Human", "P0/GPT-2"]
        assert taken.items[2] == Item(
            fields={"prompt": "A prompt.", "story": "A story of GPT-2.", "reference": "What a person wrote."},
            task="story",
            id="P0/GPT-2",
            group="P0",
            system="GPT-2",
            human=dict(zip(HANNA, (2.333333, 4.0, 3.0, 2.0, 3.0, 5.0), strict=True)),
        )
        assert "reference" not in taken.items[0].fields
        (ratings,) = taken.ratings["P0/GPT-2"]
        assert ratings.scores["relevance"] == [1.0, 2.0, 4.0]


class TestFilesOfNoForm:
    def test_the_fields_of_the_file_and_of_every_form_are_named(self) -> None:
        row = unieval_summary()
        row["system"] = row.pop("system_id")
        with pytest.raises(DataError) as raised:
            part("summeval", as_json("s.json", [row]))
        assert "s.json has doc_id, source, reference, system_output, scores, system" in str(raised.value)
        assert (
            "UniEval's JSON is the summaries (with source, system_output, scores, doc_id, system_id)"
            in str(raised.value)
        )

    def test_files_of_a_folder_that_cannot_be_read_are_named(self) -> None:
        as_jsonl("f/a.jsonl", [{"x": 1}])
        Path("f/b.json").write_text("{", encoding="utf-8")
        with pytest.raises(DataError, match=r"f/b\.json, line 1: this is not JSON"):
            part("hanna", "f")


# Whatever stands in a row: there are items, or an error that says where.


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ARTICLE = {
    "article_id": "cnn-0",
    "article": "News.",
    "summaries": {"a": "A.", "b": "B."},
    "annotators": [{"best": ["a"], "worst": ["b"]}] * 3,
}
FORMS: list[tuple[str, Any]] = [
    ("summeval", [unieval_summary(), unieval_summary(system="M9")]),
    ("topical-chat", [usr_dialogue("Original Ground Truth", "Argmax Decoding")]),
    ("goyal2022", {"0": goyal_article(*[("gpt3", "t0")] * 3), "1": goyal_article(*[("t0", "gpt3")] * 3)}),
    ("goyal2022", [ARTICLE, {**ARTICLE, "article_id": "cnn-1"}]),
    ("hanna", hanna_rows(("0", "A prompt.", "Human"), ("1", "Another.", "GPT-2"))),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(place for key, one in inner for place in places(one, (*path, key)))]


@settings(max_examples=60)
@pytest.mark.parametrize(("name", "data"), FORMS)
@given(draw=st.data())
def test_a_value_that_is_another_one_gives_items_or_an_error_that_names_the_file(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: Any, draw: st.DataObject
) -> None:
    damaged = copy.deepcopy(data)
    *way, last = draw.draw(st.sampled_from(places(data)))
    inner = damaged
    for key in way:
        inner = inner[key]
    inner[last] = draw.draw(JSON)
    path = as_json(tmp_path_factory.getbasetemp() / "cnn_damaged.json", damaged)
    assert given_or_named(name, path)


def given_or_named(name: str, path: Path) -> bool:
    try:
        taken = part(name, path)
    except DataError as error:
        return str(error).startswith(str(path))
    return len(taken.items) > 0 and all(item.id for item in taken.items)
