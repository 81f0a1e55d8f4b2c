"""The judges whose agreement is asked for: runs of the store, files of scores, files of raw replies, or fields of the data."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Selection
from agentdebate.datasets.named_values import free_pairs
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import Condition, check_field, choice_of, entries_in, score_of
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.prose import listed
from agentdebate.meta.readers import ChoiceReader, Choosing, Compared, Scored, judgements
from agentdebate.meta.replies import (
    Account,
    Asked,
    ChoiceReplies,
    How,
    ScoreReplies,
    reply_text,
)
from agentdebate.meta.run_rows import RunRows, run_rows
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import read_store
from agentdebate.tasks import Grades, Scale

SHOWN = 200
"""Characters of a reply that an error shows."""


@dataclass(frozen=True)
class Judge:
    """A judge, and the rows that hold what it says."""

    name: str
    rows: Sequence[Row] = field(repr=False)
    run: RunRows | None = None
    replies: bool = False
    """True if its rows hold replies to be read."""
    accounts: tuple[Account, ...] = ()
    """Counts of its replies about the texts that remain, by outcome."""
    met: tuple[Condition, ...] = ()
    """Conditions that its rows fulfil already."""
    aside: Sequence[Row] = field(default=(), repr=False)
    """Its rows that do not."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Numbers of the data's rows that were left out, by reason."""
    unreadable: str = ""
    """A message where not one reply about an aspect could be read: where the first is, and what it says."""


PEOPLE = "people"
"""The name under which people's own scale is declared."""


@dataclass(frozen=True)
class DeclaredScales:
    """Scales by what they were declared for: "" (all judges), an aspect, a judge, "JUDGE:ASPECT", "people", "people:ASPECT"."""

    texts: Mapping[str, str]
    """Declarations as they were written."""

    @classmethod
    def parse(cls, given: Sequence[str]) -> "DeclaredScales":
        """Read SCALE and NAME=SCALE. Raises UsageError."""
        plain = [text for text in given if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"scale=... is given twice, {plain[0]} and {plain[1]}: say whose each is, ASPECT=SCALE or JUDGE=SCALE"
            )
        named = free_pairs([text for text in given if "=" in text], "scale=...")
        found = cls({**named, **({"": plain[0]} if plain else {})})
        for name in found.texts:
            found._scale(name)
        return found

    def of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        name = self._name(judge, aspect)
        return self._scale(name) if name else own or self._scale("")

    def of_people(self, aspect: str) -> Scale | None:
        """The scale of people's scores, where it was declared."""
        return self._scale(f"{PEOPLE}:{aspect}") or self._scale(PEOPLE)

    def check(self, judges: Collection[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a name that is neither a judge, nor people, nor an aspect, nor one of both with a colon between."""
        known = [*aspects, *judges, PEOPLE]
        both = {f"{who}:{aspect}" for who in (*judges, PEOPLE) for aspect in aspects}
        for name in filter(None, self.texts):
            if name not in both.union(known):
                raise UsageError(
                    f"scale=...: there is no aspect and no judge {name!r}. {nearest(name, known)}"
                )

    def _scale(self, name: str) -> Scale | None:
        return Scale.parse(self.texts[name]) if name in self.texts else None

    def _name(self, judge: str, aspect: str) -> str | None:
        """The most particular name that a scale was declared for."""
        return next((name for name in (f"{judge}:{aspect}", judge, aspect) if name in self.texts), None)


@dataclass(frozen=True)
class JudgeSources:
    """Sources of the judges' scores, and the reading of their replies."""

    scores: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    read: str | None = None
    scale: tuple[str, ...] = ()
    store: str = USUAL_STORE

    def judges(self, runs: Sequence[str | RunRows], selection: Selection) -> tuple[Judge, ...]:
        """The judges that are named; none where all stands in the data. Of files the selected fields are kept. Raises UserError."""
        found = [*self._of_runs(runs), *self._of_files(selection)]
        for number, judge in enumerate(found):
            if judge.name in [other.name for other in found[:number]]:
                raise UsageError(f"two judges are called {judge.name!r}: name one of them, NAME={judge.name}")
        return tuple(found)

    @property
    def reads(self) -> bool:
        """Tell whether replies that stand in the data are read."""
        return bool(self.reply) or self.read is not None

    @property
    def how(self) -> How:
        """The way in which replies are read. Raises UsageError."""
        return How.parse(self.read or "auto")

    @property
    def reply_fields(self) -> Mapping[str, str]:
        """The fields of replies by aspect; under the empty name that of all other aspects."""
        plain = [text for text in self.reply if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"reply=... names several fields; say which aspect each is of: ASPECT={plain[1]}"
            )
        fields = free_pairs([text for text in self.reply if "=" in text], "reply=...")
        return {**fields, "": plain[0]} if plain else fields

    @property
    def scales(self) -> DeclaredScales:
        """The scales that are declared. Raises UsageError."""
        return DeclaredScales.parse(self.scale)

    def scored(
        self,
        judge: Judge,
        joined: Joined,
        asked: Sequence[Scored],
        grades: Mapping[str, float],
    ) -> tuple[Judge, tuple[Judgements, ...]]:
        """A judge's scores beside people's, on their scales; `grades` are words that stand for scores. Raises UserError."""
        if not judge.replies:

            def read(row: Row, place: str, value: Any) -> float | None:
                return score_of(row, place, value, grades)

            found = [judgements(judge.name, joined, one, read, grades, recorded=True) for one in asked]
        else:
            judge, found = self._scored_replies(judge, joined, asked, grades)
        scales, own = self.scales, judge.run.scales if judge.run else {}
        return judge, tuple(
            replace(
                one,
                scale=scales.of(judge.name, one.aspect, own.get(one.aspect)),
                people_scale=scales.of_people(one.aspect),
            )
            for one in found
        )

    def _scored_replies(
        self,
        judge: Judge,
        joined: Joined,
        asked: Sequence[Scored],
        grades: Mapping[str, float],
    ) -> tuple[Judge, list[Judgements]]:
        fields = [self._asked(judge, one.aspect, grades) for one in asked]
        reader = ScoreReplies(fields, self.how)
        found = []
        for one, there in zip(asked, fields, strict=True):

            def read(row: Row, place: str, value: Any, aspect: str = one.aspect) -> float | None:
                return reader.score(aspect, reply_text(row, place, value))

            each = replace(one, score=there.field)
            found.append(judgements(judge.name, joined, each, read, grades, recorded=False))
        named = {one.aspect: one.field for one in fields}
        return self._told(judge, joined, named, reader.accounts), found

    def _asked(self, judge: Judge, aspect: str, grades: Mapping[str, float]) -> Asked:
        """The field of the replies about an aspect, and their scale: that of the words that they may give, where none is declared."""
        name = self.reply_fields.get(aspect, self.reply_fields.get(""))
        if name is None:
            raise UsageError(f"reply=...: which field holds the replies about {aspect!r}? {aspect}=FIELD")
        check_field(judge.rows, name, "reply=...")
        words: Grades = tuple(sorted(grades.items(), key=itemgetter(1)))
        scale = self.scales.of(judge.name, aspect)
        if scale is None and words and words[0][1] < words[-1][1]:
            scale = Scale(low=words[0][1], high=words[-1][1], step=None)
        return Asked(aspect, name, scale, words)

    def compared(self, judge: Judge, joined: Joined, asked: Choosing) -> tuple[Judge, Compared]:
        """A judge's choices beside people's. Raises UserError."""
        reader = ChoiceReader(joined, judge.name, asked)
        if not judge.replies:
            return judge, reader.read(choice_of, recorded=True)
        about = {name: name if len(asked.fields) > 1 else asked.aspect for name in asked.fields}
        replies = ChoiceReplies(self.how, reader.words)

        def read(row: Row, place: str, value: Any) -> str | None:
            return replies.choice(
                about[next(name for name in about if f"{place}.".startswith(f"{name}."))],
                reply_text(row, place, value),
            )

        found = reader.read(read, recorded=False)
        named = {aspect: name for name, aspect in about.items()}
        return self._told(judge, joined, named, replies.accounts), found

    def check(self, *, choices: bool, scaled: bool = False) -> None:
        """Raise UsageError for options about replies where none are read.

        `choices` says that they are to be choices, `scaled` that the scale of other scores is of use as well.
        """
        if self.replies and not (self.reply or choices):
            raise UsageError("reply=... says which field of replies=... holds the reply")
        if self.reply and choices:
            raise UsageError(
                "choice='FIELD=FIELD' names the field of the reply where texts are compared; leave out reply=..."
            )
        given = {"scale=...": self.scale and not scaled, "read=...": self.read is not None}
        name = next((name for name, value in given.items() if value), None)
        if name and not (self.reply or choices):
            more = "; of scores it is for missing='wrong', compare=..., calibration=..., errors and alpha"
            raise UsageError(
                f"{name} is for replies, and reply=... says which field holds them{more * (name == 'scale=...')}"
            )

    def _of_runs(self, runs: Sequence[str | RunRows]) -> Iterator[Judge]:
        for text in runs:
            if isinstance(text, str) and Path(named_path(text)[1]).is_file():
                raise UsageError(
                    f"{text} is a file and no run: scores='{text}', the option again for each file (or replies=..., data=...)"
                )
        named = [("", one) if isinstance(one, RunRows) else one.rpartition("=")[::2] for one in runs]
        found = self._read([run for _, run in named])
        strategies = [run.head.strategy for run in found]
        for (name, _), run in zip(named, found, strict=True):
            usual = run.head.strategy if strategies.count(run.head.strategy) == 1 else run.head.id
            yield Judge(name or usual, run.rows, run)

    def _read(self, runs: Sequence[str | RunRows]) -> list[RunRows]:
        """The runs, those that are named read from the store. Raises UsageError."""
        if not any(isinstance(run, str) for run in runs):
            return [run for run in runs if isinstance(run, RunRows)]
        with read_store(self.store) as reader:
            return [run if isinstance(run, RunRows) else run_rows(reader, reader.run(run)) for run in runs]

    def _of_files(self, selection: Selection) -> Iterator[Judge]:
        for text, replies in (*((one, False) for one in self.scores), *((one, True) for one in self.replies)):
            name, path = named_path(text)
            yield Judge(name, read_frame(path, selection), replies=replies)

    def _told(
        self,
        judge: Judge,
        joined: Joined,
        fields: Mapping[str, str],
        accounts: tuple[Account, ...],
    ) -> Judge:
        """The judge with what became of its replies."""
        lost = [one for one in accounts if one.replies and one.unread == one.replies]
        said = ""
        if lost:
            why = listed(list(dict.fromkeys(kind for one in lost for kind in one.unreadable)))
            name = fields[lost[0].aspect]
            row, text = next(
                (pair.scores, text)
                for pair in joined.pairs
                if pair.scores is not None
                for text in _texts(pair.scores, name)
            )
            said = str(
                row.error(
                    f"no reply of {judge.name} about {listed([one.aspect for one in lost])} could be read by read='{self.how}' ({why}); "
                    f"see to read=..., scale=... and aspects=.... The first is {text[:SHOWN]!r}",
                    name,
                )
            )
        return replace(judge, accounts=accounts, unreadable=said)


def _texts(row: Row, field: str) -> Iterator[str]:
    return (reply_text(row, place, value) for _, place, value in entries_in(row, (field,)))


def readings_of(judge: Judge | None) -> Iterator[dict[str, Any]]:
    """An account of a judge's replies as JSON: of each aspect how many there are, how many each rule read, and why not."""
    for one in judge.accounts if judge else ():
        yield {
            "judge": judge.name if judge else "",
            "aspect": one.aspect,
            "replies": one.replies,
            "rules": dict(sorted(one.rules.items())),
            "unreadable": dict(sorted(one.unreadable.items())),
        }


def named_path(text: str) -> tuple[str, str]:
    """Read NAME=FILE; the name of a file without one is what it is called but for its ending."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return Path(text).stem, text
    if not (name and path):
        raise UsageError(f"FILE, or NAME=FILE, is wanted here, not {text!r}")
    return name, path


def names_of(judges: Iterable[Judge]) -> list[str]:
    """The names of judges."""
    return [judge.name for judge in judges]
