"""Three readers talk round a table and score a headline again until they agree. `python round_table.py` runs it."""

import asyncio

import agentdebate as ad

CLEAR = ad.Aspect(name="clear", criterion="One reading is enough.", scale=ad.Scale(low=1, high=5))
TASK = ad.Task(
    name="line", brief="This is a headline.", fields=("headline",), judged="headline", aspects=(CLEAR,)
)
ITEMS = [ad.Item(task="line", fields={"headline": text}) for text in ("Bridge opens Monday", "Man bites")]
FIRST = ad.talk.Purpose("first", ad.talk.Score, prompt="Score the headline as you read it.\n\n{{ form }}")
AGAIN = ad.talk.Purpose(
    "again", ad.talk.Score, prompt="{{ heard }} scores were read out. Score once more.\n\n{{ form }}"
)


class RoundTable(ad.strategies.Strategy):
    rounds: int = 3
    cast: dict[str, ad.strategies.Cards] = {
        "readers": (
            ad.Card(name="commuter", title="Commuter", persona="You read standing, in half a minute."),
            ad.Card(name="teacher", title="Teacher", persona="You read what your pupils will read."),
            ad.Card(name="editor", title="Editor", persona="You have written ten thousand of these."),
        )
    }

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        readers = floor.cast("readers")
        for number in floor.rounds(self.rounds):
            scores = await floor.ask_all(readers, FIRST if number == 1 else AGAIN)
            if len({score.ballot.ratings for score in scores}) == 1:
                break
            for reader, score in zip(readers, scores, strict=True):
                await floor.tell(score, to=readers.others(reader))
        return floor.merged(scores)


async def main() -> None:
    async with ad.evaluate(ITEMS, RoundTable(), tasks={"line": TASK}, concurrency=1) as run:
        async for record in run:
            print(record.item.fields["headline"], dict(record.scores))


if __name__ == "__main__":
    asyncio.run(main())
