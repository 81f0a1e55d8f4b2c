"""agentdebate resume: go on with a run that was stopped."""

from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from pydantic import ValidationError

from agentdebate.cli.console.command_lines import go_on
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.options.common import (
    STORE,
    AllowCode,
    Allowed,
    Json,
    ProjectPath,
    StorePath,
    project_at,
)
from agentdebate.cli.options.endpoint import SaidAgain
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.spending import SpendingOptions
from agentdebate.cli.run import judge
from agentdebate.errors import UsageError
from agentdebate.models.registry import model_name
from agentdebate.project.model_spec import bare_name, has_place
from agentdebate.project.trust import Trust
from agentdebate.runs.stored_items import ITEMS
from agentdebate.store.reader import LAST, RunHead, read_store
from agentdebate.strategies.said_options import FILES


async def resume(
    run: str = LAST,
    /,
    *,
    retry_failed: Annotated[
        bool, Parameter(help="Hold the debates that failed once more.", negative="", show_default=False)
    ] = False,
    anyway: Annotated[
        bool,
        Parameter(
            help="Go on although strategy, task, prompts, model or data were changed. What still fits is not paid for again.",
            negative="",
            show_default=False,
        ),
    ] = False,
    concurrency: Annotated[
        int | None, Parameter(name=["--concurrency", "-c"], help="Debates held at once [as before].")
    ] = None,
    data: Annotated[
        str | None,
        Parameter(
            help="The file with the items of a run that was begun in Python with a stream of them.",
            show_default=False,
        ),
    ] = None,
    project: ProjectPath = None,
    allow_endpoint: Allowed = (),
    allow_code: AllowCode = False,
    said: SaidAgain = SaidAgain(),
    store: StorePath = STORE,
    as_json: Json = False,
    spending: SpendingOptions = SpendingOptions(),
    logs: LogOptions = LogOptions(),
) -> int:
    """Go on with a run that was stopped, or killed: what was paid for is not paid for again.

    A run that was begun in Python goes on where its strategy is found by its name, in the folder that --project names. Its items are
    in the store; those that it read as a stream are in the file that --data names.

    Where requests and keys go is never taken from the store alone: --allow-endpoint allows what it says, or --base-url and
    --api-key-env say it again.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    where = absolute(store)
    trust = Trust.allowing(allow_endpoint, code=allow_code)
    with read_store(where) as reader:
        head = reader.run(run)
        if reader.crew(head.id) is not None:
            command = go_on(head.id, store, queued=True)
            raise UsageError(f"run {head.id} is one of a queue: go on with {command}")
    told = told_by(head, data, project)
    folder, told = _placed(head, told)
    if project is not None:
        trust = replace(trust, code=True)  # the user has named it
    order = said.over(order_of(head, told, trust), head.id)
    order = replace(
        order,
        project=order.project if project is None else project.absolute(),
        concurrency=order.concurrency if concurrency is None else concurrency,
        spending=_from_here(spending).over(order.spending),
    )
    if spending.cache_file == SpendingOptions.cache_file and order.spending.cache != "off":
        order.trust.path(str(order.spending.cache_file), folder, "--cache-file")
        _check_at_home(head, folder, where, "a cache", "; or name the file: --cache-file FILE")
    if (
        order.casting.plan
        or order.casting.steps
        or any(text.partition("=")[0].strip() in FILES for text in order.casting.option)
    ):
        _check_at_home(head, folder, where, "a file of its strategy")
    if allow_code and project is None:
        check_code_at_home(head, folder.joinpath(order.project or ""), where)
    with logs.opened(), chdir(folder):
        return await judge(
            order,
            where,
            as_json=as_json,
            resume=head.id,
            retry_failed=retry_failed,
            anyway=anyway,
        )


def absolute(store: str) -> str:
    """The store, wherever the run's folder is."""
    return store if "://" in store else str(Path(store).resolve())


def _from_here(spending: SpendingOptions) -> SpendingOptions:
    """The options with the cache's file where the user is, and not where the run was begun."""
    if spending.cache_file == SpendingOptions.cache_file:
        return spending
    return replace(spending, cache_file=spending.cache_file.absolute())


def _check_at_home(head: RunHead, folder: Path, store: str, what: str, otherwise: str = "") -> None:
    """Raise UsageError for a file in a folder that only the store names: not the current one, and not its own."""
    if not _is_at_home(folder, store):
        raise UsageError(
            f"run {head.id} would write {what} in {folder}, and a store does not say where files are written: go to that "
            f"folder first, and then agentdebate resume{otherwise}"
        )


def check_code_at_home(head: RunHead, folder: Path, store: str) -> None:
    """Raise UsageError for code in a folder that only the store names."""
    if not _is_at_home(folder, store):
        raise UsageError(
            f"run {head.id} would import code of {folder}, and a store does not say whose code is run: go to that folder first, "
            "look at the code, and then agentdebate resume --allow-code; or name the folder with --project"
        )


def _is_at_home(folder: Path, store: str) -> bool:
    """Whether a folder is the current one, or the store's own."""
    known = {Path.cwd().resolve(), *({Path(store).resolve().parent} if "://" not in store else ())}
    return folder.resolve() in known


def told_by(head: RunHead, data: str | None = None, project: Path | None = None) -> dict[str, Any]:
    """What the run was told, as the store has it. Raises UsageError."""
    told = head.configuration.get("command")
    if not told:
        return _told_in_python(head, data, project)
    if data is not None:
        raise UsageError(f"--data is for runs that were begun in Python; run {head.id} has its own")
    if not isinstance(told, dict):
        raise _damaged(head, "its command")
    if project is not None:
        _check_project(head, told, project)
    return told


def _check_project(head: RunHead, told: dict[str, Any], named: Path) -> None:
    """Raise UsageError where the project that the user names is not the run's."""
    own = Path(str(told.get("folder")), str(told.get("project") or ""))
    if named.resolve() != own.resolve():
        raise UsageError(
            f"--project: the project of run {head.id} is in {own}, not in {named}; leave it out, or begin a new run"
        )


def _told_in_python(head: RunHead, data: str | None, project: Path | None) -> dict[str, Any]:
    """What a run that was begun in Python would have been told here; what cannot be told so differs, and is refused then.

    Raises UsageError.
    """
    how = head.configuration
    strategy, aspects = how.get("strategy"), how.get("aspects")
    name = strategy.get("name") if isinstance(strategy, dict) else None
    tasks = [one for one in head.task.split(", ") if one]
    again = f"in Python: evaluate(..., resume={head.id!r})"
    if not name or name not in project_at(project).names("strategies") or len(tasks) != 1:
        what = (
            "tasks that have no file"
            if len(tasks) != 1
            else f"the strategy {head.strategy!r}, which has no file"
        )
        raise UsageError(
            f"run {head.id} was begun in Python, with {what}; go on with it {again}, with the {head.strategy}(...) and "
            "the tasks that it was begun with"
        )
    if data is None and ITEMS not in how:
        raise UsageError(
            f"run {head.id} was begun in Python, and the store does not have its items; go on with it {again}; or here with the "
            "file of its items: --data FILE"
        )
    return {
        "folder": str(Path.cwd()),
        "strategy": name,
        "data": data or "",
        "task": tasks[0],
        "aspects": ",".join(map(str, aspects)) if isinstance(aspects, list) else aspects,
        "concurrency": how.get("concurrency"),
        "project": project,
        "source": {},
        "models": {"model": bare_name(head.model), "base_url": _address(head)},
        "casting": {},
        "debates": {name: how.get(name) for name in ("form", "patience", "deadline", "together")},
    }


def _address(head: RunHead) -> str | None:
    """The address of the run's model, where it has one that is not the usual one of here."""
    models = head.configuration.get("models")
    listed = [one for one in models if isinstance(one, dict)] if isinstance(models, list) else []
    own = [one for one in listed if one.get("name") == head.model]
    elsewhere = own and has_place(head.model) and model_name(bare_name(head.model)) != head.model
    return own[0].get("base_url") if elsewhere else None


def _placed(head: RunHead, told: dict[str, Any]) -> tuple[Path, dict[str, Any]]:
    """The folder in which the run goes on, and what it was told. Where its own is gone it goes on here, over the items of the store.

    Raises UsageError.
    """
    if ITEMS in head.configuration and not Path(str(told.get("folder"))).is_dir():
        return Path.cwd(), {**told, "data": ""}
    return _folder(head, told), told


def _folder(head: RunHead, told: dict[str, Any]) -> Path:
    """The folder in which the run was begun. Raises UsageError."""
    named = told.get("folder")
    if not isinstance(named, str) or "\0" in named:
        raise _damaged(head, "its folder")
    if not Path(named).is_dir():
        raise UsageError(f"run {head.id} was begun in {named}, which is not there any more")
    return Path(named)


def order_of(head: RunHead, told: dict[str, Any], trust: Trust) -> Order:
    """The order of the run, which the store says and not the user. Raises UsageError."""
    if not told.get("strategy"):
        raise _damaged(head, "strategy")
    try:
        return Order.read(told, trust.of(f"run {head.id} in the store"))
    except ValidationError as error:
        raise _damaged(head, ".".join(map(str, error.errors()[0]["loc"]))) from error


def _damaged(head: RunHead, what: str) -> UsageError:
    return UsageError(f"run {head.id}: the store does not say how it was held ({what}); begin a new run")
