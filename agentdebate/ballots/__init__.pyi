from .ballot import Ballot as Ballot
from .ballot import Confidence as Confidence
from .ballot import Given as Given
from .ballot import Rating as Rating
from .kinds import BallotKind as BallotKind
from .kinds import BallotPaper as BallotPaper
from .kinds import ballot_kind as ballot_kind
from .lineup import ReplySpec as ReplySpec
from .merge import MergeContext as MergeContext
from .merge import MergeOption as MergeOption
from .merge import MergeRule as MergeRule
from .replies.outcome import Problem as Problem
from .roster import Role as Role

__all__: list[str]
