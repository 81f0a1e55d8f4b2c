"""Options by name: each mistake says whose option it is, which one, and what would do."""

from importlib.metadata import entry_points
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from agentdebate import plugins
from agentdebate.errors import UsageError
from agentdebate.options import names, read_options


class Several(BaseModel):
    model_config = ConfigDict(extra="forbid")

    share: float = Field(default=0.5, gt=0)
    form: str = Field(default="plain", alias="schema", pattern="^[a-z]+$")
    key: str = Field(default="", repr=False, max_length=3)


def test_text_is_read_as_what_the_option_is() -> None:
    assert read_options(Several, {"share": "0.25", "schema": "json"}, of="x").share == 0.25
    assert names(Several) == {"share", "schema", "key"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"shar": 1}, "the x has no option 'shar'. Did you mean 'share'?"),
        ({"form": "json"}, "the x has no option 'form'. Known: also, key, schema, share."),
        ({"alsoo": 1}, "the x has no option 'alsoo'. Did you mean 'also'?"),
        ({"share": 0}, "the x, option 'share': it is more than 0, not 0"),
        ({"schema": "JSON"}, "the x, option 'schema': it is text of the form ^[a-z]+$, not 'JSON'"),
        ({"key": "sk-secret"}, "the x, option 'key': it has too many characters: at most 3"),
    ],
)
def test_a_mistake_names_whose_option_it_is_and_shows_no_secret(given: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_options(Several, given, of="the x", beside=["also"])
    assert str(caught.value) == says
    assert caught.value.option == next(iter(given))


GROUPS = {
    "agentdebate.models": "offline",
    "agentdebate.evaluators": "rouge-l",
    "agentdebate.embedders": "tf-idf",
    "agentdebate.strategies": "solo",
}


@pytest.mark.parametrize(("group", "name"), GROUPS.items())
def test_what_is_registered_is_found_and_what_is_not_has_a_hint(group: str, name: str) -> None:
    assert plugins.find(group, name, "never") == entry_points(group=group)[name]
    with pytest.raises(UsageError, match=rf"^there is no such thing\. Did you mean '{name}'\?$"):
        plugins.find(group, f"{name}x", "there is no such thing")
