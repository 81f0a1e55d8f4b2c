"""What an agent's model is shown when it is asked: the brief, the talk it remembers, who it is, and what to do now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from agentdebate import plugins
from agentdebate.agents.chair import Chair
from agentdebate.agents.chat import SILENCE, Chat
from agentdebate.agents.confidence import FORM, STRUCTURED, check_confidence, with_confidence_key
from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.heard import HeardTalk
from agentdebate.agents.memory import Memory
from agentdebate.agents.question import AskedBefore, Question
from agentdebate.agents.reading import KINDS
from agentdebate.agents.reply_kind import ReplyKind
from agentdebate.agents.subject import Subject
from agentdebate.ballots.lineup import Player, ReplySpec
from agentdebate.ballots.sheet import filled_in
from agentdebate.models.base import (
    ChatMessage,
    Completion,
    Context,
    ModelRequest,
    Sampling,
)
from agentdebate.models.prompt_caching import prompt_caching_of
from agentdebate.prompts.foreign_text import Said, Text, fenced, legible, line
from agentdebate.prompts.prompts import Template
from agentdebate.talk.bus import Bus
from agentdebate.talk.messages import FLOOR, Ask, Brief, Message, Reply, Samples, words_of

_LIVELY, _STEP = 0.8, 0.4
"""The temperature up to which a model that repeats itself is asked, and by how much it rises each time."""

SHEETS = frozenset(("form-text", "form-fill"))
"""Forms of a line an aspect, which can be shown filled in."""
_MOST_KEPT = 64
"""Questions of a seat that are kept for the debates that follow."""

_text = attrgetter("text")


class RequestWriter:
    """Writes the requests of the agent on a chair, in the debate that a bus carries."""

    def __init__(self, chair: Chair, subject: Subject, settings: DebateSettings, bus: Bus) -> None:
        self._chair, self._subject, self._settings = chair, subject, settings
        self._titles, self._sent = bus.titles, bus.sent
        self._title = chair.called
        self._seat = chair.speaker.name, chair.card.name
        self._persona = subject.persona(chair.card)
        self._questions: dict[tuple[str, str, str | None, str], Question] = {}
        self._frame: Template | None = None
        self._structured: bool | None = None
        self._asked: dict[int, str] = {}
        """What was asked in a chat, by the number of the Ask."""
        self._brief: tuple[Brief, ChatMessage] | None = None
        """The brief, and how it is shown."""

    def __repr__(self) -> str:
        return f"<RequestWriter of {self._title!r}>"

    def request(self, ask: Ask, question: Question, memory: Memory) -> tuple[tuple[int, ...], ModelRequest]:
        """The numbers of the messages that the agent is shown, and the request that answers a question with them."""
        brief, talk = memory.brief, memory.numbered
        dropped = memory.left_out
        said: Sequence[Said] = ()
        messages: tuple[ChatMessage, ...]
        if self._chair.conversation == "chat":
            messages = self._chat(ask, question, talk, dropped=dropped)
        else:
            said = self._subject.said(talk.items(), self._titles, self._sent)
            text = "".join(self._turn(ask, question, talk, said, dropped=dropped)).strip()
            messages = (ChatMessage("user", text),)
        shown = (*talk,)
        if brief is not None:
            if self._brief is None or self._brief[0] is not brief:
                self._brief = brief, ChatMessage("system", brief.text)
            messages, shown = (self._brief[1], *messages), (brief.seq, *shown)
        return shown, ModelRequest(
            messages,
            question.sampling,
            question.schema,
            self._context(ask, question, shown),
            self._subject.sample,
            tuple(map(_text, said)),
        )

    def _context(self, ask: Ask, question: Question, shown: Sequence[int]) -> Context:
        subject, example = self._subject, question.kind.example
        heard = [self._sent[number - 1] for number in shown]
        talk = tuple([message for message in heard if type(message) is not Brief])
        return Context(
            task=subject.task,
            item=subject.item,
            aspects=subject.aspects,
            purpose=ask.purpose,
            reply=ask.reply,
            agent=self._seat[0],
            card=self._seat[1],
            round=ask.round,
            heard=HeardTalk(talk, subject.heard),
            candidates=subject.candidates,
            lines=subject.lines,
            players=question.spec.players,
            given=ask.given,
            example=partial(plugins.call, _example_of(question), example, question.spec) if example else None,
            confidence=ask.confidence,
        )

    def again(
        self, question: Question, request: ModelRequest, completion: Completion, problem: str
    ) -> ModelRequest:
        """The request with its reply behind it, what was wrong with that, and the form once more, filled in where it has scores."""
        asked, held = question.schema or {}, question.schema is not None
        reasoned = "reason" in asked.get("properties", {})
        sample = ""
        if question.has_sheet:
            sample = filled_in(question.spec.lines, completion.text, reasoned=reasoned, structured=held)
        part = self._subject.prompts.part("again")
        text = part.render(
            problem=line(problem), form=question.form, sample=sample, wanted=self._subject.wanted
        )
        messages = (
            *request.messages,
            ChatMessage("assistant", legible(completion.text).strip() or SILENCE),
            ChatMessage("user", text),
        )
        return replace(request, messages=messages)

    def without_loop(self, request: ModelRequest) -> ModelRequest:
        """The request once more after a reply that ended in a loop: without the reply, with a word about it, and less predictable."""
        return replace(self._noted(request, "again-loop"), sampling=_livelier(request.sampling))

    def without_cut(self, request: ModelRequest) -> ModelRequest:
        """The request once more after a reply that was cut at its longest: without the reply, of which the next would be a copy, and with
        a word about it.
        """
        return self._noted(request, "again-cut")

    def _noted(self, request: ModelRequest, part: str) -> ModelRequest:
        """The request with a note behind its question."""
        *before, last = request.messages
        note = self._subject.prompts.part(part).render()
        asked = replace(last, content=f"{last.content}\n\n{note}")
        return replace(request, messages=(*before, asked))

    def question(self, ask: Ask, kind: ReplyKind, prompt: str = "") -> Question:
        """What an Ask asks for; `prompt` is the turn's template where the strategy brings it along.

        Raises StrategyError where a reply of this kind cannot be asked for, and ContentError for the template.
        """
        key = ask.purpose, ask.reply, ask.confidence, prompt
        known = self._questions.get(key)
        if known is not None and not ask.given and (known.kind is kind or known.kind == kind):
            return known
        if ask.given:
            return self._question(ask, kind, prompt)
        question = self._questions[key] = self._repeated(key, ask, kind, prompt)
        return question

    def _repeated(
        self, key: tuple[str, str, str | None, str], ask: Ask, kind: ReplyKind, prompt: str
    ) -> Question:
        """What was asked for in an earlier debate, where nothing that it is made of differs but the text under judgement."""
        subject, earlier = self._subject, self._chair.questions
        if (
            KINDS.get(kind.name) is not kind
        ):  # what others check, and hold replies to, may depend on that text
            return self._question(ask, kind, prompt)
        held = kind.schema is not None and self._holds_to_schemas()
        made_of = (  # all that `_question` looks at but the text under judgement: what is left out here may go stale
            kind,
            subject.prompts,
            subject.task,
            subject.aspects,
            subject.candidates,
            subject.sample,
            held,
        )
        known = earlier.get(key)
        if known is not None and known.made_of == made_of:
            return known.question.about(subject.judged)
        question = self._question(ask, kind, prompt)
        if len(earlier) >= _MOST_KEPT:  # a strategy may write a template for each item
            earlier.clear()
        earlier[key] = AskedBefore(made_of, question)
        return question

    def _question(self, ask: Ask, kind: ReplyKind, prompt: str) -> Question:
        spec = self._spec(ask)
        if kind.check is not None:
            plugins.call(f"the check of the kind of reply {kind.name!r}", kind.check, spec)
        if ask.confidence is not None:
            check_confidence(kind, ask.confidence, spec)
        schema = self._schema(ask, kind, spec)
        form = self._form(ask, kind, spec, structured=schema is not None)
        turn = self._subject.prompts.turn(ask.purpose, prompt)
        changes = "round" in turn.uses or "heard" in turn.uses
        instruction = None if changes else self._instruction(ask, turn, spec, form)
        has_sheet = kind.form in SHEETS and ask.confidence != "asked"
        return Question(kind, spec, self._sampling(ask, kind), schema, form, turn, instruction, has_sheet)

    def _spec(self, ask: Ask) -> ReplySpec:
        subject = self._subject
        players = tuple(Player(card.title, subject.described(card)) for card in self._chair.plays)
        return ReplySpec(
            subject.aspects,
            subject.lines,
            subject.candidates,
            players,
            ask.given,
            self._chair.sampling.n,
            subject.judged,
        )

    def _instruction(
        self, ask: Ask, turn: Template, spec: ReplySpec, form: str, talk: Mapping[int, Message] | None = None
    ) -> str:
        subject = self._subject
        players: list[Text] = []
        if spec.players:
            described = [player.description for player in spec.players]
            players = [fenced(*one) for one in zip(self._chair.players, described, strict=True)]
        return turn.render(
            form=form,
            heard=self._others_in(talk.values()) if talk else 0,
            round=ask.round,
            title=self._title,
            aspects=subject.aspects,
            candidates=subject.candidates,
            task=subject.task,
            players=players,
            given=ask.given,
            wanted=subject.wanted,
        )

    def _others_in(self, talk: Iterable[Message]) -> int:
        """How many of these messages other agents said."""
        own = self._chair.speaker.name
        return sum(message.sender not in (FLOOR, own) for message in talk)

    def _chat(
        self, ask: Ask, question: Question, talk: Mapping[int, Message], *, dropped: int
    ) -> tuple[ChatMessage, ...]:
        """The talk as a chat: before each reply of the agent's stands what it was asked, without the talk of then."""
        chat, name = Chat(), self._chair.speaker.name
        if dropped:
            chat.hear(self._heard({}, dropped))
        for own, some in groupby(talk.values(), key=lambda message: message.sender == name):
            if not own:
                chat.hear(self._heard({message.seq: message for message in some}))
                continue
            for message in some:
                if isinstance(message, Reply) and message.answers in self._asked:
                    chat.hear(self._asked[message.answers])
                chat.say(legible(words_of(message)))
        asked = self._asked[ask.seq] = "".join(self._turn(ask, question, talk)).strip()
        chat.hear(asked)
        return tuple(chat.messages)

    def _heard(self, talk: Mapping[int, Message], dropped: int = 0) -> str:
        """Talk of others as the chat has it."""
        said = self._subject.said(talk.items(), self._titles, self._sent)
        return self._subject.prompts.part("heard").render(talk=said, dropped=dropped)

    def _turn(
        self,
        ask: Ask,
        question: Question,
        talk: Mapping[int, Message],
        said: Sequence[Said] = (),
        *,
        dropped: int = 0,
    ) -> tuple[str, ...]:
        """What is asked, with what was said before it, in pieces; in a chat the talk stands in messages of its own."""
        if self._frame is None:
            self._frame = self._subject.prompts.part("frame")
        return self._frame.pieces(
            talk=said,
            dropped=dropped,
            title=self._title,
            persona=self._persona,
            instruction=question.instruction
            or self._instruction(ask, question.turn, question.spec, question.form, talk),
        )

    def _sampling(self, ask: Ask, kind: ReplyKind) -> Sampling:
        """Several samples only where the reply is made of them, or repeats tell how sure it is; a sitting's requests that are
        seeded have seeds of their own.
        """
        changes: dict[str, int] = {}
        sampling = self._chair.sampling
        if ask.confidence == "log-probabilities" and sampling.logprobs is None:
            changes["logprobs"] = 0
        if sampling.n > 1 and ask.confidence != "repeats" and kind.message is not Samples:
            changes["n"] = 1
        if sampling.seed is not None and self._subject.sample:
            changes["seed"] = sampling.seed + self._subject.sample
        return sampling.model_copy(update=changes) if changes else sampling

    def _schema(self, ask: Ask, kind: ReplyKind, spec: ReplySpec) -> dict[str, Any] | None:
        if kind.schema is None or not self._holds_to_schemas():
            return None
        whole = plugins.call(f"the schema of the kind of reply {kind.name!r}", kind.schema, spec)
        return with_confidence_key(whole) if ask.confidence == "asked" else whole

    def _holds_to_schemas(self) -> bool:
        """Whether replies are held to schemas; "auto": where the model can, and its cache keeps the brief all the same."""
        form = self._settings.form
        if form != "auto":
            return form == "schema"
        if self._structured is None:
            caching = prompt_caching_of(self._chair.model)
            lost = caching is not None and caching.parted_by_schema and caching.takes(self._subject.brief())
            self._structured = self._chair.model.structured and not lost
        return self._structured and self._chair.model.structured

    def _form(self, ask: Ask, kind: ReplyKind, spec: ReplySpec, *, structured: bool) -> str:
        """How the reply has to look so that it can be read."""
        part = kind.structured if structured else kind.form
        parts = [part] if part else []
        if ask.confidence == "asked":
            parts.append(STRUCTURED if structured else FORM)
        telling: dict[str, Any] = {}
        if spec.players or spec.given:
            telling = {"players": self._chair.players, "given": spec.given, "roles": spec.roles}
        return "\n\n".join([self._subject.ending(one, **telling) for one in parts])


def _livelier(sampling: Sampling) -> Sampling:
    """The sampling with a temperature at which a loop is left: at 0 the next reply would be the same."""
    now = sampling.temperature
    if now is not None and now >= _LIVELY:
        return sampling
    return sampling.model_copy(update={"temperature": _LIVELY if now is None else min(_LIVELY, now + _STEP)})


def _example_of(question: Question) -> str:
    return f"the example of the kind of reply {question.kind.name!r}"
