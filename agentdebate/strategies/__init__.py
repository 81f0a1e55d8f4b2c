"""Strategies: who speaks when, who hears what, and how ballots become a verdict. One way of talking a file; base.py says
what a strategy is, load.py reads strategies/.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
