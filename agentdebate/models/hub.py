"""Downloads of models that are named and are not a folder."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from agentdebate import plugins
from agentdebate.project.trust import Trust, is_folder

Opener = TypeVar("Opener", bound=Callable[..., Any])

_MARK = "fetches_from_hub"

HUGGING_FACE = "https://huggingface.co"


def from_hub(opener: Opener) -> Opener:
    """Mark what opens an evaluator or embedder whose model is a folder, or else a name on the hub, from which it is fetched.

    A file or a store may then name such a model only where the user allows the hub.
    """
    setattr(opener, _MARK, True)
    return opener


def is_from_hub(opener: object) -> bool:
    """Tell whether an opener is marked so."""
    return getattr(opener, _MARK, False) is True


def check_fetched(group: str, name: str, model: str, trust: Trust, what: str) -> None:
    """Raise UserError where something registered would fetch a model that is not a folder here, and the user has not allowed the hub:
    Hugging Face, or the one that the environment's HF_ENDPOINT names.
    """
    point = plugins.registered(group).get(name)
    fetched = not (model.startswith((".", "/", "~")) or is_folder(model))
    if point and fetched and is_from_hub(plugins.load(point)):
        hub = os.environ.get("HF_ENDPOINT", "").strip() or HUGGING_FACE
        trust.check_address(hub, None, f"{what} {model!r} is not a folder here, and")
