"""Number expressions in a reply, brought together: "4 out of 5", "three and a half stars", "4 or 5", "from 3 to 4"."""

from dataclasses import replace

from agentdebate.ballots.numbers import NUMBER_WORDS, TENS, Value, show, to_number
from agentdebate.ballots.reading.lexicon import CHANGES, EXTREMES, UNITS
from agentdebate.ballots.reading.pieces import RANGE, Pieces
from agentdebate.ballots.words import words_of

_UNITS_OF_TEN = range(1, 10)
"""What may stand behind "eighty"."""
_BETWEEN = {"-", "~", "to", "or", "through", "bis", "до", "至", "到", "から"}
_OVER = {"/", "of", "von", "van", "sur", "sobre", "из", "su", "de"}
_SCALE_ENDS = words_of("/ of max maximum")
_BEFORE_ONE = words_of(
    "this that the no each any every another other second first third last which only better whole"
)
_SCORING = words_of(
    "solid strong weak low high clear firm full perfect mere straight generous modest score scores rating grade mark final of is bare fair good poor"
)
"""Adjectives of a score: before any other, "one" stands for a thing ("an important one")."""
_REFERENTS = words_of("score rating grade mark scores ratings grades marks")
_RESUMING = words_of("and but or , give gives gave given get gets while")
"""Before "one of 5", where "one" is for a noun that was said before."""
_ANAPHOR = 24
"""Pieces before "one of 5" in which the noun stands that "one" is for."""
_MODAL = words_of("can could may might would should must has")
_DOUBTING, _ALTERNATIVE = (
    words_of("or maybe perhaps possibly even a an"),
    words_of("or maybe perhaps possibly"),
)
_DOUBTS = 4
_ASIDE = 5
_EXPLANATION = 14
"""Tokens in which the ends of a scale are explained."""
_POSSIBLE = words_of("a the possible maximum max total of full")
_EASTERN_UNITS, _NO_UNIT = words_of("分 点 點 점"), words_of("钟 鐘 の 数 の")
"""Points in languages without blanks, and what makes minutes or a list of them."""
_PAIR_ENDS = frozenset(["", *",.;\n"])
"""Behind "4 and 5": then both are given, and none is meant."""
_FULL_MARKS = words_of("满分 滿分 満点 만점 满分为 满分是")
"""Before the top of the scale, in languages without blanks."""
_RANGE_WORDS = words_of("on in a the scale of from using with rating range ranging between out max maximum")
_SITES = frozenset([*NUMBER_WORDS, "nan", "inf", "infinity", "\n"])
_PLAIN_MARKS = frozenset(".,)'\"-!$%&*+#/")


class NumberExpressions:
    """Walks over tokens once and brings number expressions together."""

    def __init__(self, tokens: list[str], scales: set[tuple[float, float]]) -> None:
        self._tokens, self._scales = tokens, scales
        self._at = 0
        self._done = Pieces()

    def pieces(self) -> Pieces:
        """All pieces. Only where a number, a line or the end of a scale may stand is there anything to do."""
        tokens, done = self._tokens, self._done
        # Digits and signs come before the colon, letters behind it: one comparison passes over nearly every word.
        sites = [
            i
            for i, piece in enumerate(tokens)
            if (piece < ":" and piece not in _PLAIN_MARKS) or piece in _SITES
        ]
        for site in sites:
            if site < self._at:
                continue
            done += tokens[self._at : site]
            self._at = site
            self._put(tokens[site])
        done += tokens[self._at :]
        done.marks = [i for i in done.marks if i < len(done)]
        return done

    def _put(self, piece: str) -> None:
        if piece == "\n":
            self._done.marks.append(len(self._done))
        elif piece == "(" and (length := self._scale_end() or self._scale_told()):
            self._done += [piece, RANGE]
            self._at += length
            return
        elif to_number(piece) is not None and not (piece == "one" and self._is_pronoun()):
            self._span(self._value())
            return
        self._done.append(piece)
        self._at += 1

    def _is_pronoun(self) -> bool:
        """Whether "one" stands for a thing: "this one"."""
        before = self._done[-2:]
        if self._peek(1) in _MODAL or (self._peek(1) == "of" and self._goes_on()):
            return True
        if not before:
            return False
        described = len(before) > 1 and before[0] in {"a", "an", "the"} and str(before[1])[0].isalpha()
        return before[-1] in _BEFORE_ONE or (described and before[1] not in _SCORING)

    def _goes_on(self) -> bool:
        """Whether the sentence has named a score before, so that "one of 5" is another score, and no fraction."""
        if self._done[-1:] == [] or self._done[-1] not in _RESUMING:
            return False
        for piece in reversed(self._done[-_ANAPHOR:]):
            if piece in {".", ";", "!", "?", "\n"}:
                return False
            if piece in _REFERENTS:
                return True
        return False

    def _peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index] if index < len(self._tokens) else ""

    def _value(self) -> Value:
        """The number at this place, with its half, denominator and unit."""
        shown = self._peek()
        number = to_number(shown)
        assert number is not None  # the callers have looked
        in_words = shown in NUMBER_WORDS
        self._at += 1
        if (
            shown in TENS
            and (units := NUMBER_WORDS.get(self._peek(hyphen := int(self._peek() == "-")), 0))
            in _UNITS_OF_TEN
        ):
            number, shown = number + units, f"{shown}-{self._peek(hyphen)}"
            self._at += hyphen + 1
        if self._peek() == "and" and self._peek(1) in {"a", "one"} and self._peek(2) == "half":
            number, shown, self._at = number + 0.5, f"{shown} and a half", self._at + 3
        elif in_words and self._peek() == "point" and self._peek(1) in NUMBER_WORDS:
            number, shown = (
                float(f"{number:g}.{NUMBER_WORDS[self._peek(1)]:g}"),
                f"{shown} point {self._peek(1)}",
            )
            self._at += 2
        value = self._fraction(number, shown)
        follow = self._peek()
        if follow[:1] in _EASTERN_UNITS and follow[1:2] not in _NO_UNIT:
            return replace(value, unit=True)
        scaled = self._peek(1) == "point" and self._peek(2) in {"scale", "system"}
        hyphen = int(follow == "-" and (self._peek(1) in {"star", "stars"} or scaled))
        if value.over is not None or self._peek(hyphen) not in UNITS:
            return value
        self._at += 1 + hyphen
        return self._echoed(number) or self._fraction(number, shown, unit=True)

    def _echoed(self, number: float) -> Value | None:
        """The value in a bracket that says stars again in digits: "★★★★ (4/5)"."""
        if to_number(self._peek()) == number and self._peek(1) == "/":
            return self._value()
        if self._peek() != "(" or to_number(self._peek(1)) != number:
            return None
        start = self._at
        self._at += 1
        value = self._value()
        if self._peek() == ")":
            self._at += 1
            return value
        self._at = start
        return None

    def _fraction(self, number: float, shown: str, *, unit: bool = False) -> Value:
        joint = self._peek()
        ahead = 2 if joint == "out" and self._peek(1) == "of" else int(joint in _OVER)
        while ahead and self._peek(ahead) in _POSSIBLE:
            ahead += 1
        over = to_number(self._peek(ahead)) if ahead else None
        if over is None:
            return Value((number,), shown, unit=unit)
        self._at += ahead + 1
        if (
            self._peek() in UNITS
            and (self._peek(1), self._peek(2)) == ("out", "of")
            and to_number(self._peek(3)) == over
        ):
            self._at += 4  # "4 of 5 stars out of 5"
        if self._peek() == "possible" and self._peek(1) in UNITS:
            self._at += 1
        if self._peek() in UNITS:
            self._at, unit = self._at + 1, True
        return Value((number,), f"{shown}/{show(over)}", over, unit=unit)

    def _span(self, value: Value) -> None:
        """Puts the value down; with what follows it, if that makes a range, a choice or a change."""
        before = self._done[-1] if self._done else ""
        if value.unit and value.over is None and self._peek() in {"scale", "system"}:
            # Its number is the scale's, as in "on a five-point scale".
            self._put_range()
            return
        if self._done[-2:] == ["out", "of"] and self._peek() in {",", ":"} and self._tells_top(value):
            self._put_range()
            return
        skipped = self._to_end_of_scale(value)
        if skipped:
            self._at += skipped
            self._put_range()
            return
        doubt = self._doubted()
        if doubt:
            self._at += doubt
            end = self._value()
            self._give(Value((value.numbers[0], end.numbers[0]), f"{value.shown} or {end.shown}", end.over))
            return
        before = "from" if before == "a" and self._done[-2:-1] == ["from"] else before
        joint = self._peek()
        ahead = (
            2
            if (joint in {"or", "and"} or (joint == "to" and before == "from"))
            and self._peek(1) in {"a", "an"}
            else 1
        )
        pair = joint == "and" and self._peek(ahead + 1) in _PAIR_ENDS and self._is_plain(ahead)
        both = joint in _BETWEEN or (joint == "and" and before in {"between", "both"}) or pair
        if not (both or joint == "→") or to_number(self._peek(ahead)) is None:
            self._give(value)
            return
        self._at += ahead
        end = self._value()
        if joint == "-" and None not in {value.over, end.over} and value.over != end.over:
            # "2/3 - 7/10": a dash parts fractions of different scales.
            self._give(value)
            self._give(end)
            return
        ends = (value.numbers[0], end.numbers[0])
        if ends in self._scales and joint not in {"→", "or"} and not (before == "from" and self._changes()):
            self._put_range()
        elif joint == "→" or (before == "from" and joint == "to"):
            self._give(Value(end.numbers, end.shown, end.over, moved=True))
        else:
            self._give(Value(ends, f"{value.shown} {joint} {end.shown}", end.over))

    def _tells_top(self, value: Value) -> bool:
        """Whether a sentence opens with "out of" and the top of the scale, for the score that follows: "Out of 5: 4"."""
        opens = self._done[-3:-2] in ([], ["."], ["\n"], ["!"], [";"])
        return opens and not value.unit and value.numbers[0] in {high for _, high in self._scales}

    def _to_end_of_scale(self, value: Value) -> int:
        """How many tokens lead from the low end of a scale over hyphens or asides to its top: "1-to-5", "1 (worst) to 5 (best)"."""
        ahead = self._aside(0)
        hyphened = (self._peek(), self._peek(2)) == ("-", "-")
        ahead += hyphened
        joined = self._peek(ahead) == "to" and (hyphened or ahead > 0)
        number = to_number(self._peek(ahead + 1 + hyphened)) if joined else None
        if number is None or (value.numbers[0], number) not in self._scales:
            return 0
        ahead += 2 + hyphened
        return ahead + self._aside(ahead)

    def _aside(self, start: int) -> int:
        """How many tokens a short bracket without a number takes: "(lowest)"."""
        if self._peek(start) != "(":
            return 0
        for ahead in range(start + 1, start + _ASIDE):
            if self._peek(ahead) == ")":
                return ahead - start + 1
            if not self._peek(ahead).isalpha():
                break
        return 0

    def _doubted(self) -> int:
        """How many tokens lead to another number that may be meant as well: "4, or maybe 5"; 0 where there is none."""
        ahead = int(self._peek() in {",", "(", "."})
        start = ahead
        while ahead - start < _DOUBTS and self._peek(ahead) in _DOUBTING:
            ahead += 1
        if ahead == start or not {self._peek(k) for k in range(start, ahead)} & _ALTERNATIVE:
            return 0
        return ahead if to_number(self._peek(ahead)) is not None else 0

    def _give(self, value: Value) -> None:
        self._done.marks.append(len(self._done))
        self._done.append(value)

    def _is_plain(self, ahead: int) -> bool:
        return self._peek(ahead)[:1].isdigit()

    def _changes(self) -> bool:
        for piece in reversed(self._done[-8:]):
            if piece in {".", "\n"}:
                return False
            if piece in CHANGES:
                return True
        return False

    def _scale_end(self) -> int:
        """How many tokens "(/5" or "(out of 5" take, where a bracket holds no more: a reminder of the scale's end; else 0."""
        if self._peek(1) in _FULL_MARKS and to_number(self._peek(2)) in {high for _, high in self._scales}:
            return next((k + 1 for k in (2, 3) if self._peek(k + 1) == ")"), 0)
        ahead = 2 if self._peek(1) == "out" else 1
        ends = self._peek(ahead) in _SCALE_ENDS and self._peek(ahead + 2) == ")"
        return (
            ahead + 2
            if ends and to_number(self._peek(ahead + 1)) in {high for _, high in self._scales}
            else 0
        )

    def _scale_told(self) -> int:
        """How many tokens a bracket takes, without its last, that only tells both ends of the scale: "(minimum 1, maximum 5)"."""
        numbers, extreme = list[float](), False
        for ahead in range(1, _EXPLANATION):
            piece = self._peek(ahead)
            if piece == ")":
                return ahead if extreme and tuple(numbers) in self._scales else 0
            number = to_number(piece)
            numbers += [] if number is None else [number]
            extreme |= piece in EXTREMES or piece in {"min", "max"}
            if piece == "\n":
                break
        return 0

    def _put_range(self) -> None:
        while self._done and self._done[-1] in _RANGE_WORDS:
            self._done.pop()
        self._done.append(RANGE)
        while self._peek() in {"scale", "range"}:
            self._at += 1
        self._at += self._explained()

    def _explained(self) -> int:
        """How many tokens behind a scale only say what its ends mean: ", with 5 being the highest"."""
        if self._peek() not in {",", "with", "where"}:
            return 0
        ends, extreme = {end for scale in self._scales for end in scale}, False
        for ahead in range(1, _EXPLANATION):
            token = self._peek(ahead)
            number = to_number(token)
            if number is not None and number not in ends:
                return 0
            extreme |= token in EXTREMES
            if token in {":", ",", "\n", "."} and ahead > 1:
                return ahead if extreme else 0
        return 0
