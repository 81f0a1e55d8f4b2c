"""What tests of the command line share: a model in the place of the one that --model names."""

from collections.abc import Callable

import pytest

from agentdebate.models.base import Model


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Model], None]:
    """Have --model open this model, whatever its name."""

    def use(model: Model) -> None:
        for opens in ("agentdebate.cli.options.common", "agentdebate.studies.sweep"):
            monkeypatch.setattr(f"{opens}.open_model", lambda *_, **__: model)

    return use
