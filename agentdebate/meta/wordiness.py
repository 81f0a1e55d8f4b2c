"""Whether longer replies, or longer texts, go with higher scores."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from agentdebate.meta.aggregation import correlate
from agentdebate.meta.grouping import grouped
from agentdebate.meta.talk import Talk


@dataclass(frozen=True, slots=True)
class Wordiness:
    """Words against scores, pooled over all cases."""

    about: str
    what: str
    """"replies": the reply that carries a ballot, and its score. "texts": the judged text, and the verdict's score."""
    n: int
    words: float
    """The mean number of words."""
    pearson: float | None
    """None where all words or all scores are the same."""
    spearman: float | None


def wordiness(talks: Iterable[Talk]) -> list[Wordiness]:
    """A line a thing that is scored and what is measured. Choices have no place here."""
    cases = grouped(_cases(talks), lambda case: case[:2])
    return [_wordiness(*names, [case[2:] for case in some]) for names, some in cases.items()]


def _cases(talks: Iterable[Talk]) -> Iterator[tuple[str, str, float, float]]:
    for talk in talks:
        for stand in talk.stands:
            for about, score in stand.values.items():
                if not isinstance(score, str):
                    yield about, "replies", stand.words, score
        for about, words in talk.lengths.items():
            score = talk.verdict.get(about, "")
            if not isinstance(score, str):
                yield about, "texts", words, score


def _wordiness(about: str, what: str, pairs: list[tuple[float, float]]) -> Wordiness:
    return Wordiness(
        about=about,
        what=what,
        n=len(pairs),
        words=fmean(words for words, _ in pairs),
        pearson=correlate(pairs, "pearson"),
        spearman=correlate(pairs, "spearman"),
    )
