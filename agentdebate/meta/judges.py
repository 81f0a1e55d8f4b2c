"""The judges whose agreement is asked for: runs of the store, files of scores, files of raw replies, or fields of the data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Selection
from agentdebate.datasets.named_values import free_pairs
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.choosing import Choosing, summands, with_letters
from agentdebate.meta.expression import text_of
from agentdebate.meta.fields import check_field
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.labels import words_of
from agentdebate.meta.prose import listed
from agentdebate.meta.replied_choices import CHOICE, read_choices
from agentdebate.meta.replies import (
    COUNTS,
    READ,
    Account,
    Asked,
    Extraction,
    Extractor,
    How,
    Policy,
    ReadReplies,
    read_replies,
    texts_in,
)
from agentdebate.meta.run_rows import SCORES, RunRows, run_rows
from agentdebate.meta.scales import DeclaredScales
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import read_store
from agentdebate.tasks import Scale

Unreadable = Literal["left-out", "text", "lowest", "zero", "leave-out"]
"""What an unreadable sample is; "leave-out" is the earlier spelling of "left-out"."""

SHOWN = 200
"""Characters of a reply that an error shows."""


@dataclass(frozen=True)
class Judge:
    """A judge, and the rows that hold what it says."""

    name: str
    rows: Sequence[Row] = field(repr=False)
    run: RunRows | None = None
    replies: bool = False
    """Whether its rows hold replies that are still to be read."""
    accounts: tuple[Account, ...] = ()
    """What became of its replies, as far as they are about texts that remain."""
    extractions: tuple[Extraction, ...] = ()
    """What a model found in those that our reader refused."""
    unreadable: str = ""
    """What to say where not one reply about an aspect could be read: where the first is, and what it says."""

    def field(self, aspect: str) -> str:
        """The field of its rows for a score that the user calls so."""
        return f"{SCORES}.{aspect}" if self.run else f"{READ}.{aspect}" if self.replies else aspect


@dataclass(frozen=True)
class JudgeSources:
    """Where the judges' scores are, and how their replies are read."""

    scores: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    read: str | None = None
    read_calls: int = 100
    scale: tuple[str, ...] = ()
    unreadable: Unreadable = "left-out"
    store: str = USUAL_STORE

    def judges(self, runs: Sequence[str | RunRows], selection: Selection) -> tuple[Judge, ...]:
        """The judges that are named, replies not yet read; none where all stands in the data. Of files the selected fields are
        kept. Raises UserError.
        """
        found = [*self._of_runs(runs), *self._of_files(selection)]
        for number, judge in enumerate(found):
            if judge.name in [other.name for other in found[:number]]:
                raise UsageError(f"two judges are called {judge.name!r}: name one of them, NAME={judge.name}")
        return tuple(found)

    @property
    def reads(self) -> bool:
        """Whether replies that stand in the data are read."""
        return bool(self.reply) or self.read is not None

    @property
    def how(self) -> How:
        """How replies are read. Raises UsageError."""
        return How.parse(self.read or "auto")

    @property
    def reply_fields(self) -> Mapping[str, str]:
        """The fields of replies by aspect; under the empty name that of all other aspects."""
        named = [text for text in self.reply if "=" in text]
        plain = [text for text in self.reply if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"reply=... names several fields; say which aspect each is of: ASPECT={plain[1]}"
            )
        fields = free_pairs(named, "reply=...")
        return {**fields, "": plain[0]} if plain else fields

    @property
    def policy(self) -> Policy:
        """What an unreadable sample is."""
        return "leave-out" if self.unreadable == "left-out" else self.unreadable

    @property
    def scales(self) -> DeclaredScales:
        """The scales that are declared. Raises UsageError."""
        return DeclaredScales.parse(self.scale)

    def on_scales(self, judge: Judge, found: Iterable[Judgements]) -> Iterator[Judgements]:
        """The judgements with the scales of both sides, as they were declared or as a run has them, where they are known."""
        scales, own = self.scales, judge.run.scales if judge.run else {}
        for one in found:
            yield replace(
                one,
                scale=scales.of(judge.name, one.aspect, own.get(one.aspect)),
                people_scale=scales.of_people(one.aspect),
            )

    def with_scores(
        self,
        judge: Judge,
        aspects: Iterable[str],
        joined: Joined,
        grades: Mapping[str, float],
        extractor: Extractor | None = None,
    ) -> tuple[Judge, Joined]:
        """The judge with its replies about the texts that remain read, and these rows; `grades` are letters that replies may
        give, and the scale where none is given. Raises UserError.
        """
        letters = tuple(sorted(grades.items(), key=itemgetter(1)))
        span = letters[0][1] < letters[-1][1] if letters else False
        lettered = Scale(low=letters[0][1], high=letters[-1][1], step=None) if span else None
        fields, scales = self.reply_fields, self.scales
        asked = []
        for aspect in aspects:
            name = fields.get(aspect, fields.get(""))
            if name is None:
                raise UsageError(f"reply=...: which field holds the replies about {aspect!r}? {aspect}=FIELD")
            check_field(judge.rows, name, "reply=...")
            asked.append(Asked(aspect, name, scales.of(judge.name, aspect) or lettered, letters))
        read = read_replies(joined.scored, asked, self.how, self.policy, extractor)
        said = _unreadable(
            judge.name, joined.scored, {one.aspect: one.field for one in asked}, read.accounts, self.how
        )
        judge = replace(judge, accounts=read.accounts, extractions=(read.extraction,), unreadable=said)
        return judge, joined.with_scored(read.rows)

    def with_choices(
        self, judge: Judge, choosing: Choosing, joined: Joined, extractor: Extractor | None = None
    ) -> tuple[Judge, Choosing, Joined]:
        """The judge with the choices in its replies read, where they are then, and these rows. Raises UserError."""
        if self.how.by_reader:
            choosing = with_letters(joined, choosing)
        if choosing.terms:
            return self._with_terms(judge, choosing, joined, extractor)
        fields = summands(choosing.judge[0])
        if len(choosing.judge) > 1 or len(fields) > 2:  # noqa: PLR2004 - two texts have two orders
            raise UsageError(
                "choice='FIELD=FIELD' names the field of the reply, FIELD=FIELD+flip(FIELD) that of the other order as well, "
                "and FIELD=FIELD+FIELD both where they are scored"
            )
        read = self._choices_in(joined.scored, choosing, fields[0], (*fields, None)[1], extractor)
        there = replace(choosing, judge=(f"{READ}.{CHOICE}",))
        said = _unreadable(judge.name, joined.scored, {choosing.aspect: fields[0]}, read.accounts, self.how)
        judge = replace(judge, accounts=read.accounts, extractions=(read.extraction,), unreadable=said)
        return judge, there, joined.with_scored(read.rows)

    def _with_terms(
        self, judge: Judge, choosing: Choosing, joined: Joined, extractor: Extractor | None
    ) -> tuple[Judge, Choosing, Joined]:
        """The choices in the replies of each field by themselves, which vote then."""
        fields = tuple(dict.fromkeys(field for term in choosing.terms for field in term.fields))
        found = [self._choices_in(joined.scored, choosing, field, extractor=extractor) for field in fields]
        about = {field if len(fields) > 1 else choosing.aspect: field for field in fields}
        accounts = tuple(
            replace(account, aspect=aspect)
            for aspect, read in zip(about, found, strict=True)
            for account in read.accounts
        )
        where = {field: f"{READ}, {field}" for field in fields}
        rows = [
            replace(row, data={**row.data, **_choices_of(each, list(where.values()))})
            for row, *each in zip(joined.scored, *(read.rows for read in found), strict=True)
        ]
        terms = tuple(
            replace(term, fields=tuple(where[name] for name in term.fields)) for term in choosing.terms
        )
        there = replace(choosing, judge=(text_of(terms),), terms=terms)
        said = _unreadable(judge.name, joined.scored, about, accounts, self.how)
        extractions = tuple(read.extraction for read in found)
        judge = replace(judge, accounts=accounts, extractions=extractions, unreadable=said)
        return judge, there, joined.with_scored(rows)

    def _choices_in(
        self,
        rows: Sequence[Row],
        choosing: Choosing,
        field: str,
        turned: str | None = None,
        extractor: Extractor | None = None,
    ) -> ReadReplies:
        words = [word for theirs in choosing.labels.values() for word in words_of(theirs)]
        return read_choices(
            rows,
            choosing.aspect,
            field,
            self.how,
            self.policy,
            turned=turned,
            labels=words,
            extractor=extractor,
        )

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
        if self.read_calls < 1:
            raise UsageError(f"read_calls=... is at least 1, not {self.read_calls}")
        scale = self.scale and not scaled
        given = [
            name
            for name, value in (
                ("scale=...", scale),
                ("read=...", self.read is not None),
                ("read_calls=...", self.read_calls != JudgeSources.read_calls),
                ("unreadable=...", self.policy != "leave-out"),
            )
            if value
        ]
        if given and not (self.reply or choices):
            more = (
                "; of scores it is for missing='wrong', compare=..., calibration=..., errors and alpha"
                if scale
                else ""
            )
            raise UsageError(f"{given[0]} is for replies, and reply=... says which field holds them{more}")

    def _of_runs(self, runs: Sequence[str | RunRows]) -> Iterator[Judge]:
        _check_no_files(runs)
        named = [("", one) if isinstance(one, RunRows) else one.rpartition("=")[::2] for one in runs]
        found = self._read([run for _, run in named])
        strategies = [run.head.strategy for run in found]
        for (name, _), run in zip(named, found, strict=True):
            usual = run.head.strategy if strategies.count(run.head.strategy) == 1 else run.head.id
            yield Judge(name or usual, run.rows, run)

    def _read(self, runs: Sequence[str | RunRows]) -> list[RunRows]:
        """The runs, those that are named read from the store. Raises UsageError."""
        texts = [run for run in runs if isinstance(run, str)]
        if not texts:
            return [run for run in runs if isinstance(run, RunRows)]
        with read_store(self.store) as reader:
            return [run if isinstance(run, RunRows) else run_rows(reader, reader.run(run)) for run in runs]

    def _of_files(self, selection: Selection) -> Iterator[Judge]:
        for text in self.scores:
            name, path = named_path(text)
            yield Judge(name, read_frame(path, selection))
        for text in self.replies:
            name, path = named_path(text)
            yield Judge(name, read_frame(path, selection), replies=True)


def _check_no_files(runs: Iterable[str | RunRows]) -> None:
    """Raise UsageError for a file where a run is named."""
    for text in runs:
        if isinstance(text, str) and Path(named_path(text)[1]).is_file():
            raise UsageError(
                f"{text} is a file and no run: scores='{text}', the option again for each file (or replies=..., data=...)"
            )


def _choices_of(rows: Sequence[Row], names: Sequence[str]) -> dict[str, Any]:
    """What was read in each field of one row, by the name that it is to have, and of how many replies."""
    counts = {name: row.data[COUNTS][CHOICE] for row, name in zip(rows, names, strict=True)}
    return {COUNTS: counts, **{name: row.data[READ][CHOICE] for row, name in zip(rows, names, strict=True)}}


def readings_of(judge: Judge | None) -> Iterator[dict[str, Any]]:
    """What became of a judge's replies, as JSON: of each aspect how many there are, how many each rule read, and why not."""
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


def check_aspect(judge: Judge, aspect: str, option: str) -> None:
    """Raise UsageError where a judge has no score of that name."""
    if judge.run and aspect not in judge.run.aspects:
        raise UsageError(
            f"{option}: run {judge.run.head.id} has no aspect {aspect!r}. {nearest(aspect, judge.run.aspects)}"
        )
    if not judge.run and not judge.replies:
        check_field(judge.rows, aspect, option)


def _unreadable(
    judge: str, rows: Sequence[Row], fields: Mapping[str, str], accounts: Sequence[Account], how: How
) -> str:
    """What to say where not one reply about an aspect could be read: then it may be the way of reading that does not fit."""
    lost = [one for one in accounts if one.replies and one.unread == one.replies]
    if not lost:
        return ""
    name = fields[lost[0].aspect]
    row, text = next((row, text) for row in rows for text in texts_in(row, name))
    why = listed(list(dict.fromkeys(kind for one in lost for kind in one.unreadable)))
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    about = f" about {listed([one.aspect for one in lost])}" if len(lost) < len(accounts) else ""
    said = row.error(
        f"no reply of {judge}{about} could be read by read='{how}' ({why}); see to read=..., scale=... and aspects=.... "
        f"The first is {shown!r}",
        name,
    )
    return str(said)
