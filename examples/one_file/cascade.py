"""A cheap model scores first; an expensive one is asked only where the score lies in the middle. `python cascade.py` runs it."""

import asyncio

import agentdebate as ad

CLEAR = ad.Aspect(name="clear", criterion="One reading is enough.", scale=ad.Scale(low=1, high=5))
TASK = ad.Task(
    name="line", brief="This is a headline.", fields=("headline",), judged="headline", aspects=(CLEAR,)
)
ITEMS = [ad.Item(task="line", fields={"headline": text}) for text in ("Bridge opens Monday", "Man bites")]
GLANCE = ad.talk.Purpose("glance", ad.talk.Score, prompt="Score the headline at a glance.\n\n{{ form }}")
REVIEW = ad.talk.Purpose(
    "review", ad.talk.Score, prompt="The glance left doubt. Take your time, and score.\n\n{{ form }}"
)
CHEAP, EXPENSIVE = "offline", "offline"  # "openai/gpt-6-luna" and "openai/gpt-6.1-sol", say


class Cascade(ad.strategies.Strategy):
    sure: int = 2
    cast: dict[str, ad.strategies.Cards] = {
        "first": ad.Card(name="first", title="First reader", persona="You decide quickly.", model=CHEAP),
        "second": ad.Card(name="second", title="Second reader", persona="You are thorough.", model=EXPENSIVE),
    }

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        glance = await floor.ask(floor.one("first"), GLANCE)
        middle = sum(rating.score for rating in glance.ballot.ratings) / len(glance.ballot.ratings)
        if abs(middle - 3) >= self.sure:
            return floor.verdict(glance, settled=True, ended="sure at once", merge="first score")
        review = await floor.ask(floor.one("second"), REVIEW, hearing=[glance])
        return floor.verdict(review, settled=True, ended="reviewed", merge="last score")


async def main() -> None:
    async with ad.evaluate(ITEMS, Cascade(), tasks={"line": TASK}, concurrency=1) as run:
        async for record in run:
            print(
                record.item.fields["headline"], dict(record.scores), record.verdict and record.verdict.ended
            )


if __name__ == "__main__":
    asyncio.run(main())
