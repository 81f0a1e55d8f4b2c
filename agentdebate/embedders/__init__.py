"""Embedders: what turns roles into vectors. One embedder a file; base.py says what one is."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
