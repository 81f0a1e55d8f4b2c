from .base import Evaluator as Evaluator
from .base import Range as Range

__all__: list[str]
