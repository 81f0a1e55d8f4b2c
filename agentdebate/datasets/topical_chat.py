"""Topical-Chat with the ratings of USR (Mehri and Eskenazi 2020): six responses to each of 60 dialogues.

People's score of an aspect is the mean of three annotators. Two forms are read: a file of responses; and USR's own
JSON, a dialogue a row with the single ratings. Where the file names no
dialogues they are D00, D01 and so on, in its order, a dialogue being a conversation with the fact that goes with it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from agentdebate.datasets.dataset import Dataset, Entry, Form, Part, Parts, Ratings, Remote, entry
from agentdebate.datasets.row import Row, name_of, number_of, numbers_of, objects_of, text_of
from agentdebate.tasks import Item

PEOPLE = "Original Ground Truth"
"""The system that is what was really said next; it is the others' reference."""
NO_FACT = "_nofact"
"""The word in the place of a fact where there is none."""

USR = {
    "naturalness": "Natural",
    "coherence": "Maintains Context",
    "engagingness": "Engaging",
    "groundedness": "Uses Knowledge",
    "understandability": "Understandable",
    "overall": "Overall",
}
"""The aspects, and what USR calls them."""


def _own(parts: Parts) -> Iterator[Entry]:
    return _with_references(
        _entry(
            row,
            name_of(row, "dialogue_id"),
            (text_of(row, "dialogue"), text_of(row, "fact"), text_of(row, "response")),
            name_of(row, "system_id"),
            {aspect: number_of(row, aspect) for aspect in USR},
        )
        for row in parts["responses"]
    )


def _usr(parts: Parts) -> Iterator[Entry]:
    names: dict[tuple[str, str], str] = {}
    return _with_references(
        _rated(names, row, response)
        for row in parts["dialogues"]
        for response in objects_of(row, "responses")
    )


def _rated(names: dict[tuple[str, str], str], row: Row, response: Row) -> Entry:
    """A response with its ratings; the name of a dialogue is that of its place among those before."""
    said, fact = text_of(row, "context"), text_of(row, "fact")
    name = names.setdefault((said, fact), f"D{len(names):02}")
    ratings = Ratings("annotator", {aspect: numbers_of(response, column) for aspect, column in USR.items()})
    texts = said, fact, text_of(response, "response")
    return _entry(response, name, texts, name_of(response, "model"), ratings.means(), ratings)


def _entry(
    row: Row,
    dialogue: str,
    texts: tuple[str, str, str],
    system: str,
    human: Mapping[str, float | None],
    *ratings: Ratings,
) -> Entry:
    said, fact, response = texts
    known = {} if fact.strip() in {"", NO_FACT} else {"fact": fact}
    fields = {"dialogue": said, "response": response, **known}
    return entry(
        row, "dialogue", ["response"], fields, group=dialogue, system=system, human=human, ratings=ratings
    )


def _with_references(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Each response with what was really said next as its reference."""
    made = [(one, one.made) for one in entries if isinstance(one.made, Item)]
    said = {item.group: item.fields["response"] for _, item in made if item.system == PEOPLE}
    for one, item in made:
        if item.system != PEOPLE and item.group in said:
            fields = {**item.fields, "reference": said[item.group]}
            one = replace(one, made=item.model_copy(update={"fields": fields}))  # noqa: PLW2901 - the same, and more
        yield one


_RESPONSES = ("dialogue_id", "system_id", "dialogue", "fact", "response", *USR)

TOPICAL_CHAT = Dataset(
    name="topical-chat",
    source="USR: Mehri and Eskenazi 2020 (ACL; arXiv 2005.00456), on Topical-Chat (Gopalakrishnan et al. 2019)",
    task="dialogue",
    forms=(
        Form("USR's JSON", (Part("dialogues", ("context", "fact", "responses")),), _usr),
        Form("one file of responses", (Part("responses", _RESPONSES),), _own),
    ),
    counts={"items": 360, "groups": 60, "systems": 6},
    size="360 responses: 60 dialogues x 6 systems",
    home="http://shikib.com/usr",
    licence="USR's file names none; the dialogues are from Amazon's Topical-Chat.",
    files=(Remote("http://shikib.com/tc_usr_data.json"),),
)
"""The scores are 1 to 3 but for groundedness and understandability (0 or 1) and overall (1 to 5)."""
