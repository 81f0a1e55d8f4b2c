"""Table 1 of DEBATE (arXiv 2405.09935) once more, with controls at the same cost: the strategies of the paper beside one judge and a vote.

    python paper_table.py                                             # the offline judge on rated.jsonl: no figures to believe
    python paper_table.py --summeval FOLDER --model openai/gpt-6-luna   # the paper's data set, which you fetch

It needs agentdebate[agree,plots], and writes paper_table.db, which the next call goes on with, and paper_table.png.
"""

import argparse
import asyncio
from pathlib import Path

import agentdebate as ad

STRATEGIES = ["solo", "multiagent", "debate", "debate-tiebreaker"]
ASPECT = "consistency"


def texts(options: argparse.Namespace) -> ad.DataSource:
    """SummEval as its authors published it, or the texts beside this file with scores that we made up."""
    if options.summeval:
        return ad.DataSource(options.summeval, dataset="summeval", limit=options.limit)
    rated = Path(__file__).with_name("rated.jsonl")
    return ad.DataSource(
        rated, "summarization", human={ASPECT: "expert"}, group="group", system="system", limit=options.limit
    )


async def main(options: argparse.Namespace) -> None:
    """Hold the sweep, print its table with differences from the controls, and draw the agreement of each strategy."""
    table = await ad.sweep(
        texts(options), "debate", vary={"strategy": STRATEGIES}, controls=True, aspects=ASPECT,
        model=options.model, statistic="spearman", level="group", store="paper_table.db",
    )  # fmt: skip
    print(table)
    picture = ad.plot(
        "strategy", table.name, statistic="spearman", level="group", title="Table 1 of DEBATE", store="paper_table.db",
    )  # fmt: skip
    picture.write("paper_table.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--summeval", type=Path)
    parser.add_argument("--model", default="offline")
    parser.add_argument("--limit", type=int, help="the first so many texts")
    asyncio.run(main(parser.parse_args()))
