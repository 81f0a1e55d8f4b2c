"""HANNA (Chhun et al. 2022): eleven stories to each of 96 prompts, ten by systems and one by a person.

People's score of an aspect is the mean of three annotators. Two forms are read: a file of stories with the means, which
does not say whose they are; and the authors' CSV, one row a story and annotator. Where the file names no prompts they are
P0, P1 and so on, in its order.
"""

from collections.abc import Iterable, Iterator, Mapping

from agentdebate.datasets.dataset import (
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
    grouped,
)
from agentdebate.datasets.row import Row, name_of, number_of, text_of
from agentdebate.tasks import Item
from agentdebate.visible import is_blank

ASPECTS = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
PROMPTS, STORIES, ANNOTATORS = 96, 11, 3
PEOPLE = "Human"
"""The system that is a person; the others' reference."""


def _entry(
    row: Row,
    names: tuple[str, str],
    fields: dict[str, str],
    human: Mapping[str, float | None],
    *,
    system: str | None = None,
    ratings: tuple[Ratings, ...] = (),
) -> Entry:
    """`names` are those of the prompt and of the story."""
    if is_blank(fields["story"]):
        raise row.error("there is no text here to judge", "story")
    made = Item(
        fields=fields, task="story", id="/".join(names), group=names[0], system=system, human=dict(human)
    )
    return Entry(row, made, ratings)


def _own(parts: Parts) -> Iterator[Entry]:
    for row in parts["stories"]:
        fields = {"prompt": text_of(row, "prompt"), "story": text_of(row, "story")}
        human = {aspect: number_of(row, aspect) for aspect in ASPECTS}
        yield _entry(row, (name_of(row, "prompt_id"), name_of(row, "story_index")), fields, human)


def _published(parts: Parts) -> Iterator[Entry]:
    prompts: dict[str, str] = {}
    for rows in _stories(parts["annotations"]):
        row = rows[0]
        fields = {"prompt": text_of(row, "Prompt"), "story": text_of(row, "Story")}
        system = name_of(row, "Model")
        if system != PEOPLE:
            fields["reference"] = text_of(row, "Human")
        prompt = prompts.setdefault(fields["prompt"], f"P{len(prompts)}")
        ratings = _ratings(rows)
        yield _entry(row, (prompt, system), fields, ratings.means(), system=system, ratings=(ratings,))


def _stories(rows: Iterable[Row]) -> Iterable[list[Row]]:
    """The rows of each story, wherever they are in the file."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(name_of(row, "Story ID"), []).append(row)
    return found.values()


def _ratings(rows: list[Row]) -> Ratings:
    workers = tuple(name_of(row, "Worker ID") for row in rows)
    scores = {aspect: tuple(number_of(row, aspect.capitalize()) for row in rows) for aspect in ASPECTS}
    return Ratings("annotator", workers, scores)


def _counts(taken: Taken) -> Iterator[Count]:
    wanted = (PROMPTS, STORIES)
    yield from grouped(taken, wanted, items="stories", groups="prompts", each="stories a prompt")
    given = [len(one.annotators) for several in taken.ratings.values() for one in several]
    odd = [count for count in given if count != ANNOTATORS]
    yield Count("annotators a story", ANNOTATORS, odd[0] if odd else ANNOTATORS)


HANNA = Dataset(
    name="hanna",
    about="Stories to prompts by ten systems and a person, rated by three annotators.",
    source="Chhun et al. 2022 (COLING; arXiv 2208.11646)",
    task="story",
    fields=("prompt", "story"),
    row="story",
    item="item",
    forms=(
        Form(
            "one file of stories",
            (Part("stories", ("prompt_id", "story_index", "prompt", "story", *ASPECTS)),),
            _own,
        ),
        Form(
            "the authors' CSV",
            (
                Part(
                    "annotations",
                    (
                        "Story ID",
                        "Prompt",
                        "Human",
                        "Story",
                        "Model",
                        "Worker ID",
                        *(one.capitalize() for one in ASPECTS),
                    ),
                ),
            ),
            _published,
        ),
    ),
    counts=_counts,
    size="1,056 stories: 96 prompts x 11",
    origin=Origin(
        home="https://github.com/dig-team/hanna-benchmark-asg",
        licence="MIT (the repository); the prompts and the stories by people are from WritingPrompts.",
        citation="Chhun, Colombo, Suchanek and Clavel. Of Human Criteria and Automatic Metrics: A Benchmark of the Evaluation of "
        "Story Generation. COLING 2022. arXiv 2208.11646",
        files=(
            Remote(
                "https://raw.githubusercontent.com/dig-team/hanna-benchmark-asg/main/hanna_stories_annotations.csv",
                "hanna_stories_annotations.csv",
            ),
        ),
    ),
)
"""The scores are 1 to 5."""
