"""Five agents try an answer. `python courtroom.py` begins, `python courtroom.py last` goes on where that was stopped."""

import asyncio
import sys

import agentdebate as ad

HELPFUL = ad.Aspect(name="helpful", criterion="The answer solves the problem.", scale=ad.Scale(low=1, high=5))
TEXTS = {"question": "My kettle leaks.", "answer": "Turn the lid until it clicks."}
TASK = ad.Task(name="support", brief="Help.", fields=tuple(TEXTS), judged="answer", aspects=(HELPFUL,))
CHARGE = ad.talk.Purpose(
    "charge", ad.talk.Statement, prompt="Say in two sentences what is wrong with the answer."
)
TESTIFY = ad.talk.Purpose(
    "testify", ad.talk.Statement, prompt="Say what you know of it. You heard {{ heard }} others."
)
DEFEND = ad.talk.Purpose("defend", ad.talk.Statement, prompt="Answer the charge point by point.")
RULE = ad.talk.Purpose("sentence", ad.talk.Ruling, prompt="Weigh what was said as {{ title }}.\n\n{{ form }}")
TURNS = {"prosecutor": CHARGE, "customer": TESTIFY, "engineer": TESTIFY, "defender": DEFEND, "judge": RULE}


class Courtroom(ad.strategies.Strategy):
    cast: dict[str, ad.strategies.Cards] = {
        "prosecutor": ad.Card(name="prosecutor", title="Prosecutor", persona="You look for what does harm."),
        "customer": ad.Card(name="customer", title="Customer", persona="You had this very problem."),
        "engineer": ad.Card(name="engineer", title="Engineer", persona="You built the thing."),
        "defender": ad.Card(name="defender", title="Defender", persona="You speak for the author."),
        "judge": ad.Card(name="judge", title="Judge", persona="You go by what was said here alone."),
    }

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        for role, purpose in TURNS.items():
            said = await floor.ask(floor.one(role), purpose, hearing=floor.talk)
        return floor.verdict(said, settled=True, ended="ruling", merge="ruling")


async def main(resume: str | None = None) -> None:
    case, tasks = ad.Item(task="support", fields=TEXTS), {"support": TASK}
    async with ad.evaluate([case], Courtroom(), tasks=tasks, store="court.db", resume=resume) as run:
        print([record.scores async for record in run])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
