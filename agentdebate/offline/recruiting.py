"""Recruiting readers for a text: walks of life that it touches, and degrees of familiarity with its topics.

The two kinds, coarse and fine, are those of DRPE (Section 3.1).
"""

from collections.abc import Iterator, Sequence

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.naming import joined
from agentdebate.offline.source import Source
from agentdebate.offline.text import stem
from agentdebate.offline.topics import topics
from agentdebate.offline.walks_of_life import FIELDS, GENERAL, Field, Person

_COARSE, _FINE = 2, 3
"""Roles where the turn does not say how many: five in all, as in the paper."""
_SIGNS = 2
"""Different words that show a field of life; one may be chance."""
_SAID = 3
"""Words of a field that a description names."""
_NEWS = ("Follower of news about {}", "Follows the news about {} and {}, and is interested in updates.")
_TALK = ("Enthusiast for {}", "Reads everything about {} and {}, and is interested in what is new.")
_FAMILIAR = (
    ("Newcomer to the story of {}", "Has never heard of {} or {} before, and wants it easy to understand."),
    ("Expert on {}", "Knows all about {} and {}, and checks the facts and figures."),
    (
        "Casual reader about {}",
        "Has heard of {} and {} in passing, has little time, and wants the key points.",
    ),
    (
        "Sceptic about {}",
        "Doubts most of what is said about {} and {}, and checks every statement against the source.",
    ),
    ("Devotee of {}", "Has cared about {} and {} for years, and wants depth and detail."),
    ("Storyteller about {}", "Tells friends about {} and {}, and wants a lively text that flows."),
)
_NOTHING = ("the subject", "what goes with it")


def recruit(case: CaseFile) -> str:
    """A line a role, numbered on: as many coarse ones and then as many fine ones as the turn was given."""
    given = case.context.given
    coarse, fine = int(given.get("coarse", _COARSE)), int(given.get("fine", _FINE))
    source = _material(case)
    roles = [*_some(_coarse(source), coarse), *_some(_fine(source, fine, news=_is_news(case)), fine)]
    return "\n".join(f"{number}. {title}: {about}" for number, (title, about) in enumerate(roles, 1))


def _material(case: CaseFile) -> Source:
    """What the roles are to fit: the source, else the conversation, else the question and the texts themselves."""
    readings = {matter.line.candidate or "": matter.reading for matter in case.matters}
    first = next(iter(readings.values()))
    basis = first.source or first.conversation
    if basis is not None:
        return basis
    question = [first.question.text.raw] if first.question else []
    # In the order of their fields, so that positions make no difference.
    return Source.read("\n".join([*question, *(readings[field].text.raw for field in sorted(readings))]))


def _is_news(case: CaseFile) -> bool:
    return all(matter.reading.kind == "text" and matter.reading.source for matter in case.matters)


def _some(roles: Iterator[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """So many of the roles, no title twice."""
    found: dict[str, tuple[str, str]] = {}
    while len(found) < count:
        title, about = next(roles)
        found.setdefault(title.casefold(), (title, about))
    return list(found.values())


def _coarse(source: Source) -> Iterator[tuple[str, str]]:
    """People of the fields that the text shows, the clearer a field the more; then people as there are everywhere."""
    shown = _fields(source)
    seats = [
        (weight / (2 * rank + 1), -place, person, signs)
        for place, (weight, signs, field) in enumerate(shown)
        for rank, person in enumerate(field.people)
    ]
    # Seats go to fields as to parties (Sainte-Laguë: by weight over 1, 3, 5 ...), so that small ones have their say.
    for _, _, person, signs in sorted(seats, key=lambda seat: (-seat[0], -seat[1])):
        yield person.title, _about(person, signs)
    others = [person for field in FIELDS for person in field.people]
    for person in (*GENERAL, *others):
        yield person.title, _about(person, ())
    number = 1
    while True:
        number += 1
        for person in GENERAL:
            yield f"{person.title} {number}", _about(person, ())


def _fields(source: Source) -> list[tuple[float, Sequence[str], Field]]:
    """The fields that the text shows, clearest first, each with the words that show it."""
    words = set(source.text.words)
    enough = min(_SIGNS, len(source.places))
    found = []
    for field in FIELDS:
        weights = {sign: source.salience.get(stem(sign), 0.0) for sign in field.shown(words)}
        said = sorted(weights, key=lambda sign: (-weights[sign], sign))
        if said and len(said) >= enough:
            total = sum(weights[sign] for sign in said)  # in an order that is always the same
            found.append((total, [_shown(source, sign) for sign in said[:_SAID]], field))
    return sorted(found, key=lambda each: -each[0])


def _shown(source: Source, sign: str) -> str:
    """A sign as the text has it: "Ukraine", where it never stands without the capital."""
    text = source.text
    word = sign if sign in text.words else f"{sign}s"
    forms = {
        text.raw[slice(*span)] for span, each in zip(text.spans, text.words, strict=True) if each == word
    }
    return word if word in forms else min(forms)


def _about(person: Person, signs: Sequence[str]) -> str:
    seen = f", reads first what is said about {joined(signs)}," if signs else ""
    return f"{person.life}{seen} and {person.wish}."


def _fine(source: Source, wanted: int, *, news: bool) -> Iterator[tuple[str, str]]:
    """Every degree of familiarity with every topic, in an order in which neighbours differ in both."""
    found = topics(source, max(wanted, 2)) or list(_NOTHING)
    found += [] if len(found) > 1 else [_NOTHING[1]]
    main = [topic for topic in found if topic not in _NOTHING] or found[:1]
    degrees = (_NEWS if news else _TALK, *_FAMILIAR)
    number = 0
    while True:
        for turn in range(len(degrees)):
            for place, topic in enumerate(main):
                title, about = degrees[(place + turn) % len(degrees)]
                beside = found[0] if place else found[1]
                known = title.format(topic) if not number else f"Reader {number} about {topic}"
                yield known, about.format(topic, beside)
        number += 1
