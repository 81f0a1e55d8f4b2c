from .aggregate import AggregateTable as AggregateTable
from .agreement_table import AgreementTable as AgreementTable
from .dynamics import RunDynamics as RunDynamics
from .plot import Plot as Plot
from .stop_replay import StopReplays as StopReplays
from .stop_replay import replay_stops as replay_stops
from .sweep import SweepOptions as SweepOptions
from .sweep import SweepTable as SweepTable

__all__: list[str]
