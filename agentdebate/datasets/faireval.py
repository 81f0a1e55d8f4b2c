"""FairEval (Wang et al. 2023): 80 questions with the answers of ChatGPT and Vicuna-13B, and which of them people prefer.

The label is the majority of three annotators, whose own labels were never published. ChatGPT's answer is the first, as in
the authors' files. Two forms are read: one file of questions with answers and label; and the authors' own files of
questions, of answers, and of labels, one a line in the order of the questions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from agentdebate.datasets.dataset import Count, Dataset, Entry, Form, Origin, Part, Parts, Remote, Taken
from agentdebate.datasets.row import Row, name_of, text_of
from agentdebate.errors import nearest
from agentdebate.tasks import Item
from agentdebate.visible import is_blank

ANSWERS = ("answer_1", "answer_2")
SYSTEM = "chatgpt/vicuna-13b"
"""Whose answers are the first and the second."""

LABELS = {"CHATGPT": (1.0, 0.0), "VICUNA13B": (0.0, 1.0), "TIE": (0.5, 0.5)}
"""A label, and the scores that it gives the two answers."""

COUNTS = {"CHATGPT": 41, "VICUNA13B": 25, "TIE": 14}
"""How often each label is given."""


def _entry(
    row: Row, question: tuple[str, str, str], answers: tuple[str, str], label: Row, column: str
) -> Entry:
    """`question` is its id, its category and its text; the label is in a column of a row of its own."""
    given = text_of(label, column).strip()
    if given not in LABELS:
        raise label.error(f"{given!r} is not a label. {nearest(given, LABELS)}", column)
    for place, answer in zip(ANSWERS, answers, strict=True):
        if is_blank(answer):
            raise row.error("there is no text here to judge", place)
    human = {f"overall.{place}": score for place, score in zip(ANSWERS, LABELS[given], strict=True)}
    name, category, text = question
    made = Item(
        fields={"question": text, **dict(zip(ANSWERS, answers, strict=True)), "category": category},
        task="comparison",
        id=name,
        group=name,
        system=SYSTEM,
        human=dict(human),
    )
    return Entry(row, made)


def _question(row: Row, text: str) -> tuple[str, str, str]:
    return name_of(row, "question_id"), text_of(row, "category"), text_of(row, text)


def _own(parts: Parts) -> Iterator[Entry]:
    for row in parts["questions"]:
        answers = text_of(row, "answer_chatgpt"), text_of(row, "answer_vicuna13b")
        yield _entry(row, _question(row, "question"), answers, row, "human_label")


def _published(parts: Parts) -> Iterator[Entry]:
    chatgpt, vicuna = (_answers(parts[name]) for name in ("answers of ChatGPT", "answers of Vicuna-13B"))
    labels = iter(parts["labels"])
    row = None
    for row in parts["questions"]:
        question = _question(row, "text")
        label = next(labels, None)
        if label is None:
            raise row.error("the file of labels ends before this question", "question_id")
        answers = _answer(row, question[0], chatgpt), _answer(row, question[0], vicuna)
        yield _entry(row, question, answers, label, "line")
    if (more := next(labels, None)) is not None:
        raise more.error("there are more labels than questions")


def _answers(rows: Iterable[Row]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in rows:
        name = name_of(row, "question_id")
        if name in found:
            raise row.error(f"question {name} has an answer already", "question_id")
        found[name] = text_of(row, "text")
    return found


def _answer(row: Row, question: str, answers: dict[str, str]) -> str:
    if question not in answers:
        raise row.error(f"question {question} has no answer in one of the files of answers", "question_id")
    return answers[question]


def _counts(taken: Taken) -> Iterator[Count]:
    yield Count("questions", sum(COUNTS.values()), len(taken.items))
    scores = {pair: label for label, pair in LABELS.items()}
    found = Counter(
        scores[item.human["overall.answer_1"] or 0.0, item.human["overall.answer_2"] or 0.0]
        for item in taken.items
    )
    for label, wanted in COUNTS.items():
        yield Count(f"labels {label}", wanted, found[label])


_REPOSITORY = "https://raw.githubusercontent.com/i-Eval/FairEval/453c117a69159fd7b7de2f4e0519bac57bee21f4/"
_FILES = (
    "question.jsonl",
    "answer/answer_gpt35.jsonl",
    "answer/answer_vicuna-13b.jsonl",
    "review/review_gpt35_vicuna-13b_human.txt",
)

FAIREVAL = Dataset(
    name="faireval",
    about="Questions with an answer of ChatGPT and one of Vicuna-13B, and which of them people prefer.",
    source="Wang et al. 2023 (arXiv 2305.17926)",
    task="comparison",
    fields=("question", *ANSWERS),
    row="question",
    item="pair",
    forms=(
        Form(
            "one file of questions, answers and labels",
            (
                Part(
                    "questions",
                    (
                        "question_id",
                        "category",
                        "question",
                        "answer_chatgpt",
                        "answer_vicuna13b",
                        "human_label",
                    ),
                ),
            ),
            _own,
        ),
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
    counts=_counts,
    size="80 questions: 41 for ChatGPT, 25 for Vicuna-13B, 14 ties",
    origin=Origin(
        home="https://github.com/i-Eval/FairEval",
        licence="The repository names none; questions and answers are from FastChat's evaluation of Vicuna (Apache-2.0).",
        citation="Wang, Li, Chen, Zhu, Lin, Cao, Liu, Liu and Sui. Large Language Models are not Fair Evaluators. arXiv 2305.17926",
        files=tuple(Remote(_REPOSITORY + file, file) for file in _FILES),
    ),
)
"""People's scores are 1 for the answer that they prefer and 0 for the other, and 0.5 for both where it is a tie."""
