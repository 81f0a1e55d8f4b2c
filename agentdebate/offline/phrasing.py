"""Sentences with quotes in them, or no sentence where there is nothing to quote."""

from agentdebate.offline.text import Sentence, Text


def fill(words: str, *quotes: str) -> str:
    """`words` with the quotes in the places of its braces; empty where one of them is."""
    return words.format(*quotes) if all(quotes) else ""


def say(text: Text, sentence: Sentence, words: str) -> str:
    """`words` with the sentence quoted in its braces."""
    return fill(words, text.quote_sentence(sentence))
