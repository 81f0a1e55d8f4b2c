"""Where a role stands: what it looks at in a text, and which topics it looks for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agentdebate.ballots.lineup import Player
from agentdebate.offline.features import find
from agentdebate.offline.finding import Finding
from agentdebate.offline.matter import Matter
from agentdebate.offline.opinion import Opinion
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.profiles import overall, speaks_to
from agentdebate.offline.reading import Reading
from agentdebate.offline.source import Source
from agentdebate.offline.text import Text, stem
from agentdebate.offline.viewpoints import emphasis, is_known, looks_at, wishes
from agentdebate.offline.vocabulary import OF_READERS
from agentdebate.offline.walks_of_life import FIELDS

_COMMON = 1.0
"""Weight of what anybody looks at in a text as a whole."""
_ASKED = 3.0
"""Weight of what the aspect looks at, where it is another than the whole."""
_WISHED = 1.0
"""Weight of all wishes of a role together."""
_TOPICAL = 0.5
"""Weight of what a text says on the topics that a role looks for."""
_HALF_SAID = 20
"""Content words in sentences on a topic at which as much is said on it as on half of all that could be."""
_READ = 1000
"""Characters of a description that count."""
_SIGNS = 2
"""Words of a description that show a field of life; in a title it takes one."""
_ROLES = 1024
"""Roles whose standpoints are kept."""
_CARD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Standpoint:
    """What one who votes looks at: features by groups that weigh alike, the stems it looks for, and its card."""

    card: str
    wishes: tuple[tuple[str, ...], ...] = ()
    words: frozenset[str] = frozenset()

    @classmethod
    def of_card(cls, card: str) -> "Standpoint":
        """The standpoint of an agent that speaks for itself: of one that is not known here, by the words of its name."""
        if not is_known(card):
            return _described(Player(card.replace("-", " "), ""))
        own = looks_at(card)
        return cls(card, (own,) if own else ())

    @classmethod
    def of_player(cls, player: Player) -> "Standpoint":
        """The standpoint of a role, by its title where that is a card's, and by what its description says.

        A description is matched with words and nothing else: what it tells the reader to do is not done.
        """
        return _described(player)

    @property
    def own(self) -> frozenset[str]:
        """The features that this standpoint brings up before others."""
        return frozenset(("topics", *(name for wish in self.wishes for name in wish)))

    def opinion(self, matter: Matter) -> Opinion:
        """What a text is worth from here. A text without a word in it is worth nothing."""
        reading = matter.reading
        if not reading.text.words:
            return Opinion(0.0, ())
        stems = frozenset(stem for stem in self.words if _speaks_of(reading, stem))
        found = [(w, find(reading, name)) for name, w in self._weights(matter, stems).items()]
        found.append((_TOPICAL, _topical(reading, stems)))
        return Opinion.of(tuple((weight, finding) for weight, finding in found if finding is not None))

    def _weights(self, matter: Matter, stems: frozenset[str]) -> Mapping[str, float]:
        profile = matter.profile
        common = _COMMON if profile is overall(matter.reading.kind) else _ASKED
        # Of whom nothing is known but a name, the name decides what he stresses, as with the cards of agents.
        known = self.wishes or stems
        weights = {
            name: common * weight * (1.0 if known else emphasis(self.card, name))
            for name, weight in profile.scorer.items()
        }
        measurable = speaks_to(matter.reading.kind)
        groups = [[name for name in wish if name in measurable] for wish in self.wishes]
        for group in groups:
            for name in group:
                weights[name] = weights.get(name, 0.0) + _WISHED / len(groups) / len(group)
        return weights


@lru_cache(maxsize=_ROLES)
def _described(player: Player) -> Standpoint:
    # Kept, since hand-written roles are played again for each of thousands of items.
    words = f"{player.title}\n{player.description}"[:_READ]
    card = _CARD.sub("-", player.title[:_READ].lower()).strip("-")
    own = looks_at(card)
    text = Text.read(words)
    said = {word: stem for word, stem in zip(text.words, text.stems, strict=True) if stem}
    telling = set(said) - OF_READERS
    stems = {said[word] for word in telling} | _of_fields(Text.read(player.title[:_READ]).words, telling)
    return Standpoint(card, (*((own,) if own else ()), *wishes(words)), frozenset(stems))


def _of_fields(title: Sequence[str], words: set[str]) -> set[str]:
    """The stems of the role's fields of life: a soldier looks for what is said about weapons, too."""
    own = words.intersection(title)
    fields = [field for field in FIELDS if field.shown(own) or len(field.shown(words)) >= _SIGNS]
    return {stem(sign) for field in fields for sign in field.signs}


def _speaks_of(reading: Reading, stem: str) -> bool:
    """Whether it is in what the text is judged beside."""
    return any(
        stem in part.places for part in (reading.source, reading.conversation, reading.question) if part
    )


def _topical(reading: Reading, stems: frozenset[str]) -> Finding | None:
    """How much a text says on topics: the content words of the sentences that name one. None where there is no topic."""
    if not stems:
        return None
    text = reading.text
    contents = [(text.content(sentence), sentence) for sentence in text.sentences]
    on_topic = [(len(stems.intersection(each)), len(each), sentence) for each, sentence in contents]
    said = sum(size for hits, size, _ in on_topic if hits)
    named = len(stems & reading.stems) / len(stems)
    value = 0.5 * named + 0.5 * said / (said + _HALF_SAID)
    best = max(on_topic, key=lambda each: each[0], default=None)
    strong = say(text, best[2], "{} speaks of what I look for.") if best and best[0] else ""
    return Finding("topics", value, _missing(reading, stems - reading.stems), strong)


def _missing(reading: Reading, stems: frozenset[str]) -> str:
    for part in (reading.source, reading.conversation, reading.question):
        missed = [stem for stem in _ordered(part) if stem in stems] if part else []
        if part and missed:
            at = part.text.stems.index(missed[0])
            return fill("I look for {}, and it has nothing on that.", part.text.quote(at, at + 1))
    return ""


def _ordered(source: Source) -> list[str]:
    """Stems of a source, those first that it stresses."""
    return [*source.salient, *source.places]
