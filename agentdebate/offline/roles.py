"""Readers who are recruited for a text, and the votes of those who are played (DRPE, Sections 3.1 and 3.2)."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from agentdebate.ballots.lineup import Player
from agentdebate.errors import RequestRefused
from agentdebate.offline.aspects import emphasis
from agentdebate.offline.case import Case
from agentdebate.offline.matter import Matter, Opinion
from agentdebate.offline.text import Text, stem

_COARSE, _FINE = 2, 3
"""Roles where the turn does not say how many: five in all, as in the paper."""
_ASKED, _WISHED = 3.0, 2.0
"""Weights of what an aspect asks for, and of what a role's description speaks of, beside 1 for everything else."""
_MOST_TOPICS, _LONGEST_TOPIC = 5, 30
_WALKS = (
    ("Shopkeeper", "shop price trade market", "Runs a small shop, and has little time for long texts."),
    ("Politician", "government mayor election law", "Sits on a council, and checks facts and figures."),
    (
        "Police officer",
        "police court trial killed",
        "Wants names, dates and the right order.",
    ),
    (
        "Nurse",
        "hospital health doctor disease",
        "Nurses the sick, and wants an easy text.",
    ),
    ("Sports fan", "team match player league", "Follows several teams, and wants the key moments."),
    ("Engineer", "bridge road engine technology", "Builds things, and wants evidence for every detail."),
)
"""Walks of life, words of a text that call for them, and what they want."""
_WISHES = {
    "overlap": r"key|main|important",
    "novelty": r"facts|evidence|check",
    "figures": r"figures|numbers|names|dates|exact",
    "repetition": r"repeat|redundan",
    "order": r"order|structure|logic",
    "length": r"short|long|detail|depth|little time",
    "sentences": r"easy|grammar|style|fluen|plain",
}
"""Words of a description, and the feature that counts for more with its reader."""
_DEGREES = (
    ("Newcomer to the story of {}", "Has never heard of {}, and wants a text that is easy to read."),
    ("Expert on {}", "Knows all about {}, and checks the facts and figures."),
    ("Casual reader about {}", "Has little time for {}, and wants the key points."),
)


@dataclass(frozen=True, slots=True)
class _Stand:
    """A text from a role's point of view."""

    matter: Matter
    opinion: Opinion
    topical: float

    @property
    def rank(self) -> tuple[float, int, str, str]:
        """Sort key, the best first. The position in which a text is shown has no part in it."""
        raw = self.matter.text.raw
        return -round(self.opinion.value + self.topical, 9), len(raw), raw, self.matter.key


def recruit(case: Case) -> str:
    """A line a role: as many by walk of life, and then as many by familiarity, as the turn was given."""
    given = case.context.given
    # The longest of all texts, so that the positions of candidates make no difference.
    basis = max((one.text.basis for one in case.matters), key=lambda one: (len(one.raw), one.raw))
    roles = [
        *islice(_by_walk_of_life(basis), int(given.get("coarse", _COARSE))),
        *islice(_by_familiarity(basis), int(given.get("fine", _FINE))),
    ]
    return "\n".join(f"{number}. {title}: {about}" for number, (title, about) in enumerate(roles, 1))


def play(case: Case) -> str:
    """A reason and a vote for each role; for one, or none, only these. Raises RequestRefused where there is one text alone."""
    context = case.context
    if not context.candidates:
        raise RequestRefused(
            f"a vote is between texts, and task {context.task.name!r} has one; take a task that compares",
            model="offline",
        )
    if len(context.players) <= 1:
        reason, label = _vote(case, *(context.players or (Player(context.card, ""),)))
        return f"{reason}\n\nVote: {label}"
    votes = [(" ".join(one.title.split()), *_vote(case, one)) for one in context.players]
    return "\n\n".join(
        f"Role {number}: {title}\nReason: {reason}\nVote: {label}"
        for number, (title, reason, label) in enumerate(votes, 1)
    )


def _by_walk_of_life(basis: Text) -> Iterator[tuple[str, str]]:
    """Walks of life: first those whose words the text has, then the others, and then more of each."""
    shown = {title: sum(basis.content[stem(one)] for one in signs.split()) for title, signs, _ in _WALKS}
    walks = sorted(_WALKS, key=lambda walk: -shown[walk[0]])
    for number in count(1):
        yield from ((f"{title} {number}" if number > 1 else title, about) for title, _, about in walks)


def _by_familiarity(basis: Text) -> Iterator[tuple[str, str]]:
    """Each degree with each topic, neighbours different in both."""
    topics = _topics(basis) or ["the subject"]
    for turn in count():
        for place, topic in enumerate(topics):
            title, about = _DEGREES[(place + turn) % len(_DEGREES)]
            known = title.format(topic) if turn < len(_DEGREES) else f"Reader {turn} about {topic}"
            yield known, about.format(topic)


def _topics(basis: Text) -> list[str]:
    """The names that a text has most often, and then other words that it stresses."""
    names = Counter(basis.word(at) for at in basis.names)
    words = [basis.word(basis.stems.index(one)) for one in basis.salient]
    found = dict.fromkeys(one.removesuffix("'s") for one in (*dict(names.most_common()), *words))
    return [one for one in found if one.isalpha() and 2 < len(one) < _LONGEST_TOPIC][:_MOST_TOPICS]  # noqa: PLR2004 - names


def _vote(case: Case, player: Player) -> tuple[str, str]:
    """A role's reason, and the label of the text that it prefers."""
    stands = sorted((_stand(matter, player) for matter in case.by_aspect[0]), key=lambda one: one.rank)
    best, second = stands[0].matter, stands[1].matter
    theirs = {one.feature: one for _, one in stands[1].opinion.findings}
    leads = sorted(
        (weight * (theirs[own.feature].value - own.value), own.feature, own)
        for weight, own in stands[0].opinion.findings
        if own.feature in theirs and own.value > theirs[own.feature].value
    )
    for _, feature, own in leads:
        if own.strong:
            return f"{best.label} serves me better. {own.strong}", best.label
        if theirs[feature].weak:
            return f"{second.label} gives me less. {theirs[feature].weak}", best.label
    return f"Neither says much more to me, and I lean to {best.label}.", best.label


def _stand(matter: Matter, player: Player) -> _Stand:
    """A text by all features; what the aspect asks for, and what the role's words speak of, count for more.

    A description is matched with words and nothing else: what it tells its reader to do is not done.
    """
    words = f"{player.title}\n{player.description}"
    asked = () if matter.profile.name == "overall" else matter.profile.scorer
    weights = {
        name: emphasis(player.title, name)
        + _ASKED * (name in asked)
        + _WISHED * bool(re.search(wish, words, re.IGNORECASE))
        for name, wish in _WISHES.items()
    }
    wanted = set(Text(words).content) & set(matter.text.basis.content)
    met = len(wanted & set(matter.text.content)) / len(wanted) if wanted else 0.0
    return _Stand(matter, matter.weighed(weights), 0.2 * met)
