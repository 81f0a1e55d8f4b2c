"""Each distinct text once, as pieces that rows list; numbers for runs and debates; columns for what people sort by."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import sqlalchemy as sa
from alembic import op

from agentdebate.store.pieces import Cutter, PieceList, digest, is_plain, take_out

revision = "3"
down_revision = "2"

OLD = ("runs", "items", "debates", "messages", "calls", "found")
AT_ONCE = 500

Row = Mapping[str, Any]
Entries = list[tuple[str, dict[str, Any]]]
"""Rows that are to be entered, each with its table."""

UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)


def upgrade() -> None:
    """Set the old tables aside, make the new ones, take over every row, and drop the old ones."""
    for table in OLD:
        op.rename_table(table, f"old_{table}")
    _create_tables()
    connection = op.get_bind()
    for number, run in _runs(connection):
        _Run(connection, number, run).take_over()
    for table in OLD:
        op.drop_table(f"old_{table}")


def _create_tables() -> None:
    whole, text = sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Text()
    real = sa.Double[float]()

    def column(
        name: str, type_: Any, *, key: bool = False, empty: bool = False, **more: Any
    ) -> "sa.Column[Any]":
        return sa.Column(name, type_, primary_key=key, nullable=empty, **more)

    def number(name: str = "number", *, own: bool = True) -> "sa.Column[Any]":
        return column(name, whole, key=True, autoincrement="auto" if own else False)

    op.create_table(
        "runs", number(), column("id", text, unique=True), column("created", real), column("ended", real, empty=True),
        column("strategy", text), column("task", text), column("model", text), column("configuration", text),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_table(
        "items", number("run", own=False), column("id", text, key=True), column("number", sa.Integer()),
        column("data", text), column("texts", text, empty=True),
    )  # fmt: skip
    op.create_table(
        "talks", number(), column("run", whole), column("debate", text), sa.UniqueConstraint("run", "debate"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_table(
        "debates", number("run", own=False), column("id", text, key=True), column("talk", whole), column("item", text),
        column("item_group", text, empty=True), column("system", text, empty=True), column("outcome", text),
        column("ended", text, empty=True), column("settled", sa.Boolean(), empty=True),
        column("rounds", sa.Integer(), empty=True), column("calls", sa.Integer(), empty=True),
        column("tokens", sa.BigInteger(), empty=True), column("money", real, empty=True),
        column("seconds", real, empty=True), column("row", text),
    )  # fmt: skip
    op.create_table(
        "scores", number("talk", own=False), column("name", text, key=True), column("run", whole),
        column("score", real, empty=True), column("human", real, empty=True),
    )  # fmt: skip
    op.create_table(
        "messages", number("talk", own=False), column("seq", sa.Integer(), key=True, autoincrement=False),
        column("kind", text), column("sender", text, empty=True), column("round", sa.Integer(), empty=True),
        column("time", real, empty=True), column("data", text), column("texts", text, empty=True),
    )  # fmt: skip
    op.create_table(
        "calls", number("talk", own=False), column("number", sa.Integer(), key=True, autoincrement=False),
        column("agent", text), column("round", sa.Integer()), column("ask", sa.Integer()), column("attempt", sa.Integer()),
        column("shown", text), column("key", text), column("sampling", text), column("schema", sa.Boolean()),
        column("sample", sa.Integer()), column("roles", text), column("prompt", text), column("completion", text),
        column("texts", text, empty=True),
    )  # fmt: skip
    op.create_table(
        "found",
        number("run", own=False),
        column("name", text, key=True),
        column("debate", text),
        column("data", text),
    )
    op.create_table("pieces", number(), column("digest", sa.LargeBinary(), unique=True), column("text", text))
    op.create_table(
        "run_pieces", number("piece", own=False), number("run", own=False), sqlite_with_rowid=False
    )
    _create_indexes()


def _create_indexes() -> None:
    for name in (
        "outcome", "item_group", "system", "ended", "settled", "rounds", "calls", "tokens", "money", "seconds",
    ):  # fmt: skip
        op.create_index(f"debates_{name}", "debates", ["run", name])
    for name in ("score", "human"):
        op.create_index(f"scores_{name}", "scores", ["run", "name", name])
    op.create_index("run_pieces_run", "run_pieces", ["run"])


def _runs(connection: sa.Connection) -> Iterator[tuple[int, str]]:
    """The runs and their new numbers. What belongs to none of them is kept under numbers below 0, which no run gets."""
    columns = "id, created, ended, strategy, task, model, configuration"
    connection.exec_driver_sql(
        f"INSERT INTO runs ({columns}) SELECT {columns} FROM old_runs ORDER BY created, id"  # noqa: S608 - names of ours
    )
    yield from [(number, run) for number, run in connection.exec_driver_sql("SELECT number, id FROM runs")]
    parts = (f"SELECT run FROM old_{table}" for table in ("items", "debates", "messages", "calls", "found"))  # noqa: S608
    strays = connection.exec_driver_sql(
        f"SELECT run FROM ({' UNION '.join(parts)}) AS named WHERE run NOT IN (SELECT id FROM runs)"  # noqa: S608
    )
    yield from [(-number, run) for number, (run,) in enumerate(strays.all(), 1)]


@dataclass(frozen=True)
class _Run:
    """A run that is taken over."""

    connection: sa.Connection
    number: int
    run: str

    def take_over(self) -> None:
        """Everything of it, debate by debate."""
        found = self._rows("SELECT name, debate, data FROM old_found WHERE run = :run")
        self._enter([("found", {"run": self.number, **row}) for row in found])
        fields: dict[str, list[str]] = {}
        items = self._rows("SELECT id, number, data FROM old_items WHERE run = :run")
        while some := list(islice(items, AT_ONCE)):
            self._enter([("items", _item(self.number, row, fields)) for row in some])
        for debate in self.connection.execute(_DEBATES, {"run": self.run}).scalars().all():
            known = fields.get(str(debate).rpartition("/")[0], [])
            self._enter(self._of_debate(debate, known))

    def _of_debate(self, debate: str, fields: Iterable[str]) -> Entries:
        talk = self.connection.execute(_TALK, {"run": self.number, "debate": debate}).scalar_one()
        cutter = Cutter()
        for field in fields:
            cutter.learn(field)
        said: dict[Any, str] = {}
        where = "WHERE run = :run AND debate = :debate ORDER BY"
        messages = self._rows(f"SELECT * FROM old_messages {where} seq", debate=debate)  # noqa: S608 - words of ours
        entries = [("messages", {"talk": talk, **_message(row, cutter, said)}) for row in messages]
        calls = self._rows(f"SELECT * FROM old_calls {where} number", debate=debate)  # noqa: S608
        entries += [("calls", {"talk": talk, **_call(row, cutter, said)}) for row in calls]
        ended = "SELECT id, item, state, row FROM old_debates WHERE run = :run AND id = :debate"
        for row in self._rows(ended, debate=debate):
            data = _read(row["row"])
            entries.append(("debates", {"run": self.number, "talk": talk, **_debate(row, data)}))
            entries += [("scores", {"run": self.number, "talk": talk, **score}) for score in _scores(data)]
        return entries

    def _rows(self, query: str, **values: Any) -> Iterator[Row]:
        for row in self.connection.execute(sa.text(query), {"run": self.run, **values}).mappings():
            yield {str(name): value for name, value in row.items()}

    def _enter(self, entries: Entries) -> None:
        lists = [value for _, row in entries for value in row.values() if isinstance(value, PieceList)]
        numbers = self._pieces({part for one in lists for part in one if is_plain(part)})
        tables: dict[str, list[dict[str, Any]]] = {}
        for table, row in entries:
            bound = {
                name: value.encoded(numbers) if isinstance(value, PieceList) else value
                for name, value in row.items()
            }
            tables.setdefault(table, []).append(bound)
        for table, rows in tables.items():
            columns = ", ".join(f'"{name}"' for name in rows[0])
            places = ", ".join(f":{name}" for name in rows[0])
            self.connection.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), rows)  # noqa: S608

    def _pieces(self, texts: Iterable[str]) -> dict[str, int]:
        digests = {digest(text): text for text in texts}
        if not digests:
            return {}
        self.connection.execute(_ENTER, [{"digest": value, "text": text} for value, text in digests.items()])
        numbers: dict[str, int] = {}
        left = iter(digests)
        while some := list(islice(left, AT_ONCE)):
            found = self.connection.execute(_FIND, {"some": some})
            numbers.update((digests[bytes(value)], number) for value, number in found)
        self.connection.execute(
            _LIST, [{"piece": number, "run": self.number} for number in sorted(numbers.values())]
        )
        return numbers


_DEBATES = sa.text(
    "SELECT debate FROM old_messages WHERE run = :run UNION SELECT debate FROM old_calls WHERE run = :run "
    "UNION SELECT id FROM old_debates WHERE run = :run"
)
_TALK = sa.text("INSERT INTO talks (run, debate) VALUES (:run, :debate) RETURNING number")
_ENTER = sa.text("INSERT INTO pieces (digest, text) VALUES (:digest, :text) ON CONFLICT DO NOTHING")
_LIST = sa.text("INSERT INTO run_pieces (piece, run) VALUES (:piece, :run) ON CONFLICT DO NOTHING")
_FIND = sa.text("SELECT digest, number FROM pieces WHERE digest IN :some").bindparams(
    sa.bindparam("some", expanding=True)
)


def _item(number: int, row: Row, fields: dict[str, list[str]]) -> dict[str, Any]:
    """An item. Its texts are noted, since they stand in the briefs of its debates."""
    data = _read(row["data"])
    known = data.get("fields") if data else None
    if isinstance(known, dict):
        fields[str(row["id"])] = [text.strip("\n") for text in known.values() if isinstance(text, str)]
    return {
        "run": number,
        "id": row["id"],
        "number": row["number"],
        **_bare(row["data"], "data", data, Cutter()),
    }


def _message(row: Row, cutter: Cutter, said: dict[Any, str]) -> dict[str, Any]:
    """A message: its head goes into columns as far as it is what it should be, and stays in the data otherwise."""
    data = _read(row["data"])
    head: dict[str, Any] = {"kind": row["kind"], "sender": None, "round": None, "time": None}
    if data is not None:
        said[row["seq"]] = data["text"] if isinstance(data.get("text"), str) else ""
        for name, fits in _HEAD.items():
            if name in data and fits(data[name]):
                head[name] = data.pop(name)
        data.pop("seq", None)
    return {"seq": row["seq"], **head, **_bare(row["data"], "data", data, cutter)}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and is_plain(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31


def _is_real(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_HEAD: Mapping[str, Callable[[object], bool]] = {
    "kind": _is_text,
    "sender": _is_text,
    "round": _is_whole,
    "time": _is_real,
}


def _call(row: Row, cutter: Cutter, said: Mapping[Any, str]) -> dict[str, Any]:
    plain = ("number", "agent", "round", "ask", "attempt", "shown", "key", "schema", "sample")
    sampling = row["sampling"]
    completion = _read(row["completion"])
    return {
        **{name: row[name] for name in plain},
        "sampling": PieceList([(sampling,)]) if isinstance(sampling, str) else sampling,
        **_prompt(row, cutter, said),
        **_bare(row["completion"], "completion", completion, cutter),
    }


def _prompt(row: Row, cutter: Cutter, said: Mapping[Any, str]) -> dict[str, Any]:
    """The roles and the pieces of a prompt; one that cannot be read is kept as it is."""
    try:
        parts = json.loads(row["prompt"])
        along = [said[seq] for seq in json.loads(row["shown"]) if seq in said]
        texts = [cutter.cut(_checked(part["content"]), along) for part in parts]
        roles = ",".join(_checked(part["role"]) for part in parts)
    except UNREADABLE:
        return {"roles": "", "prompt": row["prompt"]}
    return {"roles": roles, "prompt": PieceList(texts)}


def _checked(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _debate(row: Row, data: dict[str, Any] | None) -> dict[str, Any]:
    told = data or {}

    def one(name: str, fits: Callable[[object], bool]) -> Any:
        return told[name] if name in told and fits(told[name]) else None

    tokens = [one(name, _is_whole) for name in ("prompt_tokens", "completion_tokens")]
    return {
        **{name: row[name] for name in ("id", "item", "row")},
        "item_group": _short(one("group", _is_text)),
        "system": _short(one("system", _is_text)),
        "outcome": row["state"],
        "ended": _short(one("ended", _is_text)),
        "settled": one("settled", lambda value: isinstance(value, bool)),
        "rounds": one("rounds", _is_whole),
        "calls": one("calls", _is_whole),
        "tokens": None if None in tokens else sum(tokens),
        "money": None,
        "seconds": one("seconds", _is_real),
    }


def _short(text: str | None) -> str | None:
    return None if text is None else text[:200]


def _scores(data: dict[str, Any] | None) -> list[dict[str, Any]]:
    told = data or {}
    scores, people = (told[name] if isinstance(told.get(name), dict) else {} for name in ("scores", "human"))
    names = {name[:200]: name for name in (*people, *scores) if is_plain(name)}
    return [
        {
            "name": short,
            **{
                column: values[name] if _is_real(values.get(name)) else None
                for column, values in (("score", scores), ("human", people))
            },
        }
        for short, name in names.items()
    ]


def _bare(raw: Any, column: str, data: dict[str, Any] | None, cutter: Cutter) -> dict[str, Any]:
    """A column of JSON with its texts taken out; what cannot be read is kept as it is, and is damaged as before."""
    if data is None:
        return {column: raw, "texts": None}
    texts = take_out(data, cutter)
    return {
        column: json.dumps(data, separators=(",", ":"), ensure_ascii=not _is_unicode(data)),
        "texts": PieceList(texts) if texts else None,
    }


def _is_unicode(data: Any) -> bool:
    """Whether the JSON can stand in UTF-8 as it is."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _read(raw: Any) -> dict[str, Any] | None:
    try:
        data = json.loads(raw)
    except UNREADABLE:
        return None
    return data if isinstance(data, dict) else None
