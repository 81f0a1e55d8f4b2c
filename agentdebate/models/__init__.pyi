from .base import Model as Model
from .check import Check as Check
from .check import Tried as Tried

__all__: list[str]
