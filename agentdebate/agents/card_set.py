"""Sets of agent cards: all with one tag, or all in one folder."""

from collections.abc import Sequence
from pathlib import Path

from agentdebate.agents.card import Card, load_card, read_card
from agentdebate.errors import UsageError, nearest
from agentdebate.project import Project

TAG, FOLDER = "tag:", "folder:"
"""What stands before the name of a set."""


def card_set(
    cards: str | Card | Sequence[str | Card], project: Project, base: Path
) -> tuple[str | Card, ...]:
    """The cards with every set among them opened up, by name; a folder's path begins at `base`.

    Raises UsageError for a set that has nobody in it, and ContentError for a card that cannot be read.
    """
    several = (cards,) if isinstance(cards, str | Card) else cards
    return tuple(one for card in several for one in _opened(card, project, base))


def _opened(card: str | Card, project: Project, base: Path) -> tuple[str | Card, ...]:
    if isinstance(card, str) and card.startswith(TAG):
        return _tagged(card.removeprefix(TAG), project)
    if isinstance(card, str) and card.startswith(FOLDER):
        return _in_folder(base / card.removeprefix(FOLDER))
    return (card,)


def _tagged(tag: str, project: Project) -> tuple[str, ...]:
    tags = {name: load_card(project, name).tags for name in project.names("agents")}
    found = tuple(name for name, own in tags.items() if tag in own)
    if not found:
        known = {one for own in tags.values() for one in own}
        raise UsageError(f"no agent has the tag {tag!r}. {nearest(tag, known)}")
    return found


def _in_folder(folder: Path) -> tuple[Card, ...]:
    pages = sorted(path for path in folder.glob("*.md") if path.is_file())
    if not pages:
        raise UsageError(f"there are no agent cards (*.md) in the folder {folder}")
    return tuple(read_card(path) for path in pages)
