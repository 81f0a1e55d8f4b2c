"""Ballots: what they are (ballot.py), how they are got out of replies (schema.py, text.py), and when a critic agrees
(objection.py).
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
