"""Assistant evaluators: what scores a text without a debate. One evaluator a file; base.py says what one is."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
