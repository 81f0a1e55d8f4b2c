"""What people look at: tables, plots and pages, made of what a run has left behind."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
