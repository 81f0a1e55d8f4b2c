"""SummEval (Fabbri et al. 2021): summaries of 100 CNN/DailyMail articles by 16 systems, each rated by three experts.

People's score of an aspect is the mean of the experts. Three forms are read: one file of articles and one of summaries;
the authors' own JSONL of annotations, with the articles paired in, beside it, or as the stories that they are from; and
UniEval's JSON, which has the articles and the means, but no single ratings.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

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
from agentdebate.errors import DataError
from agentdebate.tasks import Item
from agentdebate.visible import is_blank

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
ARTICLES, SYSTEMS = 100, 16
_HIGHLIGHT = "@highlight"


def _item(
    row: Row,
    article: str,
    *,
    texts: tuple[str, str],
    references: Iterable[str],
    system: str,
    human: Mapping[str, float | None],
) -> Item:
    source, summary = texts
    if is_blank(summary):
        raise row.error("there is no text here to judge", "summary")
    numbered = {f"reference_{number}": text for number, text in enumerate(references, 1)}
    return Item(
        fields={"source": source, "summary": summary, **numbered},
        task="summarization",
        id=f"{article}/{system}",
        group=article,
        system=system,
        human=dict(human),
    )


def _own(parts: Parts) -> Iterator[Entry]:
    articles = _by(parts["articles"], "article_id") if "articles" in parts else {}
    for row in parts["summaries"]:
        name = name_of(row, "article_id")
        article = row if "article" in row.data else articles.get(name)
        if article is None:
            raise row.error(f"there is no article {name!r}", "article_id")
        references = _texts(article, "references") if "references" in article.data else []
        texts = text_of(article, "article"), text_of(row, "summary")
        human = {aspect: number_of(row, aspect) for aspect in ASPECTS}
        made = _item(
            row, name, texts=texts, references=references, system=name_of(row, "system_id"), human=human
        )
        yield Entry(row, made, tuple(_listed(row)))


def _listed(row: Row) -> Iterator[Ratings]:
    """Single ratings as lists of four numbers a person."""
    for kind in ("expert", "turker"):
        if row.data.get(kind) is not None:
            people = list_of(row, kind)
            for number, scores in enumerate(people):
                if not isinstance(scores, list) or len(scores) != len(ASPECTS):
                    raise row.error(f"a list of {len(ASPECTS)} scores is wanted here", f"{kind}[{number}]")
            rows = [
                Row(row.path, row.line, dict(zip(ASPECTS, scores, strict=True)), f"{kind}[{number}].")
                for number, scores in enumerate(people)
            ]
            yield by_place(kind, {aspect: [number_of(one, aspect) for one in rows] for aspect in ASPECTS})


def _annotated(parts: Parts) -> Iterator[Entry]:
    """The authors' annotations."""
    sources = _sources(parts.get("articles", ()))
    for row in parts["annotations"]:
        name = name_of(row, "id")
        ratings = tuple(
            _ratings(row, kind) for kind in ("expert", "turker") if f"{kind}_annotations" in row.data
        )
        texts = _article(row, name, sources), text_of(row, "decoded")
        references = _texts(row, "references") if "references" in row.data else []
        system, human = name_of(row, "model_id"), ratings[0].means()
        made = _item(row, name, texts=texts, references=references, system=system, human=human)
        yield Entry(row, made, ratings)


def _ratings(row: Row, kind: str) -> Ratings:
    people = objects_of(row, f"{kind}_annotations")
    return by_place(kind, {aspect: [number_of(one, aspect) for one in people] for aspect in ASPECTS})


def _sources(rows: Iterable[Row]) -> dict[str, str]:
    """Articles from another form: our own, or UniEval's."""
    return {
        name_of(row, "doc_id"): text_of(row, "source" if "source" in row.data else "article") for row in rows
    }


def _article(row: Row, name: str, sources: Mapping[str, str]) -> str:
    if row.data.get("text") is not None:
        return text_of(row, "text")
    if name in sources:
        return sources[name]
    story = name_of(row, "filepath") if "filepath" in row.data else f"the story of {name}"
    folder = Path(row.path).parent.resolve()
    place = (folder / story).resolve()
    if place.is_relative_to(folder) and place.is_file():
        return _story(place)
    raise row.error(
        "SummEval publishes no article texts: put UniEval's summeval.json, which has them, into the same folder and name "
        f"the folder; or unpack the CNN and Daily Mail stories there, so that {story} is in {folder}",
        "text",
    )


def _story(place: Path) -> str:
    """A story without its highlights, in one line, as SummEval pairs it."""
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", path=place) from error
    lines = (line.strip() for line in text.partition(_HIGHLIGHT)[0].splitlines())
    return " ".join(line for line in lines if line)


def unieval_scores(row: Row, aspects: Iterable[str]) -> dict[str, float | None]:
    """People's scores in UniEval's JSON."""
    scores = object_of(row, "scores")
    given = {aspect: number_of(scores, aspect) for aspect in aspects}
    return {aspect: None if score is None else round(score, PLACES) for aspect, score in given.items()}


def _unieval(parts: Parts) -> Iterator[Entry]:
    for row in parts["summaries"]:
        texts = text_of(row, "source"), text_of(row, "system_output")
        references = [text_of(row, "reference")] if row.data.get("reference") else []
        human = unieval_scores(row, ASPECTS)
        name, system = name_of(row, "doc_id"), name_of(row, "system_id")
        yield Entry(row, _item(row, name, texts=texts, references=references, system=system, human=human))


def _by(rows: Iterable[Row], column: str) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in rows:
        first = found.setdefault(name_of(row, column), row)
        if first is not row:
            raise row.error(f"{name_of(row, column)!r} is on line {first.line} too", column)
    return found


def _texts(row: Row, column: str) -> list[str]:
    texts = list_of(row, column)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise row.error("a text is wanted here", f"{column}[{number}]")
    return texts


def _counts(taken: Taken) -> Iterator[Count]:
    yield from grouped(
        taken, (ARTICLES, SYSTEMS), items="summaries", groups="articles", each="summaries an article"
    )
    yield Count("systems", SYSTEMS, len({item.system for item in taken.items}))


_ARTICLES = ("article_id", "article")
_SUMMARIES = ("article_id", "system_id", "summary", *ASPECTS)
_ANNOTATIONS = ("id", "model_id", "decoded", "expert_annotations")
_UNIEVAL = ("source", "system_output", "scores", "doc_id", "system_id")

SUMMEVAL = Dataset(
    name="summeval",
    about="Summaries of CNN/DailyMail articles by 16 systems, rated by three experts and five crowd workers.",
    source="Fabbri et al. 2021 (TACL 9; arXiv 2007.12626)",
    task="summarization",
    fields=("source", "summary"),
    row="summary",
    item="item",
    forms=(
        Form(
            "the authors' annotations with UniEval's articles",
            (Part("annotations", _ANNOTATIONS), Part("articles", _UNIEVAL)),
            _annotated,
        ),
        Form(
            "the authors' annotations",
            (Part("annotations", _ANNOTATIONS), Part("articles", ("doc_id", "article"), needed=False)),
            _annotated,
        ),
        Form("summaries with their articles", (Part("summaries", (*_SUMMARIES, "article")),), _own),
        Form("articles and summaries", (Part("articles", _ARTICLES), Part("summaries", _SUMMARIES)), _own),
        Form("UniEval's JSON", (Part("summaries", _UNIEVAL),), _unieval),
    ),
    counts=_counts,
    size="1,600 summaries: 100 articles x 16 systems",
    origin=Origin(
        home="https://github.com/Yale-LILY/SummEval",
        licence="MIT (annotations and UniEval's copy); the articles are CNN's and the Daily Mail's.",
        citation="Fabbri, Kryscinski, McCann, Xiong, Socher and Radev. SummEval: Re-evaluating Summarization Evaluation. "
        "TACL 9, 2021. arXiv 2007.12626",
        files=(
            Remote(
                "https://raw.githubusercontent.com/maszhongming/UniEval/d33e7b6cfebe97b2bafe435adbd818230d5a416a/"
                "reproduce/data/summarization/summeval.json",
                "summeval.json",
            ),
            Remote(
                "https://storage.googleapis.com/sfr-summarization-repo-research/model_annotations.aligned.jsonl",
                "model_annotations.aligned.jsonl",
                gives="the ratings of the single experts and crowd workers, and all references",
            ),
        ),
    ),
)
"""UniEval's copy has the articles, and the authors' file the single ratings; both together give all of it."""
