from .base import Embedder as Embedder

__all__: list[str]
