"""The REST API: upload, configure, run, poll, download, delete."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from shoal.engine.table_page import MOST, RowOrder
from shoal.web.downloads import DOWNLOADS, download
from shoal.web.findings import answer
from shoal.web.job_words import words_schema
from shoal.web.receiving import open_example, receive, receive_file, receive_other, say
from shoal.web.run import Run
from shoal.web.run_process import ROWS
from shoal.web.session import Session
from shoal.web.sessions import Sessions

_SORRY: dict[int | str, dict[str, Any]] = {
    400: {"description": "the request is not well-formed, or not for this host"},
    401: {"description": "no token"},
    403: {"description": "another site's page, or another session's cookie"},
    404: {"description": "there is no such session, run or file"},
    408: {"description": "the request ended before it was complete"},
    413: {"description": "larger than the upload limit"},
    422: {"description": "it cannot be used as it is; the detail is a sentence"},
}

_FILTERS: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])

router = APIRouter(prefix="/api", responses=_SORRY)

From = Annotated[int, Query(ge=0, le=1 << 40)]
FileName = Annotated[str, Query(description="The name of the file, such as people.csv; never a path.")]


class State(BaseModel):
    """A session: its table, the settings of its job, its runs."""

    session: str
    table: str | None = None
    n_rows: int | None = None
    columns: list[str] = []
    notes: list[str] = []
    files: list[str] = []
    job: dict[str, Any] = {}
    runs: list[dict[str, Any]] = []


class TableShown(BaseModel):
    """The first rows, a description of the columns and a suggested role for each."""

    rows: list[list[str]]
    inspection: dict[str, Any]


class Page(BaseModel):
    """Some rows of a long table, and the total number of rows."""

    rows: list[Any]
    n: int


class Acceptance(BaseModel):
    """An accepted finding, and the reason."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(max_length=2000)
    reason: str = Field(max_length=2000)


class Start(BaseModel):
    """The name of a new run."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="", max_length=80)


def _sessions(request: Request) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def _session(session: str, request: Request) -> Session:
    """The session in the path; a browser may only access its own."""
    own: Session | None = request.scope.get("shoal.session")
    found = _sessions(request).of_id(session)
    if found is None or (own is not None and own is not found):
        raise HTTPException(404, "There is no such session.")
    found.touch()
    return found


Asked = Annotated[Session, Depends(_session)]


def _run(run: str, session: Asked) -> Run:
    try:
        return session.runs[run]
    except KeyError:
        raise HTTPException(404, "There is no such run.") from None


AskedRun = Annotated[Run, Depends(_run)]


@router.post("/sessions", status_code=201)
def new_session(request: Request) -> State:
    """Create a session; its id is a secret."""
    return _state(_sessions(request).new())


@router.get("/sessions/{session}")
def get_session(session: Asked) -> State:
    """Show the table, the settings and the runs of the session."""
    return _state(session)


@router.delete("/sessions/{session}", status_code=204, response_class=Response)
def end_session(session: Asked, request: Request) -> None:
    """Delete the session with its table, its runs and all other data."""
    _sessions(request).end(session)


_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}}


@router.put("/sessions/{session}/table", openapi_extra=_BODY)
async def put_table(session: Asked, request: Request, name: FileName) -> State:
    """Upload a table: the body is the file, CSV, TSV, Parquet, Arrow or Excel according to its extension."""
    await receive(session, name, request.stream())
    session.changed()
    return _state(session)


@router.post("/sessions/{session}/example")
async def take_example(session: Asked) -> State:
    """Use the built-in example instead of a table."""
    await open_example(session)
    session.changed()
    return _state(session)


@router.get("/sessions/{session}/table")
async def get_table(session: Asked, start: From = 0, n: Annotated[int, Query(ge=1, le=200)] = 20) -> TableShown:
    """Some rows, a description of the columns, and a suggested role for each."""
    rows = await session.desk.ask("rows", start=start, n=n)
    return TableShown(rows=rows, inspection=await session.inspect())


def _order(
    sort: Annotated[str | None, Query(max_length=1000)] = None,
    descending: bool = False,
    filters: Annotated[str | None, Query(max_length=10_000)] = None,
) -> RowOrder:
    """The sorting and filters of a grid; filters are a JSON object of texts by column."""
    try:
        return RowOrder(sort, descending, _FILTERS.validate_json(filters or "{}"))
    except ValidationError:
        raise HTTPException(400, "The filters must be a JSON object of texts by column.") from None


AskedOrder = Annotated[RowOrder, Depends(_order)]
Piece = Annotated[int, Query(ge=1, le=MOST)]


@router.get("/sessions/{session}/rows")
async def get_rows(session: Asked, order: AskedOrder, start: From = 0, n: Piece = 100) -> Page:
    """Some rows of the table, sorted and filtered."""
    return Page(**await session.desk.ask("page", start=start, n=n, order=order))


@router.put("/sessions/{session}/files", openapi_extra=_BODY)
async def put_file(session: Asked, request: Request, name: FileName) -> State:
    """Upload a file that the job refers to: a hierarchy in ARX's format, or a population."""
    await receive_file(session, name, request.stream())
    return _state(session)


@router.put("/sessions/{session}/others", openapi_extra=_BODY)
async def put_other(session: Asked, request: Request, name: FileName) -> State:
    """Upload a file other than the table: one to check or attack, or later rows."""
    await receive_other(session, name, request.stream())
    return _state(session)


_WORDS = {"requestBody": {"required": True, "content": {"application/json": {"schema": words_schema()}}}}


@router.put("/sessions/{session}/job", openapi_extra=_WORDS)
async def put_job(session: Asked, words: dict[str, Any]) -> State:
    """Set the job, with the settings of a job file; input and outputs are managed by the workbench."""
    await say(session, words)
    session.changed()
    return _state(session)


@router.get("/sessions/{session}/job/check")
async def check_job(session: Asked) -> dict[str, Any]:
    """Which algorithm the job would run, and why; 422 if the goal is impossible on this table."""
    answer: dict[str, Any] = await session.desk.ask("try_out", job=session.table.job())
    return answer


@router.post("/sessions/{session}/runs", status_code=202)
async def start_run(session: Asked, start: Start | None = None) -> dict[str, Any]:
    """Run the job in another process."""
    run = await session.start(start.name if start else "")
    session.changed()
    return run.as_data()


@router.get("/sessions/{session}/runs/{run}")
def get_run(run: AskedRun) -> dict[str, Any]:
    """The progress of a run, and its results once it is done."""
    return run.as_data()


@router.post("/sessions/{session}/runs/{run}/cancel")
def cancel_run(run: AskedRun, session: Asked) -> dict[str, Any]:
    """Cancel a run; it stays in the history."""
    run.cancel()
    session.changed()
    return run.as_data()


@router.delete("/sessions/{session}/runs/{run}", status_code=204, response_class=Response)
def delete_run(run: AskedRun, session: Asked) -> None:
    """Remove a run and all its files."""
    session.runs.forget(run.id)
    session.changed()


@router.get("/sessions/{session}/runs/{run}/rows")
async def get_compared(
    session: Asked,
    run: AskedRun,
    side: Literal["before", "after"],
    order: AskedOrder,
    start: From = 0,
    n: Piece = 100,
) -> Page:
    """One side of the rows of the original next to their published records. For the data owner only."""
    if "rows" not in run.pieces:
        raise HTTPException(404, "There are no rows to compare yet.")
    path = str(run.folder.shown / ROWS)
    found = await session.desk.ask("compared", path=path, which=f"{side}:", start=start, n=n, order=order)
    return Page(**found)


@router.put("/sessions/{session}/runs/{run}/findings")
def accept_finding(run: AskedRun, session: Asked, accepted: Acceptance) -> dict[str, Any]:
    """Accept a finding about the release with a reason, which is recorded; an empty reason withdraws it."""
    answer(session, run, accepted.key, accepted.reason)
    return run.as_data()


@router.get("/sessions/{session}/runs/{run}/files/{name}", response_class=FileResponse)
async def get_file(run: AskedRun, name: str) -> FileResponse:
    """Download the release (csv, parquet, xlsx), a report, the job file, the script, or a bundle of these.

    The release and its public report are locked (422) until every finding is accepted with a reason.
    """
    try:
        path = await download(run, name)
    except KeyError:
        raise HTTPException(404, f"There is no such file; known are {', '.join(DOWNLOADS)}.") from None
    return FileResponse(path, filename=name, media_type="application/octet-stream")


@router.get("/sessions/{session}/hierarchies", response_class=Response)
async def get_hierarchy(session: Asked, column: Annotated[str, Query(max_length=1000)]) -> Response:
    """The hierarchy of a column in ARX's format."""
    spec = session.table.hierarchy(column)
    if spec is None:
        raise HTTPException(404, "This column has no hierarchy.")
    text = await session.desk.ask("export", column=column, spec=spec, kind=session.table.kind(column))
    said = {"content-disposition": 'attachment; filename="hierarchy.csv"'}
    return Response(text, media_type="text/csv", headers=said)


def _state(session: Session) -> State:
    return State(
        session=session.id,
        table=session.table.name,
        n_rows=session.table.size.get("n_rows"),
        columns=session.table.size.get("columns", []),
        notes=session.table.size.get("notes", []),
        files=sorted(session.table.files),
        job=session.words,
        runs=[run.as_data() for run in session.runs.values()],
    )
