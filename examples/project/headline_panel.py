"""A way of talking of your own: each reader scores alone, and where they differ each hears the others and scores again."""

import agentdebate as ad

ALONE = ad.talk.Purpose("alone", ad.talk.Score, prompt="Score the headline as you read it.\n\n{{ form }}")
AGAIN = ad.talk.Purpose(
    "again",
    ad.talk.Score,
    prompt="The others see it otherwise. Say where they are right, and score once more.\n\n{{ form }}",
)


class HeadlinePanel(ad.strategies.Strategy):
    """Readers who hear each other where they differ; the mean of their last scores is the verdict."""

    rounds: int = 2
    cast: dict[str, ad.strategies.Cards] = {"readers": ("hurried-reader", "scorer")}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        """Hold the debate."""
        readers = floor.cast("readers")
        for number in floor.rounds(self.rounds):
            scores = await floor.ask_all(readers, ALONE if number == 1 else AGAIN)
            if len({score.ballot.ratings for score in scores}) == 1:
                break
            for reader, score in zip(readers, scores, strict=True):
                await floor.tell(score, to=readers.others(reader))
        return floor.merged(scores)
