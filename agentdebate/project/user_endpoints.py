"""The user's own endpoints: ~/.config/agentdebate/endpoints.toml says which addresses are theirs, and which key goes there."""

import os
import shlex
import tomllib
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agentdebate.errors import ContentError
from agentdebate.wrong_values import plain_problem

FILE = "endpoints.toml"


class UserEndpoint(BaseModel):
    """An entry of the file: an address, and the environment variable that holds the key for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str
    """An address such as http://localhost:8000/v1. It stands for every path at this scheme, host and port."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The name of the variable, never the key itself. Without it and without a command no key is sent."""
    api_key_command: str | None = Field(default=None, min_length=1)
    """A command that prints the key, such as "gcloud auth print-access-token": it goes as a bearer, and the command is run again where it is
    refused.
    """

    @field_validator("address")
    @classmethod
    def _is_address(cls, address: str) -> str:
        host = address.partition("://")[2].partition("/")[0]
        if not address.startswith(("http://", "https://")) or not host:
            raise ValueError("an address starts with http:// or https://, such as http://localhost:8000/v1")
        if "@" in host:
            raise ValueError("an address holds no user or password; api_key_env names the key's variable")
        return address

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        if self.api_key_env and self.api_key_command:
            raise ValueError("give api_key_env or api_key_command, not both")
        if self.api_key_command is not None and not shlex.split(self.api_key_command):
            raise ValueError("api_key_command is a program and what it is given")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    endpoint: tuple[UserEndpoint, ...] = ()


def user_file(name: str) -> Path | None:
    """Find the path of a user's file: in XDG_CONFIG_HOME, else in ~/.config. None where there is no such folder.

    A relative XDG_CONFIG_HOME means nothing: the folder that one is in would decide.
    """
    named = os.environ.get("XDG_CONFIG_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / "agentdebate" / name
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is no home
    return Path(home) / ".config" / "agentdebate" / name if Path(home).is_absolute() else None


def is_there(path: Path | None) -> bool:
    """Tell whether there is such a file. In a folder that is closed to the user, as the home of another one, nothing is theirs."""
    return path is not None and os.path.isfile(path)  # noqa: PTH113 - Path.is_file() raises for such a folder


def user_endpoints() -> tuple[UserEndpoint, ...]:
    """The entries of the file; none where there is no file. Raises ContentError."""
    path = user_file(FILE)
    if path is None or not is_there(path):
        return ()
    try:
        found = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContentError(f"this is not TOML: {error}", path=path) from error
    except OSError as error:
        raise ContentError(f"cannot be read: {error.strerror}", path=path) from error
    except ValidationError as error:
        raise _wrong(error, path) from error
    return found.endpoint


def _wrong(error: ValidationError, path: Path) -> ContentError:
    first = error.errors(include_url=False, include_input=False)[0]
    key = ".".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        problem = (
            "this key means nothing here: an entry [[endpoint]] has address, api_key_env or api_key_command"
        )
    else:
        problem = plain_problem(first)  # without the value, which may be the key itself
    return ContentError(problem, path=path, key=key)
