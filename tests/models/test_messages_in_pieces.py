"""A message in pieces is a ChatMessage like any other."""

import copy
import pickle
from dataclasses import asdict, replace

import pytest

import agentdebate as ad
from agentdebate.models.base import ChatMessage, MessageInPieces
from agentdebate.project.project import Project

PLAIN = ChatMessage("user", "Ann:\nIt is short.")


@pytest.fixture
def message() -> MessageInPieces:
    return MessageInPieces.of("user", ("\n", "Ann", ":\n", "It is short.", "\n\n"))


def test_it_equals_the_message_with_its_text(message: MessageInPieces) -> None:
    plain = PLAIN
    assert message == plain
    assert plain == message
    assert message != ChatMessage("assistant", PLAIN.content)
    assert ChatMessage("user", "another") != message
    assert message != ("user", PLAIN.content)
    assert len({message, PLAIN}) == 1
    assert repr(message) == repr(PLAIN)
    assert asdict(message) == asdict(PLAIN)


def test_its_text_is_put_together_whenever_it_is_read(message: MessageInPieces) -> None:
    assert message.content is not message.content


def test_one_piece_is_shown_without_the_blanks_around_it() -> None:
    assert MessageInPieces.of("user", ("\n It is short.\n",)).content == "It is short."


def test_its_copies_have_the_whole_text(message: MessageInPieces) -> None:
    assert pickle.loads(pickle.dumps(message)) == PLAIN
    assert copy.deepcopy(message) == PLAIN
    changed = replace(message, content="another")
    assert changed == ChatMessage("user", "another")


def test_it_has_what_a_message_has_and_nothing_else(message: MessageInPieces) -> None:
    with pytest.raises(AttributeError, match="'text'"):
        message.text  # type: ignore[attr-defined]  # noqa: B018 - that is the point
    with pytest.raises(AttributeError):
        message.content = "x"  # type: ignore[misc]  # that is the point


async def test_a_record_reads_its_prompts_as_they_were_sent_and_holds_each_text_once() -> None:
    sent: list[str] = []

    async def answer(request: ad.ModelRequest) -> str:
        sent.append(request.messages[-1].content)
        return (
            "Coherence: 4" if "critic" not in str(request.context and request.context.agent) else "Too high."
        )

    item = ad.Item(task="summarization", fields={"source": "A bridge closes.", "summary": "A bridge closes."})
    async with ad.ready(
        ad.strategy("debate", rounds=2), model=ad.Function("f", answer), project=Project()
    ) as debate:
        record = await debate.hold(item, "coherence")
    prompts = [call.request.messages[-1] for call in record.calls]
    assert [prompt.content for prompt in prompts] == sent
    assert len(sent) == 5
    assert prompts[0].content is not prompts[0].content, "the text is put together when it is read"
