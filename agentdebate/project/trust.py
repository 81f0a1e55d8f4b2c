"""Trust in what the user, a file or a store says, and the hosts to which the files of others may send anything.

What the user types, sets in the environment or writes in code says where requests and keys go. What a project's files or
a store say of that counts only for hosts that the user has allowed, or wrote down in endpoints.toml, and in folders that
the user's my-folders names. A `Trust` is handed whole to whatever reads such a file; its default allows nothing.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from agentdebate import plugins
from agentdebate.errors import ContentError, UsageError, UserError
from agentdebate.options import NO_FILES, OptionKind
from agentdebate.project.model_spec import ModelSpec, spec_text
from agentdebate.project.my_folders import how_to_own, is_mine
from agentdebate.project.user_endpoints import user_endpoints
from agentdebate.visible import visible

_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9](?:[a-z0-9._-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?(?=[/?]|$)",
    re.IGNORECASE | re.ASCII,
)
"""The beginning of an address that every program reads alike. What looks otherwise is refused, not guessed at."""
_SCHEME = re.compile(r"[\s\x00-\x20]*[a-z][a-z0-9+.-]*:[/\\]", re.IGNORECASE)
_HOST = re.compile(r"(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?", re.IGNORECASE | re.ASCII)
LOCAL: Mapping[str, str] = {
    "llamacpp": "http://localhost:8080/v1",
    "ollama": "http://localhost:11434/v1",
    "vllm": "http://localhost:8000/v1",
}
"""Providers that are programs on this machine, and where they listen unless the environment says so: OLLAMA_BASE_URL."""
_MODELS = "agentdebate.models"
_RULES = ("agentdebate.merges", "agentdebate.stops", "agentdebate.histories")
"""Groups of entry points whose options files set."""
_PORTS = {"http": 80, "https": 443}
_PROSE = (".md", ".txt")
"""Endings of files that nothing runs or reads as settings."""


@dataclass(frozen=True, slots=True)
class Place:
    """Place that requests go to: scheme, host and port."""

    scheme: str
    host: str
    port: int

    @classmethod
    def read(cls, address: str) -> "Place | None":
        """The place of an address; None where the address is not written plainly."""
        found = _ADDRESS.match(address.strip())
        if found is None or int(found["port"] or 1) not in range(1, 1 << 16):
            return None
        scheme = found["scheme"].lower()
        return cls(scheme, _plain(found["host"]), int(found["port"] or _PORTS[scheme]))

    def __str__(self) -> str:
        usual = self.scheme == "https" and self.port == _PORTS[self.scheme]
        return self.host if usual else f"{self.host}:{self.port}"


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:  # a name
        return False


@dataclass(frozen=True, slots=True)
class AllowedHost:
    """A host that the user allows: at one port, or at every port where none is named.

    Without a port, what would go in the clear (http) is allowed on this machine alone.
    """

    host: str
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> "AllowedHost":
        """Read HOST or HOST:PORT. Raises UsageError."""
        found = _HOST.fullmatch(text.strip())
        if found is None:
            raise UsageError(
                f"allow_endpoints=... takes HOST or HOST:PORT, such as localhost:8000, not {visible(text)!r}"
            )
        return cls(_plain(found["host"]), int(found["port"]) if found["port"] else None)

    def covers(self, place: Place) -> bool:
        """Tell whether a place is on this host, and at its port where it names one."""
        if place.host != self.host:
            return False
        return (
            self.port == place.port if self.port else place.scheme == "https" or _is_this_machine(place.host)
        )


@dataclass(frozen=True)
class Trust:
    """Source of a setting: the user, or a file or store. Beside it the hosts that the user allows to files and stores."""

    said_in: str | Path | None = None
    """The file or store that said it; None: the user did."""
    hosts: tuple[AllowedHost, ...] = ()
    code: bool = False
    """True if the user allows a project's files to name Python files of the project, which are then imported."""
    folder: Path | None = None
    """The folder of the project that the file is of."""

    @classmethod
    def allowing(cls, hosts: Iterable[str], *, code: bool = False) -> "Trust":
        """Return the trust of a user who allows these hosts, and code or not, to others. Raises UsageError."""
        return cls(hosts=tuple(AllowedHost.read(host) for host in hosts), code=code)

    def of(self, place: str | Path, folder: Path | None = None) -> "Trust":
        """Allowance for what stands in a file, of the project in `folder`, or in a store."""
        return replace(self, said_in=place, folder=folder)

    @property
    def is_user(self) -> bool:
        """True if the user said it, as whatever is said in a folder of the user's own."""
        return self.said_in is None or is_mine(self.folder)

    def allows(self, address: str) -> bool:
        """Tell whether the user allows requests to an address, with the key that goes there."""
        try:
            self.check_address(address, None, "it")
        except UserError:
            return False
        return True

    def check_address(self, address: str, variable: str | None, what: str) -> None:
        """Raise UserError where a file or store names an address, or the variable of a key for it, that the user has not allowed."""
        if self.is_user:
            return
        if not address:
            raise self.refused(f"{what} names a key: write the address that it goes to, base_url, beside it")
        place = Place.read(address if is_address(address) else f"https://{address}")
        if place is None:
            raise self.refused(f"{what} names the address {_bare(address)!r}, which is not written plainly")
        if any(host.covers(place) for host in self.hosts):
            return
        same = [one for one in user_endpoints() if Place.read(one.address) == place]
        if same and variable in (None, same[0].api_key_env):
            return
        key = f" with the key in {visible(variable)}" if variable else ""
        raise ContentError(
            f"{what} would send requests to {place}{key}. What a project's files or a store say of that counts only where you allow it: "
            f"allow_endpoints='{place}', or an entry in endpoints.toml{how_to_own(self.folder)}",
            path=self.said_in,
        )

    def check_options(
        self,
        options: Mapping[str, Any],
        kind_of: Callable[[str], OptionKind | None],
        what: str,
        *,
        usual: str = "",
        base: Path | None = None,
    ) -> None:
        """Raise UserError where options, at any depth, name an address, a secret or a file that the user has not allowed.

        `kind_of` says what an option is declared to hold; a text of which nothing is declared counts as code does. `usual` is the address where
        none is named; files begin at `base`, by default the current folder.
        """
        if self.is_user:
            return
        said = [(name, *one) for name, value in options.items() for one in _texts(value, kind_of(name))]
        addresses = [
            (name, text) for name, text, kind in said if kind is OptionKind.ADDRESS or is_address(text)
        ]
        secrets = dict.fromkeys(
            text if kind is OptionKind.VARIABLE else name
            for name, text, kind in said
            if kind in (OptionKind.VARIABLE, OptionKind.SECRET)
        )
        variable = ", ".join(secrets) or None
        for name, address in addresses:
            self.check_address(address or usual, variable, f"{what}, option {name!r},")
        if variable and not addresses:
            self.check_address(usual, variable, what)
        for name, text, kind in said:
            if kind is OptionKind.FILE:
                path = self.path(text, base or Path.cwd(), f"the file in the option {name!r}")
                if path.suffix not in _PROSE and text not in NO_FILES:
                    raise self.refused(
                        f"the file in the option {name!r} may be written, so that its name has to end in .md or .txt"
                    )
            elif kind is None and not is_address(text):
                self.check_code(f"{what}, option {name!r}, is a text, and nothing declares what it is for")

    def check_model(self, name: object, what: str) -> None:
        """Raise UserError where what is written of a model holds an address or a secret that the user has not allowed, or stands for
        one on this machine. One that was made in code is the user's.
        """
        if not isinstance(name, str | Mapping) or self.is_user:
            return
        try:
            spec = ModelSpec.parse(str(spec_text(name)))
        except UsageError as error:
            raise self.refused(f"{what}: {error}") from error
        provider = spec.name.partition("/")[0]
        own = "base_url" in spec.options or os.environ.get(f"{provider.upper()}_BASE_URL")
        if provider in LOCAL and not own:
            self.check_address(LOCAL[provider], None, f"{what} ({provider}/)")
        if "://" in spec.name:
            scheme, _, rest = spec.name.partition("://")
            self.check_address(f"{re.split(r'[^a-zA-Z]', scheme)[-1]}://{rest}", None, what)
        self.check_options(spec.options, partial(plugins.kind_of, _MODELS, provider), what)

    def check_code(self, problem: str) -> None:
        """Raise UserError for a file with code to be imported, or whatever may do as much, where the user has not allowed that."""
        if not (self.said_in is None or self.code):  # Project says it of the user's own folders
            raise CodeRefused(
                f"{problem}. It can do all that you can do, so it counts only where you say so: look at it first, and then "
                f"allow_code=True for the project{how_to_own(self.folder)}",
                path=self.said_in,
            )

    def path(self, written: str, base: Path, what: str) -> Path:
        """A path that was written, which begins at `base`. One that the user did not write has to stay below it.

        Raises UserError where it leads out, by "..", as an absolute path, or by a link, and where it cannot be a path.
        """
        path = base / Path(written)
        try:
            out = leads_out(path, base) and not self.is_user
        except (OSError, ValueError, RuntimeError) as error:  # too long, NUL, or links in a circle
            raise self.refused(
                f"{what} is not a path that can be used: {visible(str(error))[:80]}"
            ) from error
        if out:
            raise self.refused(
                f"{what} leads out of {base}: only you may name such a path, on the command line"
                f"{how_to_own(self.folder)}"
            )
        return path

    def refused(self, problem: str) -> UserError:
        """Return an error that names the file or store that may not say something."""
        if isinstance(self.said_in, Path):
            return ContentError(problem, path=self.said_in)
        return UsageError(f"{self.said_in}: {problem}")


USER = Trust()
"""Trust of a user who allows nothing to others."""


class CodeRefused(ContentError):
    """A file names Python code, or sets what may do as much, and the user has not allowed it."""


def _texts(value: Any, kind: OptionKind | None) -> Iterator[tuple[str, OptionKind | None]]:
    """Every text in an option, with its kind; options of a rule, in a table with its name, are of the kinds that the rule declares."""
    if isinstance(value, Mapping):
        rule = value.get("rule") if kind is OptionKind.TEXT else None
        for key, inner in value.items():
            own = (plugins.kind_of(group, str(rule), key) for group in _RULES)
            yield from _texts(inner, next(filter(None, own), None) if rule and key != "rule" else kind)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, kind)
    elif isinstance(value, str):
        yield value, kind


def leads_out(path: Path, base: Path) -> bool:
    """Tell whether a path, which may be relative to the current folder, ends up outside a folder: links are followed."""
    return not path.resolve().is_relative_to(base.resolve())


def is_folder(written: str) -> bool:
    """Tell whether a text is the path of a folder that exists; one that cannot be a path, or of an unknown user (~name), is not."""
    try:
        return Path(written).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def is_address(text: str) -> bool:
    """Tell whether a text begins as an address does."""
    return _SCHEME.match(text) is not None


def _plain(host: str) -> str:
    return host.lower().rstrip(".")


def _bare(address: str) -> str:
    """An address that is wrong, without what may be a password in it."""
    return visible(re.sub(r"//[^/@]*@", "//[key]@", address))[:80]
