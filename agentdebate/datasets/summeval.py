"""SummEval (Fabbri et al. 2021): summaries of 100 CNN/DailyMail articles by 16 systems, each rated by three experts.

People's score of an aspect is the mean of the experts. Three forms are read: one file of articles and one of summaries;
UniEval's JSON, which has the articles and the means, but no single ratings; and beside it the authors' own JSONL of
annotations, which has all ratings and no articles.
"""

from collections.abc import Iterator

from agentdebate.datasets.dataset import (
    Dataset,
    Entry,
    Form,
    Part,
    Parts,
    Ratings,
    Remote,
    entry,
    rounded,
)
from agentdebate.datasets.row import (
    Row,
    by_name,
    entries_of,
    name_of,
    number_of,
    numbers_of,
    object_of,
    objects_of,
    text_of,
)

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
KINDS = ("expert", "turker")
"""The kinds of people who rated."""


def _own(parts: Parts) -> Iterator[Entry]:
    articles = by_name(parts["articles"], "article_id")
    for row in parts["summaries"]:
        name = name_of(row, "article_id")
        if name not in articles:
            raise row.error(f"there is no article {name!r}", "article_id")
        article = articles[name]
        yield entry(
            row,
            "summarization",
            ["summary"],
            {
                "source": text_of(article, "article"),
                "summary": text_of(row, "summary"),
                **_references(article),
            },
            group=name,
            system=name_of(row, "system_id"),
            human={aspect: number_of(row, aspect) for aspect in ASPECTS},
            ratings=[_listed(row, kind) for kind in KINDS if row.data.get(kind) is not None],
        )


def _listed(row: Row, kind: str) -> Ratings:
    """Single ratings as lists of four numbers a person."""
    listed = entries_of(row, kind)
    people = [numbers_of(listed, place) for place in listed.data]
    for place, scores in zip(listed.data, people, strict=True):
        if len(scores) != len(ASPECTS):
            raise row.error(f"a list of {len(ASPECTS)} scores is wanted here", place)
    return Ratings(kind, dict(zip(ASPECTS, zip(*people, strict=True), strict=True)))


def _annotated(parts: Parts) -> Iterator[Entry]:
    """The authors' annotations, with the articles of UniEval's JSON, which has each once a system."""
    sources = {name_of(row, "doc_id"): text_of(row, "source") for row in parts["articles"]}
    for row in parts["annotations"]:
        name = name_of(row, "id")
        if name not in sources:
            raise row.error(f"UniEval's file has no article {name!r}", "id")
        ratings = [_ratings(row, kind) for kind in KINDS if f"{kind}_annotations" in row.data]
        yield entry(
            row,
            "summarization",
            ["summary"],
            {"source": sources[name], "summary": text_of(row, "decoded"), **_references(row)},
            group=name,
            system=name_of(row, "model_id"),
            human=ratings[0].means(),
            ratings=ratings,
        )


def _ratings(row: Row, kind: str) -> Ratings:
    people = objects_of(row, f"{kind}_annotations")
    return Ratings(kind, {aspect: [number_of(one, aspect) for one in people] for aspect in ASPECTS})


def _unieval(parts: Parts) -> Iterator[Entry]:
    for row in parts["summaries"]:
        scores = object_of(row, "scores")
        references = {"reference_1": text_of(row, "reference")} if row.data.get("reference") else {}
        yield entry(
            row,
            "summarization",
            ["summary"],
            {"source": text_of(row, "source"), "summary": text_of(row, "system_output"), **references},
            group=name_of(row, "doc_id"),
            system=name_of(row, "system_id"),
            human={aspect: rounded(number_of(scores, aspect)) for aspect in ASPECTS},
        )


def _references(row: Row) -> dict[str, str]:
    if "references" not in row.data:
        return {}
    texts = entries_of(row, "references")
    return {f"reference_{number}": text_of(texts, place) for number, place in enumerate(texts.data, 1)}


_ANNOTATIONS = ("id", "model_id", "decoded", "expert_annotations")
_UNIEVAL = ("source", "system_output", "scores", "doc_id", "system_id")

SUMMEVAL = Dataset(
    name="summeval",
    source="Fabbri et al. 2021 (TACL 9; arXiv 2007.12626)",
    task="summarization",
    forms=(
        Form(
            "the authors' annotations with UniEval's articles",
            (Part("annotations", _ANNOTATIONS), Part("articles", _UNIEVAL)),
            _annotated,
        ),
        Form(
            "articles and summaries",
            (
                Part("articles", ("article_id", "article")),
                Part("summaries", ("article_id", "system_id", "summary", *ASPECTS)),
            ),
            _own,
        ),
        Form("UniEval's JSON", (Part("summaries", _UNIEVAL),), _unieval),
    ),
    counts={"items": 1600, "groups": 100, "systems": 16},
    size="1,600 summaries: 100 articles x 16 systems",
    home="https://github.com/Yale-LILY/SummEval",
    licence="MIT (annotations and UniEval's copy); the articles are CNN's and the Daily Mail's.",
    files=(
        Remote(
            "https://raw.githubusercontent.com/maszhongming/UniEval/d33e7b6cfebe97b2bafe435adbd818230d5a416a/"
            "reproduce/data/summarization/summeval.json",
        ),
        Remote(
            "https://storage.googleapis.com/sfr-summarization-repo-research/model_annotations.aligned.jsonl",
            gives="the ratings of the single experts and crowd workers, and all references",
        ),
    ),
)
"""UniEval's copy has the articles, and the authors' file the single ratings; both together give all of it."""
