"""What agents quote is marked wherever it stands, and links lead to the text that is judged."""

from agentdebate.ballots.roster import Role
from agentdebate.talk.messages import Selection
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


def test_the_same_words_have_one_number_however_often_they_are_quoted() -> None:
    quotes = Quotes(FIELDS)
    assert quotes.mark("signs in the car parks") == quotes.mark("Signs in the car parks.") == 1
    assert quotes.mark("signs in the town") == 0


def test_what_is_quoted_beyond_what_a_page_shows_is_shown_and_marked_behind_it() -> None:
    words = "the last boat leaves at nine"
    text = f"{'Signs. ' * 4_000}Then {words}. {'More of it. ' * 300}Again, {words}.{' Rest.' * 100}"
    quotes = Quotes({"source": text})
    assert quotes.said(f"It says “{words}”.").pieces[1].mark == 1
    shown = quotes.texts()["source"]
    assert shown.pieces == (Piece(text[:SHOWN]),)
    assert [(piece.text, piece.first) for piece in shown.beyond if piece.mark] == [
        (words, True),
        (words, False),
    ]
    told = "".join(piece.text for piece in shown.beyond)
    assert told.count("[…]") == 2
    assert len(told) < 1_000
    assert all(part.strip() in text for part in told.split("[…]"))


def test_a_quotation_at_the_edge_of_what_is_shown_is_in_whole_behind_it() -> None:
    text = "x" * (SHOWN - 10) + "a quotation of some length" + "y" * 300
    quotes = Quotes({"source": text})
    assert quotes.mark("a quotation of some length") == 1
    shown = quotes.texts()["source"]
    assert shown.pieces == (Piece(text[:SHOWN]),)
    assert [piece.text for piece in shown.beyond if piece.mark] == ["a quotation of some length"]


def test_a_text_of_which_nothing_more_is_quoted_has_nothing_behind_it() -> None:
    quotes = Quotes({"source": "A short text of a few words." + " " * SHOWN})
    quotes.said("“A short text of a few words”")
    assert quotes.texts()["source"].beyond == ()


def test_who_was_seated_is_said_in_words() -> None:
    roles = (Role(type="Commuter", description="Travels."), Role(type="Lorry driver", description="Drives."))
    selection = Selection(sender="floor", to=("a",), round=1, kept=roles, embedder="hashed")
    assert selection.line() == "seated: Commuter, Lorry driver"
