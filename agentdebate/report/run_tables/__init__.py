"""The tables of a run: what its verdicts come to, what failed, what it cost."""
