"""The program whose prompt is changed: `python summarise.py PROMPT.txt TO.jsonl --model openai/gpt-6-luna` summarises articles.jsonl."""

import argparse
import asyncio
import json
from pathlib import Path

import agentdebate as ad
from agentdebate.models.base import ChatMessage


async def summaries(name: str, prompts: list[str]) -> list[str]:
    """Return what the model answers to each prompt."""
    writer = ad.model(name)
    asked = [writer.complete(ad.ModelRequest((ChatMessage("user", prompt),))) for prompt in prompts]
    texts = [completion.text.strip() for completion in await asyncio.gather(*asked)]
    await writer.aclose()
    return texts


def main(options: argparse.Namespace) -> None:
    """Write a line for each article, with its summary."""
    prompt = options.prompt.read_text(encoding="utf-8")
    articles = [json.loads(line) for line in options.articles.read_text(encoding="utf-8").splitlines()]
    texts = asyncio.run(summaries(options.model, [f"{prompt}\n\n{one['source']}" for one in articles]))
    lines = [json.dumps({**one, "summary": text}) for one, text in zip(articles, texts, strict=True)]
    options.to.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt", type=Path)
    parser.add_argument("to", type=Path)
    parser.add_argument("--articles", type=Path, default=Path(__file__).with_name("articles.jsonl"))
    parser.add_argument("--model", required=True, help="the model that writes")
    main(parser.parse_args())
