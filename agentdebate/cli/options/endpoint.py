"""What the user says once more to go on with a run: what a store may not decide, and what it does not hold."""

from dataclasses import dataclass, field, replace
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.options.common import ModelOptions
from agentdebate.cli.options.order import Order
from agentdebate.datasets.named_values import pairs
from agentdebate.errors import UsageError
from agentdebate.models.secrets import HIDDEN, without_keys


@Parameter(name="*")
@dataclass(frozen=True)
class SaidAgain:
    """The options of a run about addresses and keys, given once more."""

    base_url: Annotated[
        str | None, Parameter(help="The endpoint's address, where it is not to be taken from the store.")
    ] = field(default=None, repr=False)
    api_key_env: Annotated[
        str | None,
        Parameter(help="The variable that holds the key, where it is not to be taken from the store."),
    ] = None
    extra: Annotated[
        tuple[str, ...],
        Parameter(
            help="KEY=JSON of the run once more, where its value was a secret and is not kept.",
            negative="",
            show_default=False,
        ),
    ] = field(default=(), repr=False)

    def words(self) -> list[str]:
        """The words of a command line that say the same."""
        said = {"--base-url": self.base_url, "--api-key-env": self.api_key_env}
        words = [f"{name}={value}" for name, value in said.items() if value]
        return [*words, *(f"--extra={text}" for text in self.extra)]

    def over(self, order: Order, run: str) -> Order:
        """The stored order with what is said here in its place. What is left of it is checked. Raises UserError."""
        again = pairs(self.extra, "--extra")
        models = order.models
        left = replace(
            models,
            base_url=None if self.base_url else models.base_url,
            api_key_env=None if self.api_key_env else models.api_key_env,
            extra=tuple(text for text in models.extra if text.partition("=")[0] not in again),
        )
        _check_hidden(left, order, run)
        self._check(replace(order, models=left))
        given = {"base_url": self.base_url, "api_key_env": self.api_key_env}
        said = {name: value for name, value in given.items() if value}
        kept = {name: value for name, value in said.items() if without_keys(value) == value}
        return replace(
            order,
            models=replace(
                left,
                base_url=self.base_url or left.base_url,
                api_key_env=self.api_key_env or left.api_key_env,
                extra=(*left.extra, *self.extra),
            ),
            again=tuple(f"--{name.replace('_', '-')}={value}" for name, value in kept.items()),
        )

    def _check(self, left: Order) -> None:
        """Raise UserError for what is left of the store's options. A variable of the store's goes to the address that is used."""
        models = left.models
        if self.base_url and models.api_key_env:
            models = replace(models, base_url=self.base_url)
        replace(left, models=models).check(left.trust)


def _check_hidden(models: ModelOptions, order: Order, run: str) -> None:
    """Raise UsageError where a secret was not kept, and was not given again."""
    missing = ["--base-url"] if HIDDEN in (models.base_url or "") else []
    missing += [f"--extra {text.partition('=')[0]}=..." for text in models.extra if HIDDEN in text]
    if any(HIDDEN in text for text in order.casting.option):
        raise UsageError(
            f"run {run} was begun with a secret in --set, and secrets are not kept: begin a new run"
        )
    if missing:
        raise UsageError(
            f"run {run} was begun with a secret in {' and '.join(missing)}, and secrets are not kept: give it to "
            "agentdebate resume once more"
        )
