"""Synonyms out of WordNet's index files, as far as METEOR asks for them: words that share a meaning.

nltk's own reader needs files that Debian's package does not have, and keeps others open.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from agentdebate.errors import DataError, MissingExtra

_PARTS = ("noun", "verb", "adj", "adv")


class _Lemma(NamedTuple):
    text: str

    def name(self) -> str:
        return self.text


class _Synset(NamedTuple):
    words: tuple[_Lemma, ...]

    def lemmas(self) -> tuple[_Lemma, ...]:
        return self.words


class Synonyms:
    """The meanings of words, with the words of each, in the form in which nltk asks for them."""

    def __init__(self, meanings: Mapping[str, tuple[str, ...]]) -> None:
        words: dict[str, list[_Lemma]] = {}
        for word, all_of_it in meanings.items():
            for meaning in all_of_it:
                words.setdefault(meaning, []).append(_Lemma(word))
        self._meanings = meanings
        self._synsets = {meaning: _Synset(tuple(some)) for meaning, some in words.items()}

    def __repr__(self) -> str:
        return f"<Synonyms of {len(self._meanings)} words>"

    def synsets(self, word: str) -> list[_Synset]:
        """The meanings of a word in its base form."""
        return [self._synsets[meaning] for meaning in self._meanings.get(word, ())]


@cache
def synonyms(folder: Path) -> Synonyms:
    """The synonyms in a folder with WordNet's files. Raises MissingExtra where it has none, and DataError for other files."""
    found: dict[str, tuple[str, ...]] = {}
    for part in _PARTS:
        path = folder / f"index.{part}"
        if not path.is_file():
            raise MissingExtra(
                f"WordNet is not in {folder}. Install it with: apt-get install wordnet-base; or leave out wordnet=debian"
            )
        for word, offsets in _read(path):
            found[word] = (*found.get(word, ()), *(f"{part} {offset}" for offset in offsets))
    return Synonyms(found)


def _read(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each word of an index with the places of its meanings, which stand at the end of the line (WordNet's manual, wndb(5))."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.startswith(" "):  # the licence
                continue
            word, *rest = line.split()
            if len(rest) < 2 or not rest[1].isdigit():  # noqa: PLR2004 - the part of speech and the number of meanings
                raise DataError("this is not a line of an index of WordNet", path=path, line=number)
            yield word, rest[len(rest) - int(rest[1]) :]
