"""What agents quote is marked wherever it stands, and links lead to the text that is judged."""

from agentdebate.viewer.quotes import SHOWN, Piece, Quotes, Text

FIELDS = {
    "source": "Signs in the car parks.",
    "summary": "It has signs in the car parks, and signs in the car parks.",
}


def marks(text: Text) -> list[tuple[str, bool]]:
    return [(piece.text, piece.first) for piece in text.pieces if piece.mark]


def test_a_quotation_is_marked_in_every_place_and_leads_to_the_text_that_is_judged() -> None:
    quotes = Quotes(FIELDS)
    said = quotes.said('It says "signs in the car parks" twice.')
    assert marks(said) == [('"signs in the car parks"', False)]
    texts = quotes.texts()
    assert marks(texts["summary"]) == [("signs in the car parks", True), ("signs in the car parks", False)]
    assert marks(texts["source"]) == [("Signs in the car parks", False)]


def test_a_quotation_beyond_what_a_page_shows_of_a_text_is_not_marked() -> None:
    text = "x" * (SHOWN - 10) + "a quotation of some length" + "y" * 300
    quotes = Quotes({"source": text})
    assert quotes.mark("a quotation of some length") == 1
    shown = quotes.texts()["source"]
    assert (shown.pieces, shown.cut) == ((Piece(text[:SHOWN]),), True)
