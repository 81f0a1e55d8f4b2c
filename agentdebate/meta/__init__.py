"""Statistics of a run's scores: their aggregation, and their agreement with people's scores. Nothing here runs
anything: it works on what a run has left behind.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
