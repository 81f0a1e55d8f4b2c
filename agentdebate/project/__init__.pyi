from .new_project import NewFile as NewFile

__all__: list[str]
