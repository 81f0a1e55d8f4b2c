"""Sets of words, as the modules that read replies write them down."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())
