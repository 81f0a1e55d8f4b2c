"""Kinds of message that packages bring along: written, read back, and shown."""

import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from packages import install
from rich.console import Console

from agentdebate.errors import StrategyError
from agentdebate.report.transcript_text import LiveView
from agentdebate.talk import messages as m
from agentdebate.talk.envelope import message_in, message_line

MOTIONS = '''
"""A package with a kind of message."""
from dataclasses import dataclass
from agentdebate.talk.messages import Message, Reply

@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(Message):
    kind = "motion"
    proposal: str
    seconds: int = 1

@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment(Reply):
    kind = "amendment"
    replaces: str

    def line(self):
        return f"instead of {self.replaces}"

@dataclass(frozen=True, slots=True, kw_only=True)
class Impostor(Message):
    kind = "another"
'''
GROUP = "agentdebate.talk.messages"


@pytest.fixture
def motions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is installed, and registers some things wrongly."""
    points = {name: f"motions:{name.capitalize()}" for name in ("motion", "amendment", "impostor", "gone")}
    install(tmp_path, monkeypatch, "motions", MOTIONS, {GROUP: {**points, "lost": "no_such_module:It"}})


def shown(*transcript: m.Message) -> str:
    stream = io.StringIO()
    view = LiveView(Console(file=stream, width=100))
    for message in transcript:
        view(message)
    return stream.getvalue()


BODY = {"seq": 3, "sender": "floor", "to": ["ann"], "round": 1, "time": 1.5, "proposal": "a", "seconds": 2}


@pytest.mark.usefixtures("motions")
def test_a_kind_of_an_installed_package_is_read_as_its_class() -> None:
    read = message_in(json.dumps({"kind": "motion", "body": BODY}))
    assert type(read).__name__ == "Motion"
    assert json.loads(message_line(read)) == {"kind": "motion", "body": BODY}
    assert message_in(message_line(read)) == read


@pytest.mark.usefixtures("motions")
@pytest.mark.parametrize(
    ("kind", "says"),
    [("impostor", "whose kind is 'impostor'"), ("gone", "cannot be imported"), ("lost", "no_such_module")],
)
def test_a_kind_that_is_registered_wrongly_is_an_error_that_names_it(kind: str, says: str) -> None:
    with pytest.raises(StrategyError, match=says) as caught:
        message_in(json.dumps({"kind": kind, "body": BODY}))
    assert GROUP in str(caught.value)


def test_nobody_takes_the_name_of_a_built_in_kind() -> None:
    with pytest.raises(StrategyError, match="the kind 'score', which is built in"):

        @dataclass(frozen=True, slots=True, kw_only=True)
        class Score(m.Reply):
            kind = "score"
