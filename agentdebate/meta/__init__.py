"""What a run's scores are worth: how they are put together, and how well they agree with people's. Nothing here runs
anything: it works on what a run has left behind.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
