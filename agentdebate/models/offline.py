"""Where the embedded judge was registered; an editable install that was made before it moved still looks here."""

from agentdebate.offline.model import OfflineJudge, open_offline

__all__ = ["OfflineJudge", "open_offline"]
