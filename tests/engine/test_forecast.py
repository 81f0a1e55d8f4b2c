"""Forecasts: what a run will cost, held against what a run with the same words does cost."""

import json
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ANN, BEN, ITEM, PAIR_TASK, TASK, card

from agentdebate.debates.ready import ready
from agentdebate.errors import DataError, DebateError, UsageError
from agentdebate.models.base import Call, Sampling
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.models.tokens import AROUND, TokenCount, count, using
from agentdebate.runs.forecast import Forecast, Share, forecast
from agentdebate.runs.rehearsal import MadeUp, spread
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.geval import GEval
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.solo import Solo
from agentdebate.tasks import Item
from agentdebate.usage import Usage

PRICES = PriceTable(
    (
        Entry(("cheap",), Price(input=1, output=2)),
        Entry(("dear",), Price(input=10, output=20)),
        Entry(("euro",), Price(input=1, output=2, currency="EUR")),
        Entry(("free", "offline"), Price(input=0, output=0)),
    )
)
PAIRS = PAIR_TASK.model_copy(update={"aspects": PAIR_TASK.aspects[:1], "optional": ()})
FLUENT = TASK.model_copy(update={"aspects": TASK.aspects[:1]})


@pytest.fixture(autouse=True)
def _no_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


def texts(*lengths: int) -> list[Item]:
    return [
        Item(id=str(number), task="text", fields={"text": "Word " * length, "reference": "Words."})
        for number, length in enumerate(lengths)
    ]


async def foreseen(items: list[Item], name: str = "debate", **more: Any) -> Forecast:
    return await forecast(
        items, more.pop("strategy", None) or strategy(name), more.pop("task", FLUENT), model="cheap", prices=PRICES,
        **more,
    )  # fmt: skip


async def held(items: list[Item], name: str = "debate") -> list[Call]:
    """The calls of a real run of debates, with a model that says the same."""
    model = Function("cheap", MadeUp().reply, structured=True)
    async with ready(strategy(name), model=model, tasks={"text": FLUENT}) as debate:
        return [call for item in items for call in (await debate.hold(item)).calls]


@pytest.mark.parametrize("name", ["solo", "debate", "debate-tiebreaker", "chateval-one-by-one"])
async def test_where_every_item_is_rehearsed_it_is_what_such_a_run_takes(name: str) -> None:
    items = texts(5, 50, 500)
    found, calls = await foreseen(items, name), await held(items, name)
    prompt = sum(
        sum(count(message.content).n + AROUND for message in call.request.messages)
        + (count(json.dumps(call.request.schema)).n if call.request.schema else 0)
        for call in calls
    )
    assert found.usage == Usage(
        calls=len(calls),
        prompt_tokens=prompt,
        completion_tokens=sum(count(call.completion.text).n for call in calls),
    )
    assert (found.items, found.debates, len(found.shares)) == (3, 3, 1)


async def test_the_texts_of_the_items_themselves_are_what_is_counted() -> None:
    short, long = await foreseen(texts(10), "solo"), await foreseen(texts(1010), "solo")
    assert long.usage.prompt_tokens - short.usage.prompt_tokens == 1000 * 5 // 4


async def test_some_items_stand_for_all_of_them() -> None:
    items = texts(*range(100, 140))
    all_of_them, some = await foreseen(items, sampled=40), await foreseen(items, sampled=5)
    assert some.usage.calls == all_of_them.usage.calls == 360
    assert some.usage.prompt_tokens == pytest.approx(all_of_them.usage.prompt_tokens, rel=0.01)
    assert "5 of 40 items, short and long ones, were rehearsed" in some.assumptions[0]
    assert "all 40 items were rehearsed" in all_of_them.assumptions[0]
    assert (await foreseen(items[:1])).assumptions[0].startswith("the one item was rehearsed")


async def test_there_may_be_more_items_than_are_at_hand() -> None:
    """Of a stream, say."""
    few, many = await foreseen(texts(50, 60)), await foreseen(texts(50, 60), of=1_000_000)
    assert (many.items, many.usage.calls) == (1_000_000, 500_000 * few.usage.calls)
    assert many.usage.prompt_tokens == 500_000 * few.usage.prompt_tokens


def test_the_items_that_are_rehearsed_are_as_long_as_all_are() -> None:
    items = texts(*range(100, 0, -1))
    lengths = [len(item.fields["text"]) // 5 for item in spread(items, 4)]
    assert lengths == [13, 38, 63, 88]
    assert spread(items[:3], 4) == items[:3]


async def test_calls_are_the_most_that_any_rehearsed_debate_took() -> None:
    """Where debates differ, those that were not rehearsed are taken to be of the longest kind."""
    unfit = Item(id="unfit", task="text", fields={"text": " "})
    found = await foreseen([*texts(50), unfit], of=10)
    assert found.usage.calls == 90
    assert (
        "1 of 2 items that were rehearsed cannot be judged: 'text': item unfit has no text"
        in found.assumptions[1]
    )


async def test_an_item_that_does_not_fit_takes_no_call() -> None:
    unfit = [Item(id="blank", fields={"text": " "}), Item(id="other", fields={"words": "None."})]
    found = await foreseen([*unfit, *texts(50)])
    assert (found.debates, found.usage.calls) == (3, 9)


async def test_where_no_item_can_be_judged_that_is_an_error_and_no_cost_of_nothing() -> None:
    blank = [Item(id=name, fields={"text": " "}) for name in "ab"]
    with pytest.raises(DataError, match=r"none of 2 items .*: 'text': item a has no text"):
        await foreseen(blank)
    with pytest.raises(DataError, match="'reference': evaluator 'rouge-1' compares with it"):
        await foreseen([ITEM], task=TASK, strategy=Fusion())


async def test_nothing_to_judge_costs_nothing() -> None:
    found = await foreseen([])
    assert (found.debates, found.usage, found.money) == (0, Usage(), 0)


async def test_every_aspect_is_a_debate_unless_they_are_judged_together() -> None:
    apart = await foreseen(texts(50), task=TASK)
    together = await foreseen(texts(50), task=TASK, together=True)
    one = await foreseen(texts(50), task=TASK, aspects="coherence")
    assert [(f.debates, f.usage.calls) for f in (apart, together, one)] == [(2, 18), (1, 9), (1, 9)]


async def test_a_strategy_that_judges_together_is_taken_at_its_word() -> None:
    found = await foreseen(texts(50, 60), task=TASK, strategy=Fusion(plan="none", samples=1))
    assert (found.debates, found.usage.calls) == (2, 2)


async def test_max_tokens_are_what_a_reply_is_taken_to_have() -> None:
    found = await foreseen(texts(50), sampling=Sampling(max_tokens=700))
    assert found.usage.completion_tokens == 9 * 700
    said = "\n".join(found.assumptions)
    assert "as long as it allows" in said
    assert "as long as made-up ones" not in said
    assert "as long as made-up ones" in "\n".join((await foreseen(texts(50))).assumptions)


async def test_samples_of_one_call_are_replies_each() -> None:
    scorer = {"mode": "sampled", "steps": "task"}
    one = await foreseen(texts(50), strategy=GEval.model_validate({**scorer, "samples": 1}))
    many = await foreseen(texts(50), strategy=GEval.model_validate({**scorer, "samples": 20}))
    assert many.usage.calls == one.usage.calls == 1
    assert many.usage.completion_tokens == 20 * one.usage.completion_tokens
    assert "takes up to 19 calls more" in "\n".join(many.assumptions)
    assert "calls more" not in "\n".join(one.assumptions)


async def test_what_is_found_out_once_for_all_items_is_counted_once() -> None:
    """Evaluation steps, once an aspect; a plan, once a task."""
    steps = await foreseen(texts(*[50] * 20), task=TASK, strategy=GEval(samples=1))
    assert steps.usage.calls == 2 * 20 + 2
    plan = await foreseen(texts(*[50] * 20), task=TASK, strategy=Fusion(samples=1))
    assert plan.usage.calls == 20 + 1


async def test_a_plan_is_neither_written_nor_asked_for_where_there_is_one(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    fusion = Fusion(samples=1, plan=str(path))
    assert (await foreseen(texts(50), task=TASK, strategy=fusion)).usage.calls == 2
    assert not path.exists()
    text = "Both count.\n\nFluency: rouge-l\nCoherence: rouge-l, bleu\nOverall: chrf\n"
    path.write_text(text)
    assert (await foreseen(texts(50), task=TASK, strategy=fusion)).usage.calls == 1
    assert path.read_text() == text


async def test_no_evaluator_and_no_embedder_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models behind these cost money or minutes; their scores are made up, and the judge sees as many."""

    async def refuse(*_: object) -> None:
        raise AssertionError("a forecast measured something")

    monkeypatch.setattr("agentdebate.evaluators.measuring.Measuring.measure", refuse)
    monkeypatch.setattr("agentdebate.embedders.tfidf.TfIdf.embed", refuse)
    cache = tmp_path / "scores.db"
    fusion = Fusion(samples=1, cache=str(cache), plan="none")
    with_evidence = await foreseen(texts(50), task=TASK, strategy=fusion)
    without = await foreseen(texts(50), task=TASK, strategy=Fusion(samples=1, evaluators=(), plan="none"))
    assert with_evidence.usage.prompt_tokens > without.usage.prompt_tokens + 60
    assert not cache.exists()
    assert "evaluators and embedders" in "\n".join(with_evidence.assumptions)
    assert "evaluators" not in "\n".join(without.assumptions)
    answers = {"question": "Why?", "answer_1": "So.", "answer_2": "Not so."}
    pair = Item(id="p", fields=answers)
    assert (await foreseen([pair], "drpe", task=PAIRS)).usage.calls == 2
    assert (await foreseen(texts(50), "avg", task=TASK)).usage == Usage()


async def test_models_of_their_own_are_priced_apart() -> None:
    chosen = OneByOne(cast={"debaters": (ANN, BEN.model_copy(update={"model": "dear"}))}, rounds=2)
    found = await foreseen(texts(50), strategy=chosen)
    assert [(share.model, share.usage.calls) for share in found.shares] == [("cheap", 2), ("dear", 2)]
    one, other = found.shares
    assert one.money == pytest.approx((one.usage.prompt_tokens + 2 * one.usage.completion_tokens) / 1e6)
    assert other.money == pytest.approx((other.usage.prompt_tokens + 2 * other.usage.completion_tokens) / 1e5)
    assert one.money is not None
    assert other.money is not None
    assert found.money == pytest.approx(one.money + other.money)
    assert found.currency == "USD"


async def test_an_unknown_price_is_unknown_for_the_whole_and_says_how_to_give_one() -> None:
    chosen = OneByOne(cast={"debaters": (ANN, BEN.model_copy(update={"model": "openai/llama3"}))})
    found = await foreseen(texts(50), strategy=chosen)
    assert [share.money is None for share in found.shares] == [False, True]
    assert found.money is None
    assert 'match = "openai/llama3"' in "\n".join(found.assumptions)


@pytest.mark.parametrize(("other", "whole"), [("euro", False), ("free", True)])
async def test_several_currencies_have_no_sum(other: str, whole: bool) -> None:
    chosen = OneByOne(cast={"debaters": (ANN, BEN.model_copy(update={"model": other}))})
    found = await foreseen(texts(50), strategy=chosen)
    assert (found.money is not None) is whole
    assert (found.currency == "USD") is whole


async def test_the_offline_judge_takes_calls_and_no_tokens() -> None:
    found = await forecast(texts(50), strategy("debate"), FLUENT, model="offline", prices=PRICES)
    assert (found.usage, found.money) == (Usage(calls=9), 0)
    assert "replies are as long" not in "\n".join(found.assumptions)


async def test_models_are_not_opened() -> None:
    """There is neither a key nor such a provider."""
    paid = card("paid", model="nobody/has-this")
    found = await forecast([ITEM], Solo(cast={"scorer": (paid,)}), FLUENT, model="openai/x")
    assert [share.model for share in found.shares] == ["nobody/has-this"]


async def test_the_built_in_prices_are_the_usual_ones() -> None:
    found = await forecast([ITEM], strategy("solo"), FLUENT, model="openai/gpt-4o-mini")
    assert found.money == pytest.approx(
        (found.usage.prompt_tokens * 0.15 + found.usage.completion_tokens * 0.6) / 1e6
    )
    (line,) = [line for line in found.assumptions if "gpt-4o-mini costs" in line]
    assert "as of 2026" in line
    assert "check" in line


async def test_an_estimate_is_marked_as_one_and_a_count_says_whose_vocabulary_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = await foreseen(texts(50), "solo")
    assert found.counted == "estimate"
    assert "tokens of cheap are an estimate, 4 bytes each" in "\n".join(found.assumptions)


class Words:
    """Counts words, of texts that it was asked to learn."""

    def __init__(self) -> None:
        self.learnt: set[str] = set()

    async def learn(self, texts: frozenset[str]) -> None:
        self.learnt |= texts

    def count(self, text: str) -> TokenCount | None:
        return TokenCount(len(text.split()), "exact", "words") if text in self.learnt else None


async def test_a_vocabulary_learns_all_that_is_shown_and_said_and_a_count_says_whose_it_is() -> None:
    items, words = texts(50), Words()
    with using({"cheap": words}):
        found = await foreseen(items, "solo")
    (call,) = await held(items, "solo")
    schema = json.dumps(call.request.schema)
    shown = sum(len(message.content.split()) + AROUND for message in call.request.messages)
    assert found.usage.prompt_tokens == shown + len(schema.split())
    assert found.usage.completion_tokens == len(call.completion.text.split())
    assert found.counted == "exact"
    assert "tokens of cheap are counted as it counts them: words" in found.assumptions


async def test_a_strategy_that_fails_even_so_is_an_error() -> None:
    with pytest.raises(DebateError, match="judges a single one"):
        await foreseen(texts(50), "drpe")


@pytest.mark.parametrize("more", [{"sampled": 0}, {"aspects": "beauty"}])
async def test_a_wrong_argument_is_said_at_once(more: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        await foreseen(texts(50), **more)


async def test_the_same_question_has_the_same_answer() -> None:
    assert await foreseen(texts(50, 60)) == await foreseen(texts(50, 60))


async def test_the_row_is_json_with_null_for_what_is_unknown() -> None:
    row = json.loads(json.dumps((await foreseen(texts(50))).row()))
    assert (row["items"], row["debates"], row["calls"], row["counted"]) == (1, 1, 9, "estimate")
    assert row["money"] == row["models"][0]["money"] > 0
    assert row["models"][0]["price"]["output"] == 2
    unpriced = Forecast(1, 1, (Share("who", Usage(calls=1), None),), "estimate", ())
    assert unpriced.row()["money"] is None
    assert unpriced.row()["models"][0] == {
        "model": "who", "calls": 1, "prompt_tokens": 0, "completion_tokens": 0, "money": None, "price": None,
    }  # fmt: skip


async def test_a_reply_in_text_is_read_where_a_schema_was_asked_for() -> None:
    """Endpoints are taken to hold replies to schemas, so that the schema is counted; made-up words are text."""
    plain, held_to = await foreseen(texts(50), form="text"), await foreseen(texts(50), form="schema")
    assert held_to.usage.calls == plain.usage.calls == 9
    assert held_to.usage.prompt_tokens > plain.usage.prompt_tokens
