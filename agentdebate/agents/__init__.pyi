from .reply_kind import Doubt as Doubt
from .reply_kind import ReplyKind as ReplyKind
from .seat import Seat as Seat
from .seat import SeatPlan as SeatPlan
from .seat import Seats as Seats

__all__: list[str]
