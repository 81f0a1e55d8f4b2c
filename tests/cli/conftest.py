"""What tests of the command line share: a model in the place of the one that --model names."""

from collections.abc import Callable

import pytest

from agentdebate.models.base import Model


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Model], None]:
    """Have --model open this model, whatever its name."""

    def use(model: Model) -> None:
        monkeypatch.setattr("agentdebate.runs.run.opener", lambda *_: lambda _: model)

    return use
