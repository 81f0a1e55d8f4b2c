"""HANNA (Chhun et al. 2022): eleven stories to each of 96 prompts, ten by systems and one by a person.

People's score of an aspect is the mean of three annotators. Two forms are read: a file of stories with the means, which
does not say whose they are; and the authors' CSV, one row a story and annotator. Where the file names no prompts they are
P0, P1 and so on, in its order.
"""

from collections.abc import Iterator

from agentdebate.datasets.dataset import Dataset, Entry, Form, Part, Parts, Ratings, Remote, entry
from agentdebate.datasets.row import Row, name_of, number_of, text_of

ASPECTS = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
PEOPLE = "Human"
"""The system that is a person; the others' reference."""


def _own(parts: Parts) -> Iterator[Entry]:
    for row in parts["stories"]:
        prompt = name_of(row, "prompt_id")
        yield entry(
            row,
            "story",
            ["story"],
            {"prompt": text_of(row, "prompt"), "story": text_of(row, "story")},
            group=prompt,
            id=f"{prompt}/{name_of(row, 'story_index')}",
            human={aspect: number_of(row, aspect) for aspect in ASPECTS},
        )


def _published(parts: Parts) -> Iterator[Entry]:
    stories: dict[str, list[Row]] = {}
    for row in parts["annotations"]:
        stories.setdefault(name_of(row, "Story ID"), []).append(row)
    prompts: dict[str, str] = {}
    for rows in stories.values():
        row, system = rows[0], name_of(rows[0], "Model")
        fields = {"prompt": text_of(row, "Prompt"), "story": text_of(row, "Story")}
        if system != PEOPLE:
            fields["reference"] = text_of(row, "Human")
        prompt = prompts.setdefault(fields["prompt"], f"P{len(prompts)}")
        ratings = _ratings(rows)
        yield entry(
            row,
            "story",
            ["story"],
            fields,
            group=prompt,
            system=system,
            human=ratings.means(),
            ratings=[ratings],
        )


def _ratings(rows: list[Row]) -> Ratings:
    scores = {aspect: [number_of(row, aspect.capitalize()) for row in rows] for aspect in ASPECTS}
    return Ratings("annotator", scores)


_ANNOTATIONS = ("Story ID", "Prompt", "Human", "Story", "Model", "Worker ID", *map(str.capitalize, ASPECTS))

HANNA = Dataset(
    name="hanna",
    source="Chhun et al. 2022 (COLING; arXiv 2208.11646)",
    task="story",
    forms=(
        Form(
            "one file of stories",
            (Part("stories", ("prompt_id", "story_index", "prompt", "story", *ASPECTS)),),
            _own,
        ),
        Form("the authors' CSV", (Part("annotations", _ANNOTATIONS),), _published),
    ),
    counts={"items": 1056, "groups": 96},
    size="1,056 stories: 96 prompts x 11",
    home="https://github.com/dig-team/hanna-benchmark-asg",
    licence="MIT (the repository); the prompts and the stories by people are from WritingPrompts.",
    files=(
        Remote(
            "https://raw.githubusercontent.com/dig-team/hanna-benchmark-asg/main/hanna_stories_annotations.csv",
        ),
    ),
)
"""The scores are 1 to 5."""
