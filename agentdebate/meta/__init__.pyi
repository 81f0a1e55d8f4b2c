from .agreement import Agreement as Agreement
from .agreement import agree as agree
from .figure import Bootstrap as Bootstrap
from .judgements import Judged as Judged
from .judgements import Judgements as Judgements

__all__: list[str]
