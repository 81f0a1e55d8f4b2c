"""What the keys of a JSON reply mean: which aspect a value is for, and which text is the reason."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentdebate.ballots.words import words_of
from agentdebate.tasks import Aspect

_REASONS = ("reason", "reasons", "reasoning", "explanation", "rationale", "analysis", "justification")
_FINAL = ("final_score", "final_rating")
_SCORES = ("score", "rating", *_FINAL)
_LOOSE = ("value", "result", "points", "grade", "mark", "answer")
"""Keys that name a score where no other key of the object does."""
_NESTS = frozenset(
    [*_SCORES, "scores", "ratings", "evaluation", "evaluations", "ballot", "result", "aspects"]
)
_NAMES = ("aspect", "name", "criterion", "metric", "dimension")


_FOREIGN = words_of(
    "example examples sample template format schema placeholder hypothetical previous prior earlier former initial old draft human reference baseline "
    "gold shot author worst case expected source critic reviewer others"
)
"""In a key: what stands below it is not the judge's own ballot where there is another one."""
_SHORT = 20
"""Characters of a string that holds no more than a number: "4 out of 5"."""

Pairs = Sequence[tuple[str, Any]]
"""The keys and values of an object."""


class Entries(list[tuple[str, Any]]):
    """The keys and values of a JSON object in order, with keys that stand in it twice."""

    @classmethod
    def of(cls, value: Any) -> Any:
        """The same JSON value with every object in it as Entries."""
        if isinstance(value, dict):
            return cls((str(key), cls.of(inner)) for key, inner in value.items())
        return [cls.of(inner) for inner in value] if isinstance(value, list) else value


@dataclass(slots=True)
class Gathered:
    """The raw values that objects give each aspect, by its index, and their reasons."""

    raws: list[list[Any]]
    reasons: list[str] = field(default_factory=list)
    has_keys: bool = False

    @property
    def reason(self) -> str:
        """All reasons given, one a line."""
        return "\n".join(dict.fromkeys(reason.strip() for reason in self.reasons))

    def add(self, aspect: int, raw: Any) -> None:
        """Note what an object gives an aspect."""
        self.raws[aspect].append(raw)
        self.has_keys = True


def fold_key(key: str) -> str:
    """The key in small letters, with underscores for what may part its words."""
    return re.sub(r"[\s_-]+", "_", key.strip().lower())


def keys_of(aspects: Sequence[Aspect]) -> re.Pattern[str]:
    """What a text must contain if one of its objects is to have a wanted key."""
    names = [re.escape(aspect.name).replace("_", r"[\s_-]{1,3}") for aspect in aspects]
    names += [name.replace("_", r"[\s_-]{1,3}") for name in (*_SCORES, *_LOOSE)]
    return re.compile(rf"(?:{'|'.join(names)})(?:[\s_-]?(?:score|rating))?[\"'“”]?\s{{0,9}}:", re.IGNORECASE)


def gather(objects: Iterable[Entries], aspects: Sequence[Aspect]) -> Gathered:
    """What the objects say on each aspect. Values may disagree; that is for the caller to find."""
    names = {aspect.name: k for k, aspect in enumerate(aspects)}
    for name in list(names):
        names.setdefault(f"{name}_score", names[name])
        names.setdefault(f"{name}_rating", names[name])
    gathered = Gathered([[] for _ in aspects])
    for entries in objects:
        _walk(entries, names, 0 if len(aspects) == 1 else None, gathered)
    return gathered


def _walk(entries: Entries, names: dict[str, int], owner: int | None, gathered: Gathered) -> None:
    """Gather from one object. `owner` is the aspect that a plain "score" in it is for."""
    folded = [(fold_key(key), value) for key, value in entries]
    owner = _owner(folded, names, owner)
    gathered.reasons += [text for key, value in folded if key in _REASONS for text in _texts(value)]
    own = [(names[key], value) for key, value in folded if key in names]
    for aspect, value in own:
        _put(value, names, aspect, gathered)
    others = [(key, value) for key, value in folded if key not in names]
    scores = [(key, value) for key, value in others if key in _NESTS]
    scores = [(key, value) for key, value in scores if key in _FINAL] or scores
    for key, value in others:
        if key not in _NESTS and not _is_foreign(key) and isinstance(value, Entries) and _holds(value, names):
            _walk(value, names, owner, gathered)
    for key, value in scores:
        nested = _objects_in(value)
        for one in nested:
            _walk(one, names, owner, gathered)
        if not nested and owner is not None and not own and key in _SCORES:
            gathered.add(owner, value)
    if owner is not None and not own and not any(key in _SCORES for key, _ in scores):
        for value in _loose(others):
            gathered.add(owner, value)
    _walk_foreign(others, names, owner, gathered)


def _walk_foreign(others: Pairs, names: dict[str, int], owner: int | None, gathered: Gathered) -> None:
    """Gather from objects that seem to be others' what nothing else gives: then they are the ballot after all."""
    for key, value in others:
        if key in _NESTS or not _is_foreign(key) or not isinstance(value, Entries):
            continue
        if _is_lacking(value, names, gathered):
            _walk(value, names, owner, gathered)


def _is_lacking(entries: Entries, names: dict[str, int], gathered: Gathered) -> bool:
    """Whether an object holds an aspect that nothing outside of it gives a value."""
    return any(
        key in names and not gathered.raws[names[key]] for key in (fold_key(key) for key, _ in entries)
    )


def _is_foreign(key: str) -> bool:
    """Whether a key seems to give the object below it to somebody else, to another time, or to an example."""
    return not _FOREIGN.isdisjoint(key.split("_"))


def _owner(folded: Pairs, names: dict[str, int], owner: int | None) -> int | None:
    """The aspect that an object names as its own, under whatever key; else that of the object around it, `owner`."""
    named = next((value for key, value in folded if key in _NAMES and isinstance(value, str)), None)
    if named is not None:
        owner = names.get(fold_key(named))
    said = {fold_key(value) for key, value in folded if key not in _REASONS and isinstance(value, str)}
    others = {names[name] for name in said if name in names}
    return others.pop() if len(others) == 1 else owner


def _loose(pairs: Pairs) -> list[Any]:
    """The number under a key that names a score where no other one does; nothing where there are several."""
    values = [value for key, value in pairs if key in _LOOSE and _is_number(value)]
    return values if len(values) == 1 else []


def _is_number(value: Any) -> bool:
    """Whether a JSON value is a number, or a short string that begins with one."""
    if isinstance(value, str):
        return len(value) <= _SHORT and value[:1].isdigit()
    return isinstance(value, float)


def _holds(entries: Entries, names: dict[str, int]) -> bool:
    """Whether an object under a key of any name has the key of an aspect."""
    return any(fold_key(key) in names for key, _ in entries)


def _objects_in(value: Any) -> list[Entries]:
    if isinstance(value, Entries):
        return [value]
    return [one for one in value if isinstance(one, Entries)] if isinstance(value, list) else []


def _put(value: Any, names: dict[str, int], aspect: int, gathered: Gathered) -> None:
    """Note an aspect's value; an object in its place holds the score under a key of its own."""
    if not isinstance(value, Entries):
        gathered.add(aspect, value[0] if isinstance(value, list) and _is_one_number(value) else value)
        return
    before = len(gathered.raws[aspect])
    _walk(value, names, aspect, gathered)
    if len(gathered.raws[aspect]) == before:
        gathered.add(aspect, None)


def _is_one_number(values: list[Any]) -> bool:
    """Whether a list holds a number and nothing else."""
    return len(values) == 1 and isinstance(values[0], float)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Entries):
        return [f"{key}: {text}" for key, inner in value for text in _texts(inner)]
    return [text for inner in value for text in _texts(inner)] if isinstance(value, list) else []
