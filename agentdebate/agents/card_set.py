"""Sets of agent cards: all with one tag, or all in one folder."""

from collections.abc import Sequence
from pathlib import Path

from agentdebate.agents.card import Card, load_card, read_card
from agentdebate.errors import UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.project.trust import Trust
from agentdebate.visible import shortened

TAG, FOLDER = "tag:", "folder:"
"""What stands before the name of a set."""


def card_set(
    cards: str | Card | Sequence[str | Card], project: Project, base: Path, trust: Trust
) -> tuple[str | Card, ...]:
    """The cards with every set among them opened up, by name; a folder's path begins at `base`.

    `trust` is who named the set: a folder that the user did not name lies below `base`. Raises UsageError for a set that
    has nobody in it, and ContentError for a card that cannot be read.
    """
    several = (cards,) if isinstance(cards, str | Card) else cards
    return tuple(one for card in several for one in _opened(card, project, base, trust))


def _opened(card: str | Card, project: Project, base: Path, trust: Trust) -> tuple[str | Card, ...]:
    if isinstance(card, str) and card.startswith(TAG):
        return _tagged(card.removeprefix(TAG), project)
    if isinstance(card, str) and card.startswith(FOLDER):
        folder = trust.path(card.removeprefix(FOLDER), base, f"the set {card!r}")
        return tuple(_member(path, project, base, trust) for path in _pages(folder))
    if isinstance(card, Card):
        trust.check_model(card.model, f"the agent {card.name!r}")
    return (card,)


def _tagged(tag: str, project: Project) -> tuple[str, ...]:
    tags = {name: load_card(project, name).tags for name in project.names("agents")}
    found = tuple(name for name, own in tags.items() if tag in own)
    if not found:
        known = {one for own in tags.values() for one in own}
        raise UsageError(f"no agent has the tag {tag!r}. {nearest(tag, known)}")
    return found


def _pages(folder: Path) -> list[Path]:
    try:
        pages = sorted(path for path in folder.glob("*.md") if path.is_file())
    except (OSError, ValueError):  # too long for a path, or with a NUL in it
        pages = []
    if not pages:
        raise UsageError(f"there are no agent cards (*.md) in the folder {shortened(str(folder), 200)}")
    return pages


def _member(path: Path, project: Project, base: Path, trust: Trust) -> Card:
    """A card of a folder, which may be a link out of it only where the user named the folder."""
    return read_card(trust.path(str(path.absolute()), base, f"the card {path.name!r}"), project.trust(path))
