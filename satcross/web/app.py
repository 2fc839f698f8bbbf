"""The web server: the files of the page, and the HTTP API."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from satcross.backends.registry import BACKENDS
from satcross.errors import InputError, InternalError
from satcross.formats.word_edits import Keyword, edit_word
from satcross.formats.words import normalise
from satcross.formats.writers import STYLES
from satcross.support.version import __version__
from satcross.web import schema
from satcross.web.files import export_formats, import_formats
from satcross.web.jobs import BusyError, Job, Jobs
from satcross.web.limits import MAX_FILLS, MAX_ROWS, Limits
from satcross.web.listening import is_loopback
from satcross.web.openapi import Operation, openapi_document, parameter
from satcross.web.puzzles import check
from satcross.web.schema import JobState
from satcross.web.security import BYTES, JSON, SecurityMiddleware, problem
from satcross.web.word_lists import UnknownListError, WordLists
from satcross.web.worker_pool import WorkerPool

PAGE = {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "letters.woff2": "font/woff2",
    "clues.woff2": "font/woff2",
}
"""Files that the server provides, with their content types, besides scripts (``.js``)."""

_SCRIPT = "text/javascript; charset=utf-8"
EVENTS = "text/event-stream"
LOST_HEADER = "x-satcross-lost"
"""Header of exported files: the parts of the crossword that the format can't store, in JSON."""
MAX_WORD_LENGTH = 100
"""Maximum number of letters of a word that is looked up."""
_HEARTBEAT_SECONDS = 15.0
"""Seconds between comments in an idle event stream, so that a broken connection is noticed."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str
    etag: str
    packed: bytes
    """The content gzipped; empty for fonts, which are compressed already."""


class Workbench:
    """The request handlers and their shared state, for the lifetime of the server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.files = _page_files()
        self._streams = 0

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="satcross-", ignore_cleanup_errors=True) as folder:
            self._worker_pool = WorkerPool(self.limits, Path(folder))
            self.jobs = Jobs(self.limits, Path(folder))
            self._lists = WordLists(self.limits, Path(folder), self._worker_pool)
            try:
                yield
            finally:
                await self.jobs.close()
                await self._worker_pool.close()

    async def page(self, request: Request) -> Response:
        file = self.files.get(request.path_params.get("file", "index.html"))
        if file is None:
            raise HTTPException(404)
        headers = {"etag": file.etag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        headers |= {"content-type": file.kind, "vary": "accept-encoding"}
        if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, headers={**headers, "content-encoding": "gzip"})
        return Response(file.content, headers=headers)

    async def about(self, request: Request) -> Response:
        return _json(
            schema.About(
                version=__version__,
                formats=export_formats(),
                imports=import_formats(),
                styles=list(STYLES),
                backends=list(BACKENDS),
                most_rows=MAX_ROWS,
                most_fills=MAX_FILLS,
                upload=self.limits.upload,
                seconds=self.limits.job_seconds,
            )
        )

    async def inspect(self, request: Request) -> Response:
        requested = await self._read(request, schema.Look)
        check(requested.question)
        data = msgspec.to_builtins(requested)
        paths = self._lists.paths(requested.question.lists)
        found = await self._worker_pool.ask({"kind": "look", **data, "paths": paths})
        return _json(found)

    async def add_list(self, request: Request) -> Response:
        title = request.query_params.get("title", "")
        if len(title) > 200:
            raise InputError("the title is longer than 200 characters", "shorten it")
        data = await _body(request, self.limits.upload)
        return _json(await self._lists.add(data, title), 201)

    async def get_list(self, request: Request) -> Response:
        return _json(self._lists.get(request.path_params["name"]))

    async def get_word(self, request: Request) -> Response:
        word = normalise(request.path_params["word"])
        if len(word) > MAX_WORD_LENGTH or not word.isprintable():
            raise InputError("this is not a word", f"give at most {MAX_WORD_LENGTH} letters")
        return _json(await self._worker_pool.ask({"kind": "facts", "word": word}))

    async def edit_word(self, request: Request) -> Response:
        """Keep an edit of a word in the user's file, if the request comes from this computer."""
        requested = await self._read(request, schema.WordEdit)
        if request.client is None or not is_loopback(request.client.host):
            raise HTTPException(403, "words are edited only on the computer of the server")
        named = {"never": Keyword.NEVER, "always": Keyword.ALWAYS, "forget": None}
        asked = requested.action
        action = asked if isinstance(asked, int) else named[asked]
        before = await asyncio.to_thread(edit_word, requested.word, action)
        told = None if before is None else str(before.action)
        return _json(schema.WordEditState(requested.word, told))

    async def add_job(self, request: Request) -> Response:
        kinds: Any = schema.JobRequest
        requested: schema.JobRequest = await self._read(request, kinds)
        if requested.seconds > self.limits.job_seconds:
            raise InputError(
                f"{requested.seconds:g} seconds exceed the server's time limit for a job",
                f"use at most {self.limits.job_seconds:g}",
            )
        data = msgspec.to_builtins(requested)
        if isinstance(requested, schema.Pattern | schema.Answer):
            data["paths"] = self._lists.paths(requested.lists)
        elif not isinstance(requested, schema.Layout):
            check(requested.question)
            data["paths"] = self._lists.paths(requested.question.lists)
        number_of_runs = len(requested.backends) if isinstance(requested, schema.Compare) else 1
        job = self.jobs.add(data["kind"], data, requested.seconds * number_of_runs)
        return _json(self.jobs.state(job), 202)

    async def get_job(self, request: Request) -> Response:
        return _json(self.jobs.state(self._job(request)))

    async def stop_job(self, request: Request) -> Response:
        job = self._job(request)
        await self.jobs.cancel(job)
        return _json(self.jobs.state(job))

    async def follow_job(self, request: Request) -> Response:
        job = self._job(request)
        if self._streams >= self.limits.listeners:
            raise BusyError(
                "busy: too many event streams are open; request the job's state instead"
            )
        return StreamingResponse(self._stream(job), media_type=EVENTS)

    async def read_file(self, request: Request) -> Response:
        extension = request.query_params.get("extension", ".txt").lower()
        data = await _body(request, self.limits.upload)
        found = await self._worker_pool.ask(
            {
                "kind": "import",
                "content": base64.b64encode(data).decode("ascii"),
                "extension": extension,
                "unpacked": self.limits.upload,
            }
        )
        return _json(found)

    async def write_file(self, request: Request) -> Response:
        requested = await self._read(request, schema.Export)
        if requested.format not in export_formats():
            raise InputError(
                f"satcross can't write {requested.format}", f"choose {', '.join(export_formats())}"
            )
        found = await self._worker_pool.ask(
            {"kind": "export", "export": msgspec.to_builtins(requested)}
        )
        return Response(
            base64.b64decode(found["content"]),
            media_type=BYTES,
            headers={
                "content-disposition": f'attachment; filename="crossword{requested.format}"',
                LOST_HEADER: json.dumps(found["lost"]),
            },
        )

    async def description(self, request: Request) -> Response:
        return _json(openapi_document(operations(self)))

    async def _read(self, request: Request, kind: type[T]) -> T:
        return msgspec.json.decode(await _body(request, self.limits.body), type=kind)

    def _job(self, request: Request) -> Job:
        job = self.jobs.get(request.path_params["id"])
        if job is None:
            raise HTTPException(404, "the job does not exist, or has been removed")
        return job

    async def _stream(self, job: Job) -> AsyncIterator[bytes]:
        self._streams += 1
        events = aiter(self.jobs.events(job))
        upcoming: asyncio.Task[Any] | None = None
        try:
            while True:
                upcoming = upcoming or asyncio.ensure_future(anext(events))
                done, _ = await asyncio.wait([upcoming], timeout=_HEARTBEAT_SECONDS)
                if not done:
                    yield b": heartbeat\n\n"
                    continue
                try:
                    name, data = upcoming.result()
                except StopAsyncIteration:
                    return
                upcoming = None
                yield b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))
        finally:
            self._streams -= 1
            if upcoming is not None:
                upcoming.cancel()


def operations(bench: Workbench) -> list[Operation]:
    """Return the operations of the API."""
    job = parameter("path", "id", "The job's id.", {"type": "string"})
    puzzle_errors = (400, 404, 413, 415, 422, 503)
    title = {"type": "string", "maxLength": 200}
    extension = {"type": "string", "pattern": r"^\.[a-z0-9]{1,10}$", "default": ".txt"}
    return [
        Operation(
            "GET",
            "/api/about",
            "about",
            "Get the capabilities and limits of the server",
            bench.about,
            response_type=schema.About,
        ),
        Operation(
            "POST",
            "/api/look",
            "look",
            "Get the candidates of a slot, heat, and slots that can't be filled",
            bench.inspect,
            request_type=schema.Look,
            response_type=schema.View,
            errors=puzzle_errors,
        ),
        Operation(
            "POST",
            "/api/lists",
            "addList",
            "Upload a word list, gzipped or not: one word, or word;score, per line",
            bench.add_list,
            request_type=bytes,
            response_type=schema.ListState,
            status=201,
            errors=(400, 413, 415, 422, 503),
            parameters=(parameter("query", "title", "The title of the list.", title, False),),
        ),
        Operation(
            "GET",
            "/api/lists/{name}",
            "getList",
            "Describe an uploaded word list",
            bench.get_list,
            response_type=schema.ListState,
            errors=(404,),
            parameters=(parameter("path", "name", "The list's name.", {"type": "string"}),),
        ),
        Operation(
            "GET",
            "/api/words/{word}",
            "getWord",
            "Look a word up in the server's clue database and dictionaries",
            bench.get_word,
            response_type=schema.WordFacts,
            errors=(422, 503),
            parameters=(
                parameter(
                    "path", "word", "The word, without blanks.", {"type": "string", "minLength": 1}
                ),
            ),
        ),
        Operation(
            "POST",
            "/api/edits",
            "editWord",
            "Never or always use a word, or give it another score, in all crosswords",
            bench.edit_word,
            request_type=schema.WordEdit,
            response_type=schema.WordEditState,
            errors=(400, 413, 415, 422),
        ),
        Operation(
            "POST",
            "/api/jobs",
            "addJob",
            "Start a job",
            bench.add_job,
            request_type=schema.JobRequest,
            response_type=JobState,
            status=202,
            errors=puzzle_errors,
        ),
        Operation(
            "GET",
            "/api/jobs/{id}",
            "getJob",
            "Get the state of a job",
            bench.get_job,
            response_type=JobState,
            errors=(404,),
            parameters=(job,),
        ),
        Operation(
            "DELETE",
            "/api/jobs/{id}",
            "stopJob",
            "Stop a job; the answer has the results so far",
            bench.stop_job,
            response_type=JobState,
            errors=(404,),
            parameters=(job,),
        ),
        Operation(
            "GET",
            "/api/jobs/{id}/events",
            "followJob",
            "Get the progress of a job as server-sent events: state, progress, partial, part, end",
            bench.follow_job,
            response_type=EVENTS,
            errors=(404, 503),
            parameters=(job,),
        ),
        Operation(
            "POST",
            "/api/import",
            "importFile",
            "Read a crossword or a structure from a file",
            bench.read_file,
            request_type=bytes,
            response_type=schema.Imported,
            errors=(400, 413, 415, 422, 503),
            parameters=(
                parameter(
                    "query", "extension", "The extension of the file name.", extension, False
                ),
            ),
        ),
        Operation(
            "POST",
            "/api/export",
            "exportFile",
            "Write a crossword in one of the formats",
            bench.write_file,
            request_type=schema.Export,
            response_type=BYTES,
            errors=(400, 413, 415, 422, 503),
        ),
        Operation(
            "GET",
            "/api/openapi.json",
            "description",
            "Get this OpenAPI description",
            bench.description,
            response_type=JSON,
        ),
    ]


def make_app(limits: Limits | None = None, names: Iterable[str] = ()) -> ASGIApp:
    """Return the ASGI application; ``names`` are accepted host names besides localhost."""
    bench = Workbench(limits or Limits())
    routes = [
        Route(one.path, _with_problem_responses(one.handler), methods=[one.method])
        for one in operations(bench)
    ]
    routes += [
        Route("/", bench.page, methods=["GET"]),
        Route("/{file}", bench.page, methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {HTTPException: _http_error, Exception: _internal_error}
    app = Starlette(routes=routes, lifespan=bench.lifespan, exception_handlers=handlers)
    return SecurityMiddleware(app, names)


def _page_files() -> dict[str, _File]:
    """Return the files of the page, by name."""
    found = {}
    for file in (files("satcross") / "web" / "static").iterdir():
        kind = _SCRIPT if file.name.endswith(".js") else PAGE.get(file.name)
        if kind is not None:
            content = file.read_bytes()
            etag = f'W/"{hashlib.blake2b(content, digest_size=8).hexdigest()}"'
            packed = b"" if kind.startswith("font/") else gzip.compress(content, mtime=0)
            found[file.name] = _File(content, kind, etag, packed)
    return found


async def _body(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request. Raises HTTPException once it exceeds ``max_bytes``."""
    declared = request.headers.get("content-length", "0")
    size = int(declared) if declared.isdecimal() else 0
    chunks = []
    if size <= max_bytes:
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > max_bytes:
                break
            chunks.append(chunk)
    if size > max_bytes:
        raise HTTPException(413, f"the body is larger than {max_bytes / (1 << 20):g} MiB")
    return b"".join(chunks)


def _with_problem_responses(
    handler: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that turns errors into problem responses."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except BusyError as error:
            return problem(503, str(error), "busy", **{"retry-after": "2"})
        except UnknownListError as error:
            return problem(404, str(error), "unknown-list")
        except InputError as error:
            return problem(422, str(error), "wrong-input")
        except msgspec.ValidationError as error:
            return problem(400, f"the request is invalid: {error}", "wrong-shape")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return problem(400, f"the request is not valid JSON: {error}", "no-json")
        except InternalError as error:
            return problem(500, str(error), "our-fault")
        except ClientDisconnect:
            return Response(status_code=400)

    return handle


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and error.detail == "Not Found":
        return problem(404, "the page does not exist", "not-found")
    if error.status_code == 405:
        error_text = f"the method {request.method[:20]} is not allowed here"
        return problem(405, error_text, "wrong-method", **(error.headers or {}))
    codes = {404: "not-found", 413: "too-large"}
    code = codes.get(error.status_code, "refused")
    return problem(error.status_code, error.detail, code, **(error.headers or {}))


async def _internal_error(request: Request, error: Exception) -> Response:
    text = "INTERNAL ERROR, please report it; the terminal has the details"
    return problem(500, text, "our-fault")


def _json(data: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, media_type=JSON)
