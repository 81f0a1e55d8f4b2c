"""What the texts that are compared are called, and where a reply names them.

A text goes by its label ("Output (a)", "Assistant 2's answer"), by another noun with its key ("answer 2"), by its place ("the
second one"), and in some places by its key alone.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from agentdebate.ballots.fold import fold
from agentdebate.ballots.markup import plain
from agentdebate.ballots.reading.choice_words import EQUAL, IDIOMATIC, TIES
from agentdebate.ballots.words import words_of

FOREIGN = -1
"""Stands for a text that is not there: "Summary E" where two are compared."""
TIE = -2
"""Stands for no text being better."""
PLAYER = "⁂"
"""Stands in a poll for the player whose part it is, where its name is the subject: "Critic votes for Summary B"."""

NOUNS = words_of(
    "answer answers response responses output assistant summary text option candidate story version model system translation "
    "completion reply antwort reponse respuesta resposta risposta headline passage essay submission caption dialogue poem explanation article solution one "
    "candidate's ai"
)
"""What may be compared, beside what the labels say."""
PLURALS = frozenset(
    f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    for noun in NOUNS
    if noun.isalpha() and noun != "one"
)
_ORDINALS = {
    "former": 0,
    "latter": 1,
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
}
_MOST = 26
"""Texts that can be compared."""
_NO_PLACES = (FOREIGN, TIE)
_PLAIN = 13
"""Capitals that stand for names; a reply is in small letters where names are looked for, and most compare few texts."""


def _signs(first: str, beyond: str) -> dict[int, str]:
    """The sign of each place: capitals for what most replies name, other letters beyond."""
    capitals = [*range(_PLAIN - len(_NO_PLACES)), *_NO_PLACES]
    others = range(_PLAIN - len(_NO_PLACES), _MOST)
    return {
        **{place: chr(ord(first) + k) for k, place in enumerate(capitals)},
        **{place: chr(ord(beyond) + k) for k, place in enumerate(others)},
    }


_NAMES, _OWNERS = _signs("A", "\u0410"), _signs("N", "\u0420")
_PLACE_OF: dict[object, int] = {sign: place for signs in (_NAMES, _OWNERS) for place, sign in signs.items()}
SIGNS = frozenset(sign for sign in _PLACE_OF if isinstance(sign, str))
"""The signs that stand for names."""
_OF_EQUALITY = TIES | EQUAL | IDIOMATIC | {"preference", "either", "good", "strong"}
_EDGES = " \t\"'()[]{}<>.,;:!|-#=~"
_OWNER_SIGNS = frozenset(_OWNERS.values())
_NINTH = "I"
"""The key of a ninth text, told from the pronoun: it stands for it with its noun alone."""
_NINTH_KEY = r"i(?=[)\]>\"']{0,2}\s{0,3}(?:[.,;:!?)\]\n|>=]|\Z|(?:because|since|is|wins|over|as|for)\b))"
_KEY_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4"}


@dataclass(frozen=True, slots=True)
class Names:
    """How texts are named: the place that each key stands for, or TIE, and the nouns that stand before a key."""

    keys: dict[str, int]
    nouns: tuple[str, ...]
    own: frozenset[str]
    """The nouns of the labels themselves: with a tie's key they name a text that is not there."""
    sites: frozenset[str]
    """The words at which a choice may be stated: signs and keys of texts, and words of equality."""

    def marked(self, text: str, words: AbstractSet[str] | None = None) -> str:
        """Plain text (see markup.py) with a sign in place of each name (see `named` and `is_owner`).

        `words` are those of a text that holds nothing but words: then nouns are looked for among them.
        """
        if words is None or self.is_spaced:
            nouns = [noun for noun in self.nouns if noun in text]
            ordinals = [word for word in _ORDINALS if word in text]
        else:
            nouns = [noun for noun in self.nouns if noun in words]
            ordinals = [word for word in _ORDINALS if word in words]
        marked = self._signed(text, nouns, ordinals)
        if "the other" in marked and self.are_two:
            marked = _OTHER.sub(lambda found: _opposed(found, marked), marked)
        if _BACKWARD[0] in ordinals or _BACKWARD[1] in ordinals:
            marked = _BACK.sub(lambda found: _pointed(found, marked), marked)
        return marked

    @property
    def are_two(self) -> bool:
        """Whether two texts are compared, so that there is one other."""
        return {place for place in self.keys.values() if place >= 0} == {0, 1}

    @property
    def is_spaced(self) -> bool:
        """Whether a label's own noun is more than one word: "Model output A"."""
        return any(" " in noun for noun in self.own)

    def _signed(self, text: str, nouns: Sequence[str], ordinals: Iterable[str]) -> str:
        """The text with signs. Names are looked for only where a noun or an ordinal stands, which is far quicker than everywhere."""
        pattern = _pattern(tuple(nouns), ninth=_NINTH in self.keys)
        parts, end = list[str](), 0
        words = {noun.split(" ", 1)[0] for noun in nouns}.union(ordinals)
        for at in sorted([at for word in words for at in _places(text, word)]):
            found = pattern.match(text, at) if at >= end else None
            if found is not None:
                parts += [text[end:at], self._sign(found)]
                end = found.end()
        return "".join([*parts, text[end:]]) if end else text

    def whole(self, text: str, *, by_key: bool = True) -> int | None:
        """The place of the text that a piece of a reply names and says nothing else; None where it does not.

        `by_key` says whether its key alone is enough.
        """
        said = [bare for word in self.marked(plain(text)).split() if (bare := word.strip(_EDGES))]
        said = said[said[:1] == ["the"] :]
        if len(said) != 1:
            return None
        key = _NINTH if said[0] == "i" else said[0]
        place = self.keys.get(key) if by_key and named(said[0]) is None else named(said[0])
        return place if place is not None and place >= 0 else None

    def occur_in(self, text: str) -> bool:
        """Whether folded text in small letters names a text."""
        return not SIGNS.isdisjoint(self.marked(text).split())

    def begin(self, text: str) -> bool:
        """Whether folded text in small letters begins with a text's name."""
        return not SIGNS.isdisjoint(self.marked(text).split(None, 1)[:1])

    def _sign(self, found: re.Match[str]) -> str:
        key = (found["key"] or "").lower()
        nth = found["nth"] or found["bare"]
        if nth in _BACKWARD:
            return f" {nth} "
        key = _NINTH if key == "i" else _KEY_WORDS.get(key, key)
        place = _ORDINALS[nth.lower()] if nth else self.keys.get(key, FOREIGN)
        if place == TIE and found[0].split(None, 1)[0] in self.own:
            place = FOREIGN
        if place >= _MOST or (nth and place not in self.keys.values()):
            place = FOREIGN
        return f" {(_OWNERS if found['own'] else _NAMES)[place]} "


def _places(text: str, word: str) -> list[int]:
    places, at = list[int](), text.find(word)
    while at >= 0:
        places.append(at)
        at = text.find(word, at + 1)
    return places


_BACKWARD = ("former", "latter")
_BACK = re.compile(r" (former|latter) ")


def _pointed(found: re.Match[str], text: str) -> str:
    """The sign of the text that "the former" or "the latter" points back to: of the two named last, in this sentence or the one before.

    With none named there, the two are as they were shown.
    """
    before = text[max(found.start() - _SAID, 0) : found.start()]
    sentences = re.split(r"[.!?\n]", before)
    for k in range(len(sentences) - 1, max(len(sentences) - 3, -1), -1):
        signs = list(
            dict.fromkeys(sign for sign in sentences[k].split() if _PLACE_OF.get(sign, FOREIGN) >= 0)
        )
        opening = sentences[k].split(signs[0], 1)[0].split()[-1:] if signs else []
        if opening in (["unlike"], ["to"], ["with"], ["than"], ["despite"]):
            # "In contrast to A, B ..., so I prefer the former" may mean either.
            return f" {_NAMES[FOREIGN]} "
        if len(signs) == 2:  # noqa: PLR2004 - two texts
            return f" {signs[_BACKWARD.index(found[1])]} "
        if signs:
            break
    return f" {_NAMES[_BACKWARD.index(found[1])]} "


_OTHER = re.compile(
    r"(?<![a-z])the other(?: one| summary| answer| response| text| output| story)?(?=\s{0,3}(?:[.,;!\n]|\Z|(?:is|was|wins|does|has|gets)\b))"
)


def _opposed(found: re.Match[str], text: str) -> str:
    """The sign of the text that "the other one" is, where its sentence names one text and no more."""
    before = re.split(r"[.!?\n]", text[max(found.start() - _SAID, 0) : found.start()])[-1].split()
    places = {place for word in before if (place := _PLACE_OF.get(word)) is not None}
    if len(places) != 1 or not places <= {0, 1} or not _SINGLING.isdisjoint(before):
        return found[0]
    return f" {_NAMES[1 - places.pop()]} "


_SINGLING = frozenset(("one", "each", "both", "either", "neither"))
"""Before "the other": it is whichever is not this one."""
_SAID = 600
"""Characters before "the latter" in which the texts are named that it points back to."""


named: Callable[[object], int | None] = _PLACE_OF.get
"""The place of the text that a piece names, FOREIGN for one that is not there, TIE for a tie's key; None where it names none."""


def sign_of(place: int) -> str:
    """The sign that stands for the text at a place."""
    return _NAMES[place]


def is_owner(piece: object) -> bool:
    """Whether a piece names a text as the owner of something ("Assistant 2's")."""
    return piece in _OWNER_SIGNS


@lru_cache(maxsize=256)
def names_of(labels: tuple[str, ...], tie_mark: str | None) -> Names:
    """How texts with these labels are named. A tie's mark is that of the form; None for the key behind the last text's."""
    split = [re.findall(r"[^\W_]+", fold(label).lower()) or [""] for label in labels]
    keys: dict[str, int] = {}
    for place, words in enumerate(split):
        keys[_NINTH if words[-1] == "i" else words[-1]] = place
    _add_others(keys, len(labels), tie_mark)
    own = {" ".join(words[:-1]) for words in split if len(words) > 1}
    nouns = sorted(own | (NOUNS - {"one"}), key=lambda noun: (-len(noun), noun))
    return Names(keys, tuple(nouns), frozenset(own), _OF_EQUALITY | SIGNS | keys.keys())


@lru_cache(maxsize=256)
def _pattern(nouns: tuple[str, ...], *, ninth: bool) -> re.Pattern[str]:
    """What finds names with these nouns, which stand in the text; few do, so that the pattern is short."""
    joined = "|".join(re.escape(noun).replace("\\ ", r"[\s-]{1,3}") for noun in nouns) or "(?!)"
    ordinals = "|".join(_ORDINALS)
    letter = rf"[a-hj-z]|{_NINTH_KEY}" if ninth else "[a-hj-z]"
    return re.compile(
        rf"(?<![a-z0-9_])(?:(?P<nth>{ordinals})\s{{1,3}}(?:{joined}|one)"
        r"|(?<=the )(?P<bare>first|second|former|latter)(?=\s{0,3}(?:[.,;!\n]|\Z|of (?:the|these|those) (?:two|three|four)\b|(?:is|was|wins|beats|does|seems)\b))"
        rf"|(?:{joined})[\s#-]{{1,4}}(?P<open>[(\[\"'<]{{1,2}})?(?P<key>{letter}|[0-9]{{1,2}}|one|two|three|four)(?(open)[)\]>]{{0,2}}))"
        r"(?![a-z0-9/%]|'(?=[a-rt-z]))(?!\s?[.,][0-9])(?P<own>'s)?"
    )


def _add_others(keys: dict[str, int], count: int, tie_mark: str | None) -> None:
    """Keys of the other kinds, and a tie's."""
    for place in range(count):
        keys.setdefault(str(place + 1), place)
        keys.setdefault(_NINTH if place == ord("i") - ord("a") else chr(ord("a") + place), place)
    if tie_mark:
        keys[fold(tie_mark).strip("()[] .").lower()] = TIE
    elif tie_mark is None and count == 2:  # noqa: PLR2004 - with two texts, the third key is known to be a tie's
        keys.setdefault("3", TIE)
        keys.setdefault("c", TIE)


def labels_of(count: int) -> Sequence[str]:
    """The labels of so many texts about which nothing is known."""
    return [f"Answer {chr(ord('A') + place)}" for place in range(count)]
