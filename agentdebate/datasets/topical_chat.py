"""Topical-Chat with the ratings of USR (Mehri and Eskenazi 2020): six responses to each of 60 dialogues.

People's score of an aspect is the mean of three annotators. Three forms are read: a file of responses; USR's own JSON, a
dialogue a row with the single ratings; and UniEval's JSON, a response a row with the means. Where the file names no
dialogues they are D00, D01 and so on, in its order, a dialogue being a conversation with the fact that goes with it.
"""

from collections.abc import Iterable, Iterator, Mapping

from agentdebate.datasets.dataset import (
    PLACES,
    Count,
    Dataset,
    Entry,
    Form,
    Origin,
    Part,
    Parts,
    Ratings,
    Remote,
    Taken,
    by_place,
    grouped,
)
from agentdebate.datasets.row import Row, list_of, name_of, number_of, object_of, objects_of, text_of
from agentdebate.tasks import Item
from agentdebate.visible import is_blank

ASPECTS = ("naturalness", "coherence", "engagingness", "groundedness", "understandability", "overall")
DIALOGUES, SYSTEMS = 60, 6
PEOPLE = "Original Ground Truth"
"""The system that is what was really said next; it is the others' reference."""
NO_FACT = "_nofact"
"""What stands for a fact where there is none."""

_USR = {
    "naturalness": "Natural",
    "coherence": "Maintains Context",
    "engagingness": "Engaging",
    "groundedness": "Uses Knowledge",
    "understandability": "Understandable",
    "overall": "Overall",
}
"""What USR calls the aspects."""


def _entry(
    row: Row,
    dialogue: str,
    *,
    texts: tuple[str, str, str],
    system: str,
    human: Mapping[str, float | None],
    ratings: tuple[Ratings, ...] = (),
) -> Entry:
    said, fact, response = texts
    if is_blank(response):
        raise row.error("there is no text here to judge", "response")
    known = {} if fact.strip() in {"", NO_FACT} else {"fact": fact}
    made = Item(
        fields={"dialogue": said, "response": response, **known},
        task="dialogue",
        id=f"{dialogue}/{system}",
        group=dialogue,
        system=system,
        human=dict(human),
    )
    return Entry(row, made, ratings)


def _own(parts: Parts) -> Iterator[Entry]:
    def entries() -> Iterator[Entry]:
        for row in parts["responses"]:
            texts = text_of(row, "dialogue"), text_of(row, "fact"), text_of(row, "response")
            human = {aspect: number_of(row, aspect) for aspect in ASPECTS}
            yield _entry(
                row, name_of(row, "dialogue_id"), texts=texts, system=name_of(row, "system_id"), human=human
            )

    return _with_references(entries())


def _unieval(parts: Parts) -> Iterator[Entry]:
    def entries() -> Iterator[Entry]:
        names = _Names()
        for row in parts["responses"]:
            texts = text_of(row, "source"), text_of(row, "context"), text_of(row, "system_output")
            scores = object_of(row, "scores")
            human = {aspect: _rounded(number_of(scores, aspect)) for aspect in ASPECTS}
            yield _entry(
                row, names.of(texts[0], texts[1]), texts=texts, system=name_of(row, "system_id"), human=human
            )

    return _with_references(entries())


def _usr(parts: Parts) -> Iterator[Entry]:
    def entries() -> Iterator[Entry]:
        names = _Names()
        for row in parts["dialogues"]:
            said, fact = text_of(row, "context"), text_of(row, "fact")
            for response in objects_of(row, "responses"):
                given = by_place(
                    "annotator", {aspect: _scores(response, name) for aspect, name in _USR.items()}
                )
                texts, system = (said, fact, text_of(response, "response")), name_of(response, "model")
                name, means = names.of(said, fact), given.means()
                yield _entry(response, name, texts=texts, system=system, human=means, ratings=(given,))

    return _with_references(entries())


def _scores(response: Row, column: str) -> list[float | None]:
    scores = list_of(response, column)
    places = {str(number): score for number, score in enumerate(scores)}
    inside = Row(response.path, response.line, places, f"{response.within}{column}.")
    return [number_of(inside, place) for place in places]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, PLACES)


class _Names:
    """Names for dialogues that have none, in the order in which they come."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, said: str, fact: str) -> str:
        """The name of a conversation with its fact."""
        return self._known.setdefault((said, fact), f"D{len(self._known):02}")


def _with_references(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Each response with what was really said next as its reference."""
    listed = list(entries)
    said = {
        entry.made.group: entry.made.fields["response"]
        for entry in listed
        if isinstance(entry.made, Item) and entry.made.system == PEOPLE
    }
    for entry in listed:
        item = entry.made
        if not isinstance(item, Item) or item.system == PEOPLE or item.group not in said:
            yield entry
            continue
        fields = {**item.fields, "reference": said[item.group]}
        yield Entry(entry.row, item.model_copy(update={"fields": fields}), entry.ratings)


def _counts(taken: Taken) -> Iterator[Count]:
    wanted = (DIALOGUES, SYSTEMS)
    yield from grouped(taken, wanted, items="responses", groups="dialogues", each="responses a dialogue")
    yield Count("systems", SYSTEMS, len({item.system for item in taken.items}))


TOPICAL_CHAT = Dataset(
    name="topical-chat",
    about="Responses to dialogues that draw on a fact, by six systems, rated by three annotators.",
    source="USR: Mehri and Eskenazi 2020 (ACL; arXiv 2005.00456), on Topical-Chat (Gopalakrishnan et al. 2019)",
    task="dialogue",
    fields=("dialogue", "response"),
    row="response",
    item="item",
    forms=(
        Form("USR's JSON", (Part("dialogues", ("context", "fact", "responses")),), _usr),
        Form(
            "one file of responses",
            (Part("responses", ("dialogue_id", "system_id", "dialogue", "fact", "response", *ASPECTS)),),
            _own,
        ),
        Form(
            "UniEval's JSON",
            (Part("responses", ("source", "system_output", "context", "scores", "system_id")),),
            _unieval,
        ),
    ),
    counts=_counts,
    size="360 responses: 60 dialogues x 6 systems",
    origin=Origin(
        home="https://github.com/maszhongming/UniEval (reproduce) and http://shikib.com/usr",
        licence="UniEval's copy: MIT (its repository). USR's file names no licence; the dialogues are from Amazon's Topical-Chat.",
        citation="Mehri and Eskenazi. USR: An Unsupervised and Reference Free Evaluation Metric for Dialog Generation. "
        "ACL 2020. arXiv 2005.00456",
        files=(
            Remote(
                "https://raw.githubusercontent.com/maszhongming/UniEval/d33e7b6cfebe97b2bafe435adbd818230d5a416a/"
                "reproduce/data/dialogue/topical_chat.json",
                "topical_chat.json",
            ),
            Remote(
                "http://shikib.com/tc_usr_data.json",
                "tc_usr_data.json",
                gives="the ratings of the single annotators",
            ),
        ),
    ),
)
"""The scores are 1 to 3 but for groundedness and understandability (0 or 1) and overall (1 to 5)."""
