"""Runs: many debates at once, with their settings, limits and budget."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
