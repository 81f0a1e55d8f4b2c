"""Values that are made in code: what is wrong with them is said in our words, with the field and what it may be."""

from collections.abc import Callable
from typing import Any

import pytest
from engine_cases import Played, hold

from agentdebate import plugins
from agentdebate.agents.seat import Card
from agentdebate.errors import StrategyError, UserError
from agentdebate.strategies.floor import Floor
from agentdebate.tasks import Aspect, Item, Scale, Task
from agentdebate.testing import replying


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: item(human=5), "Item(...), 'human': it is a table of names and values, not 5"),
        (lambda: item(human={"fluency": "good"}), "Item(...), 'human.fluency': it is a number, not 'good'"),
        (lambda: item(fields={"text": 5}), "Item(...), 'fields.text': it is text, not 5"),
        (lambda: item(sytem="x"), "Item(...) has no 'sytem'. Did you mean 'system'?"),
        (lambda: item(human={"x": float("nan")}), "Item(...), 'human.x': it is a finite number, not nan"),
        (lambda: card(persona=3), "Card(...), 'persona': it is text, not 3"),
        (lambda: card(rol="x"), "Card(...) has no 'rol'. Known: about, "),
        (lambda: card(title="x" * 300), "Card(...), 'title': it has too many characters: at most 200"),
        (lambda: Scale(low=5, high=1), "Scale(...): a scale runs from low to high, not from 5 to 1"),
        (lambda: aspect(scale="1-x"), "Aspect(...), 'scale': '1-x' is not a scale; write it like 1-5"),
        (
            lambda: aspect(name="My aspect"),
            "Aspect(...), 'name': it is a name of small letters, digits and _",
        ),
        (lambda: task(aspects=5), "Task(...), 'aspects': it is a list, not 5"),
        (lambda: task(brief=None), "Task(...), 'brief': it is text, not None"),
    ],
)
def test_a_wrong_field_is_named_with_what_it_may_be(made: Callable[[], Any], says: str) -> None:
    with pytest.raises(UserError) as raised:
        made()
    assert str(raised.value).startswith(says)


def item(**fields: Any) -> Item:
    return Item(**{"fields": {"text": "x"}, **fields})


def card(**fields: Any) -> Card:
    given = {"name": "ann", "title": "Ann", "persona": "You are Ann.", **fields}
    return Card(**{name: value for name, value in given.items() if value is not ...})


def aspect(**fields: Any) -> Aspect:
    return Aspect(**{"name": "fluency", "scale": Scale(low=1, high=5), "criterion": "x", **fields})


def task(**fields: Any) -> Task:
    return Task(**{
        "name": "t", "fields": ("text",), "judged": "text", "aspects": (aspect(),), "brief": "x", **fields
    })  # fmt: skip


async def test_what_code_of_a_strategy_makes_of_one_reply_fails_that_debate_alone() -> None:
    async def play(_floor: Floor) -> None:
        Scale(low=5, high=1)

    record = await hold(Played(play=play), replying("Fluency: 3"))
    assert record.failure is not None
    assert record.failure.error == "WrongValue"


def test_what_a_package_makes_wrongly_is_the_packages_error() -> None:
    with pytest.raises(StrategyError, match=r"the reader raised WrongValue: Scale\(\.\.\.\)"):
        plugins.call("the reader", Scale, low=5, high=1)
