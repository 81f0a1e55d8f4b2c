"""Which key goes where: by default to its provider's own host, and to what the user has said beside it."""

import os

from agentdebate.project.trust import Place
from agentdebate.project.user_endpoints import user_endpoints

OPENAI = "https://api.openai.com/v1"
KEY, _ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"


def usual_address() -> str:
    """Where requests go that name no address: where the environment says, else OpenAI's own."""
    return os.environ.get(_ADDRESS) or OPENAI


def key_variable(address: str) -> str | None:
    """The variable that holds the key for an address where none is named; None: no key is sent there.

    A key goes to its provider's own host, to the one that the environment names beside it, and to an entry of
    endpoints.toml.
    """
    place = Place.read(address)
    if place is None:
        return KEY if address == usual_address() else None
    for one in user_endpoints():
        if Place.read(one.address) == place:
            return one.api_key_env
    return KEY if place in (Place.read(OPENAI), Place.read(usual_address())) else None
