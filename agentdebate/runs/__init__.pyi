from .evaluation import Evaluation as Evaluation
from .forecast import Forecast as Forecast
from .hearing_graph import HearingGraph as HearingGraph

__all__: list[str]
