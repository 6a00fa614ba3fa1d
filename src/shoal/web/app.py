"""The application: API and pages behind the gate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.types import ASGIApp

from shoal import __version__
from shoal.errors import ShoalError
from shoal.web.access import Access
from shoal.web.api import router
from shoal.web.asset_files import asset
from shoal.web.folders import PrivateFolder
from shoal.web.gate import Gate, RequestTooLarge, TooSlow
from shoal.web.sessions import Sessions
from shoal.web.settings import Settings


def create_app(settings: Settings, folder: PrivateFolder | None = None) -> ASGIApp:
    """Create the application with a private folder, which is wiped when it ends."""
    sessions = Sessions(settings, folder or PrivateFolder())
    app = FastAPI(
        title="shoal",
        version=__version__,
        description="Publish tables so that every record hides among at least k others.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
    )
    app.state.sessions = sessions
    app.include_router(router)
    app.add_api_route("/assets/{name}", _asset, include_in_schema=False)
    for problem, status in {ShoalError: 422, RequestTooLarge: 413, TooSlow: 408}.items():
        app.add_exception_handler(problem, partial(_sorry, status))
    from shoal.web.pages import mount  # slow to import

    mount(app)
    return Gate(app, Access(settings), sessions)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Clean up while it runs, and wipe everything at the end."""
    tidying = asyncio.create_task(app.state.sessions.keep_tidy())
    try:
        yield
    finally:
        tidying.cancel()
        with suppress(asyncio.CancelledError):
            await tidying
        app.state.sessions.close()


def _asset(name: str, v: str = "") -> Response:
    content = asset(name)
    if content is None:
        return JSONResponse({"detail": "There is no such file."}, 404)
    kept = {"cache-control": "private, max-age=31536000, immutable"} if v else {}
    return Response(content, media_type="text/css" if name.endswith(".css") else "text/javascript", headers=kept)


async def _sorry(status: int, request: Request, problem: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(problem)}, status)
