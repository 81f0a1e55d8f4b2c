"""Models: one method that turns a request into a completion. base.py says what a model is; the rest are models.

dialects/ has what endpoints speak, and limits/ what holds calls back.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
