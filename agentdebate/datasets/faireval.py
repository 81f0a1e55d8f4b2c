"""FairEval (Wang et al. 2023): 80 questions with the answers of ChatGPT and Vicuna-13B, and which of them people prefer.

The label is the majority of three annotators, whose own labels were never published. ChatGPT's answer is the first, as in
the authors' files. Two forms are read: one file of questions with answers and label; and the authors' own files of
questions, of answers, and of labels, one a line in the order of the questions.
"""

from collections.abc import Iterator
from itertools import zip_longest

from agentdebate.datasets.dataset import Dataset, Entry, Form, Part, Parts, Remote, entry
from agentdebate.datasets.row import Row, by_name, name_of, text_of
from agentdebate.errors import nearest

ANSWERS = ("answer_1", "answer_2")
SYSTEM = "chatgpt/vicuna-13b"
"""The systems of the first and the second answer."""

LABELS = {"CHATGPT": (1.0, 0.0), "VICUNA13B": (0.0, 1.0), "TIE": (0.5, 0.5)}
"""A label, and the scores that it gives the two answers."""


def _own(parts: Parts) -> Iterator[Entry]:
    for row in parts["questions"]:
        answers = [text_of(row, "answer_chatgpt"), text_of(row, "answer_vicuna13b")]
        yield _entry(row, "question", answers, row, "human_label")


def _published(parts: Parts) -> Iterator[Entry]:
    names = ("answers of ChatGPT", "answers of Vicuna-13B")
    answers = [by_name(parts[name], "question_id") for name in names]
    for row, label in zip_longest(parts["questions"], parts["labels"]):
        if row is None or label is None:
            raise (row or label).error("there are not as many labels as questions")
        name = name_of(row, "question_id")
        if not all(name in given for given in answers):
            raise row.error(f"question {name} has no answer in one of the files of answers", "question_id")
        yield _entry(row, "text", [text_of(given[name], "text") for given in answers], label, "line")


def _entry(row: Row, question: str, answers: list[str], label: Row, column: str) -> Entry:
    """The question is in a column of its row; the label is in a column of a row of its own."""
    given = text_of(label, column).strip()
    if given not in LABELS:
        raise label.error(f"{given!r} is not a label. {nearest(given, LABELS)}", column)
    fields = {
        "question": text_of(row, question),
        **dict(zip(ANSWERS, answers, strict=True)),
        "category": text_of(row, "category"),
    }
    name = name_of(row, "question_id")
    human = {f"overall.{place}": score for place, score in zip(ANSWERS, LABELS[given], strict=True)}
    return entry(row, "comparison", ANSWERS, fields, id=name, group=name, system=SYSTEM, human=human)


_REPOSITORY = "https://raw.githubusercontent.com/i-Eval/FairEval/453c117a69159fd7b7de2f4e0519bac57bee21f4/"
_FILES = (
    "question.jsonl",
    "answer/answer_gpt35.jsonl",
    "answer/answer_vicuna-13b.jsonl",
    "review/review_gpt35_vicuna-13b_human.txt",
)
_OWN = ("question_id", "category", "question", "answer_chatgpt", "answer_vicuna13b", "human_label")

FAIREVAL = Dataset(
    name="faireval",
    source="Wang et al. 2023 (arXiv 2305.17926)",
    task="comparison",
    forms=(
        Form("one file of questions, answers and labels", (Part("questions", _OWN),), _own),
        Form(
            "the authors' files",
            (
                Part("questions", ("question_id", "text", "category")),
                Part("answers of ChatGPT", ("question_id", "text"), file="answer_gpt35.*"),
                Part("answers of Vicuna-13B", ("question_id", "text"), file="answer_vicuna-13b.*"),
                Part("labels", ("line",), file="review_gpt35_vicuna-13b_human.txt"),
            ),
            _published,
        ),
    ),
    counts={"items": 80},
    size="80 questions: 41 for ChatGPT, 25 for Vicuna-13B, 14 ties",
    home="https://github.com/i-Eval/FairEval",
    licence="The repository names none; questions and answers are from FastChat's evaluation of Vicuna (Apache-2.0).",
    files=tuple(Remote(_REPOSITORY + file) for file in _FILES),
)
"""People's scores are 1 for the answer that they prefer and 0 for the other, and 0.5 for both where it is a tie."""
