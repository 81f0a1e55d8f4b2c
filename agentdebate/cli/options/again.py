"""Options that the user repeats to go on with a run: a store may not decide them, or does not hold them."""

from dataclasses import dataclass, field
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.options.common import CONSENT, LIMITS, MODEL, ProjectPath
from agentdebate.cli.options.settings import CacheOptions
from agentdebate.models.secrets import without_keys
from agentdebate.project.trust import Trust


@Parameter(name="*", group=CONSENT)
@dataclass(frozen=True)
class Consent:
    """Permissions of the user for a project's files and for stores."""

    project: ProjectPath = None
    allow_endpoint: tuple[str, ...] = ()
    """HOST or HOST:PORT that a project's files, or a store, may have requests and keys sent to; the option again for more."""
    allow_code: bool = False
    """Import the Python files that strategies of the project in this folder use; --project FOLDER allows it as well where debates
    are held."""

    def trust(self, said_in: str | None = None) -> Trust:
        """Say what may be done by what stands in a project's files or, where `said_in` names one, in a store. Raises UsageError."""
        if said_in is None:
            return Trust.allowing(self.allow_endpoint, code=self.allow_code)
        code = self.allow_code or self.project is not None
        return Trust.allowing(self.allow_endpoint, code=code).of(said_in)

    def words(self) -> tuple[str, ...]:
        """Write the command line that says the same."""
        words = [f"--allow-endpoint={host}" for host in self.allow_endpoint]
        words += ["--allow-code"] if self.allow_code else []
        return (*words, *([f"--project={self.project}"] if self.project else []))


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True)
class SaidAgain:
    """Words of the user that go before what the store says of a run."""

    base_url: str | None = field(default=None, repr=False)
    """The endpoint's address, in the place of the one in the store."""
    api_key_env: str | None = None
    """The environment variable that holds the key, in the place of the one in the store."""
    extra: tuple[str, ...] = field(default=(), repr=False)
    """KEY=JSON of the run once more, where its value was a secret and is not kept."""
    concurrency: Annotated[int | None, Parameter(name=["--concurrency", "-c"], group=LIMITS)] = None
    """Debates that each process holds at once [as before]."""
    caching: CacheOptions = CacheOptions()
    consent: Consent = Consent()

    def words(self, *, secrets: bool = False) -> tuple[str, ...]:
        """Write the command line that says the same; without `secrets` what may be one is left out."""
        said = {"--base-url": self.base_url, "--api-key-env": self.api_key_env}
        words = [f"{name}={value}" for name, value in said.items() if value]
        if secrets:
            words += [f"--extra={text}" for text in self.extra]
        else:
            words = [word for word in words if without_keys(word) == word]
        return (*self.consent.words(), *words, *self.caching.words())
