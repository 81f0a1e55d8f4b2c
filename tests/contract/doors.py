"""The public doors that the contract goes through. Nothing else in tests/contract imports the package.

A public name that moves is changed here, in one line; the tests in held/ and what they hold stay as they are.
"""

import asyncio
import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import agentdebate as ad
from agentdebate.testing.server import FaultServer

Answer = Callable[["Question"], "str | Reply"]
"""A made-up model: a question in, a reply out."""


@dataclass(frozen=True)
class Question:
    """What a model is asked, as public fields show it."""

    agent: str
    seat: str
    purpose: str
    round: int
    heard: tuple[str, ...]
    """Who said what of that which the agent remembers, in order: "critic.critique"."""
    schema: Mapping[str, Any] | None
    text: str
    """The whole prompt."""
    item: str
    sample: int


@dataclass(frozen=True)
class Reply:
    """A reply with what it cost, and with log-probabilities where a test needs them."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    logprobs: tuple[tuple[str, float, tuple[tuple[str, float], ...]], ...] | None = None
    others: tuple[str, ...] = ()
    finish: Literal["stop", "length", "filter", "refusal", "other"] = "stop"


@dataclass
class Held:
    """A debate that was held: its verdict or why it failed, its questions, and its messages in outline."""

    questions: list[Question]
    messages: list[Any]
    verdict: Any = None
    error: str = ""
    asked: list[str] = field(default_factory=list)
    """The names of the models that were asked, in order."""

    @property
    def outline(self) -> list[str]:
        """Tell who said what to whom in which round: "2 scorer score"."""
        return [f"{one.round} {one.sender} {one.kind}" for one in self.messages if hasattr(one, "text")]

    @property
    def ballots(self) -> list[dict[str, Any]]:
        """Tell who cast which ballot in which round."""
        return [
            {"agent": cast.agent, "round": cast.round, "model": cast.model, **ballot(cast.ballot)}
            for cast in (self.verdict.ballots if self.verdict else ())
        ]

    @property
    def summary(self) -> dict[str, Any]:
        """The verdict as JSON, without times and prompts."""
        if self.verdict is None:
            return {"error": self.error}
        verdict = self.verdict
        return {
            "scores": {name: round(score, 6) for name, score in verdict.scores.items()},
            "winners": list(verdict.winners),
            "settled": verdict.settled,
            "ended": verdict.ended,
            "rounds": verdict.rounds,
            "merge": verdict.merge,
            "agreed": verdict.agreed,
            "missing": verdict.missing,
            "abstained": verdict.abstained,
            "curtailed": verdict.curtailed,
            "lost": [one.agent for one in verdict.lost],
            "models": list(verdict.models),
        }

    @property
    def spent(self) -> dict[str, list[int]]:
        """Calls, prompt tokens and completion tokens of each agent."""
        totals: dict[str, list[int]] = {}
        for one in self.verdict.usage if self.verdict else ():
            row = totals.setdefault(one.agent, [0, 0, 0])
            for place, count in enumerate(
                (one.usage.calls, one.usage.prompt_tokens, one.usage.completion_tokens)
            ):
                row[place] += count
        return totals


def ballot(cast: Any) -> dict[str, Any]:
    """A ballot's ratings and confidence as JSON."""
    told = {"ratings": {one.name: round(one.score, 6) for one in cast.ratings}}
    if cast.confidence is None:
        return told
    return {**told, "confidence": [round(cast.confidence.value, 6), cast.confidence.source]}


def item(
    task: str,
    fields: Mapping[str, str],
    *,
    name: str = "item",
    human: Mapping[str, float] | None = None,
    group: str | None = None,
    system: str | None = None,
) -> Any:
    """Make an item of a task."""
    return ad.Item(
        task=task, id=name, fields=dict(fields), human=dict(human or {}), group=group, system=system
    )


def model(answer: Answer, *, name: str = "made-up", structured: bool = True) -> Any:
    """Make a model of a function that answers questions."""

    def complete(request: Any) -> Any:
        reply = answer(_question(request))
        reply = reply if isinstance(reply, Reply) else Reply(reply)
        return ad.Completion(
            text=reply.text,
            model=name,
            usage=ad.Usage(
                calls=1, prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens
            ),
            structured=structured and request.schema is not None,
            finish=reply.finish,
            logprobs=_logprobs(reply),
            others=reply.others,
        )

    return ad.Function(name, complete, structured=structured)


def _question(request: Any) -> Question:
    about = request.context
    return Question(
        agent=about.agent,
        seat=about.seat,
        purpose=about.purpose,
        round=about.round,
        heard=tuple(f"{one.sender}.{one.kind}" for one in about.heard),
        schema=request.schema,
        text="\n".join(message.content for message in request.messages),
        item=about.item.id,
        sample=request.sample,
    )


def _logprobs(reply: Reply) -> Any:
    if reply.logprobs is None:
        return None
    return tuple({"token": token, "logprob": value, "top": top} for token, value, top in reply.logprobs)


def hold(subject: Any, strategy: Any, answer: Answer | Any, **options: Any) -> Held:
    """Hold one debate through `ad.debate` and keep what was asked and said."""
    questions: list[Question] = []
    messages: list[Any] = []

    def noted(question: Question) -> str | Reply:
        questions.append(question)
        given: str | Reply = answer(question)
        return given

    chosen = model(noted, structured=options.pop("structured", True)) if callable(answer) else answer
    held = Held(questions, messages)
    try:
        held.verdict = asyncio.run(
            ad.debate(subject, strategy, model=chosen, listeners=[messages.append], **options)
        )
    except ad.AgentDebateError as error:
        held.error = type(error).__name__
    return held


def strategy(name: str, **options: Any) -> Any:
    """Load a strategy by its name, with options."""
    return ad.strategy(name, **options)


def built_in(kind: str) -> list[str]:
    """Name the built-in strategies, tasks, agents or merges, as the command line lists them."""
    listed = typed("list", kind, "--json").json
    return sorted(row["name"] for row in listed)


@dataclass(frozen=True)
class Typed:
    """What came of a command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Standard output as JSON lines, or the one list that it is."""
        text = self.out.strip()
        if text.startswith("["):
            found: list[Any] = json.loads(text)
            return found
        return [json.loads(line) for line in text.split("\n") if line]


def typed(*words: str, stdin: str | None = None) -> Typed:
    """Type `agentdebate ...` in this process, through the console script's own function."""
    (script,) = entry_points(group="console_scripts", name="agentdebate")
    main = script.load()
    out, err = StringIO(), StringIO()
    code: Any = 0
    streams = mock.patch.object(sys, "stdin", TextIOWrapper(BytesIO((stdin or "").encode())))
    with (
        mock.patch.object(sys, "argv", ["agentdebate", *words]),
        streams,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    return Typed(int(code or 0), out.getvalue(), err.getvalue())


def write_rows(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as JSON lines."""
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def agreed(*words: str) -> list[dict[str, Any]]:
    """The figures of `agree --json`, without intervals: one row a judge, aspect, statistic and level."""
    done = typed("agree", *words, "--json")
    if done.code not in (0, 1):
        raise AssertionError(done.err)
    kept = ("judge", "aspect", "statistic", "level", "value", "n", "groups", "left_out", "missing")
    return [{name: rounded(row.get(name)) for name in kept} for row in json.loads(done.out)["rows"]]


def rounded(value: Any) -> Any:
    """A JSON value whose numbers have six digits behind the point."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def measured(name: str, pairs: Sequence[tuple[Sequence[str], str]]) -> list[float | None]:
    """Score texts against their references by an evaluator."""
    judge = ad.evaluator(name)
    found: Sequence[float | None] = asyncio.run(
        judge.score([ad.Pair(tuple(references), text) for references, text in pairs])
    )
    return list(found)


def evaluate(items: Sequence[Any], strategy: Any, answer: Answer | Any, **options: Any) -> list[Any]:
    """Hold a run through `ad.evaluate`, and give its records in the order of the items."""

    async def held() -> list[Any]:
        chosen = model(answer) if callable(answer) else answer
        async with ad.evaluate(items, strategy, model=chosen, **options) as run:
            return [record async for record in run]

    places = {item.id: place for place, item in enumerate(items)}
    return sorted(asyncio.run(held()), key=lambda record: places[record.item.id])


def public_names() -> dict[str, str]:
    """Every public name at the top of the package with its signature, or else its kind."""
    return {name: _signature(getattr(ad, name)) for name in sorted(ad.__all__)}


def _signature(value: Any) -> str:
    if not callable(value):
        return type(value).__name__
    try:
        return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))
    except (ValueError, TypeError):  # a protocol or an alias, which cannot be called
        return type(value).__name__


def runs(place: str) -> dict[str, str]:
    """The names of a store's runs, by strategy."""
    with ad.open_store(place) as store:
        return {run.strategy: run.id for run in list(store.runs())}


def stored(place: str) -> dict[str, dict[str, Any]]:
    """Each run of a store by its strategy: rows of its verdicts, what was said, what was asked and answered, and what it cost."""
    with ad.open_store(place) as store:
        return {run.strategy: _stored(run) for run in list(store.runs())}


def _stored(run: Any) -> dict[str, Any]:
    said = [one.message for one in run.messages()]
    return {
        "verdicts": [rounded(dict(record.row())) for record in run.records()],
        "messages": [(one.sender, one.kind, one.round, one.text) for one in said if hasattr(one, "text")],
        "calls": [
            (one.agent, [part.content for part in one.sent], one.completion.text) for one in run.calls()
        ],
        "costs": [(one.agent, one.usage.calls, one.usage.tokens) for one in run.costs()],
    }


def judge(strategy: str, answer: Answer, **options: Any) -> Any:
    """Open a judge that is kept for many calls."""
    return ad.Judge(strategy, model=model(answer), **options)


def agreement(run: str, **options: Any) -> Any:
    """The table of `ad.agree`."""
    return ad.agree(run, **options)


def run_of(place: str, name: str) -> Any:
    """A run of a store, whose rows are tables."""
    return ad.open_store(place).run(name)


def load(path: str, **options: Any) -> list[Any]:
    """Load a file's items."""
    return list(ad.load_items(path, **options))


async def judged_by_faulty_server(
    subject: Any, faults: Any, **options: Any
) -> tuple[Any, int, dict[str, int]]:
    """A verdict by the public endpoint that fails on purpose, how many requests it got, and the faults that it gave."""
    async with FaultServer(faults=faults, **options) as server:
        chosen = ad.model("openai/any", base_url=server.base_url)
        try:
            verdict = await ad.debate(subject, "debate", model=chosen, aspects="relevance")
        finally:
            await chosen.aclose()
        return verdict, server.requests, dict(server.faults)
