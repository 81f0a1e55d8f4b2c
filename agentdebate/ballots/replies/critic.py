"""A critic's word on a score (DEBATE, Algorithm 1, line 8): it agrees by the stop word, and objects by everything else.

The stop word counts where it is a whole line or sentence. Anywhere else ("I cannot say NO ISSUE") the critic is asked once. A reply
that was cut, loops, or copies what its writer was told is neither, and is asked again.
"""

import re
from collections.abc import Iterable

from agentdebate.ballots.plain import plain
from agentdebate.ballots.repetition import copies, repetition
from agentdebate.ballots.replies.outcome import Critic, Problem

_WORD = re.compile(r"\w+")
_SENTENCE_ENDS = re.compile(r"[.!]+(?=\s|\Z)|(?<=[?])\s|\n")
_LEAD_IN = re.compile(r"[^:\n?]{1,60}:")


def read_critic(
    text: str, stop_word: str = "NO ISSUE", prompt: Iterable[str] = (), *, cut: bool = False
) -> Critic:
    """Tell whether a critic agrees (True) or objects (False); None, with a problem, for a reply that it is asked about again.

    `prompt` has the texts that the critic was told, without those that are judged, `cut` says that the reply stopped at the length
    limit. Raises nothing.
    """
    said = plain(text)
    neither = _neither(text, said, prompt, cut=cut)
    if neither is not None:
        return Critic(neither.kind, neither)
    word = _words(stop_word)
    words = (word, f"{word}s")  # the paper writes it both ways
    parts = [part for part in _SENTENCE_ENDS.split(said) if not part.rstrip().endswith("?")]
    led = [part for part in parts if _LEAD_IN.match(part)]  # several are about a part of the text each
    if any(_words(part) in words for part in parts) or (
        len(led) == 1 and _words(led[0].partition(":")[2]) in words
    ):
        return Critic("stop word", agrees=True)
    if f" {word}" in f" {_words(said)}":
        told = f"The reply mentions {stop_word}, and does not say whether the score may stand."
        return Critic("mention", Problem("several", told))
    return Critic("no stop word", agrees=False)


def _neither(text: str, said: str, prompt: Iterable[str], *, cut: bool) -> Problem | None:
    """Say why a reply says neither."""
    if cut:
        return Problem("cut_off", "The reply was cut off before its end.")
    if not any(map(str.isalnum, said)):
        return Problem("nothing", "The reply is empty: it neither agrees nor objects.")
    loop = repetition(text)
    if loop is not None:
        return Problem("nothing", loop.said(text))
    if copies(said, prompt):
        return Problem("nothing", "The reply repeats what was asked, and says nothing of the score.")
    return None


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower().replace("_", " ")))
