"""Why a reply could not be read."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["nothing", "refusal", "cut_off", "missing", "several", "off_scale", "too_long"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a reply gives no ballot (or no critique); `text` tells the agent what was wrong, not what to do about it."""

    kind: Kind
    text: str
