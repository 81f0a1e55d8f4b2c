from . import purposes as purposes
from .messages import FLOOR as FLOOR
from .messages import CastBallot as CastBallot
from .messages import Critique as Critique
from .messages import Evidence as Evidence
from .messages import Failure as Failure
from .messages import Message as Message
from .messages import Plan as Plan
from .messages import Poll as Poll
from .messages import Reply as Reply
from .messages import Roster as Roster
from .messages import Ruling as Ruling
from .messages import Samples as Samples
from .messages import Score as Score
from .messages import Statement as Statement
from .messages import Summary as Summary
from .messages import Transcript as Transcript
from .messages import Vote as Vote
from .purposes import Purpose as Purpose

__all__: list[str]
