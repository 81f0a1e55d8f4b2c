from .sweep import SweepListener as SweepListener
from .sweep_cell import SweepCell as SweepCell
from .sweep_forecast import SweepForecast as SweepForecast

__all__: list[str]
