"""Gate a change of a prompt: are the texts that the new prompt made worse than those of the old one?

    python prompt_gate.py main.jsonl reworded.jsonl     # exit code 0: not worse
    python prompt_gate.py main.jsonl careless.jsonl     # exit code 1: worse; 3: more texts would have to decide
    python prompt_gate.py main.jsonl branch.jsonl --model openai/gpt-6-luna

summarise.py makes such files with prompt.txt; judge.yml does all of it for a pull request. It needs agentdebate[agree], and keeps what
is judged in prompt_gate.db.
"""

import argparse
import asyncio
import sys

import agentdebate as ad

STORE = "prompt_gate.db"


async def judged(path: str, model: str) -> str:
    """Hold a debate about the consistency of each text, and return the run's name."""
    texts = ad.DataSource(path, "summarization")
    async with ad.evaluate(
        texts, "debate", aspects="consistency", model=model, cache="on", store=STORE
    ) as run:
        async for _ in run:
            pass
    return str(run.id)


async def main(options: argparse.Namespace) -> int:
    """Judge both files with the same judge, and compare them text by text."""
    old, new = [await judged(path, options.model) for path in (options.old, options.new)]
    found = ad.report.gate(new, not_worse_than=old, at_least={"consistency": 3}, store=STORE)
    print(found)
    return {"pass": 0, "fail": 1, "inconclusive": 3}[found.decision]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--model", default="offline", help="the judge")
    sys.exit(asyncio.run(main(parser.parse_args())))
