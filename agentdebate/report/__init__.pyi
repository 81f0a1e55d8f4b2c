from .aggregate import AggregateTable as AggregateTable
from .agreement_table import AgreementTable as AgreementTable
from .cascade import CascadeTable as CascadeTable
from .cascade import calibrate as calibrate
from .dynamics import RunDynamics as RunDynamics
from .frontier import FrontierTable as FrontierTable
from .frontier import frontier as frontier
from .gate import Gate as Gate
from .gate import gate as gate
from .plot import Plot as Plot
from .stop_replay import StopReplays as StopReplays
from .stop_replay import replay_stops as replay_stops
from .sweep import SweepForecastOptions as SweepForecastOptions
from .sweep import SweepOptions as SweepOptions
from .sweep import SweepTable as SweepTable

__all__: list[str]
