from .ready import ReadyStrategy as ReadyStrategy

__all__: list[str]
