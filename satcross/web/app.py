"""The web server: the files of the page, and the HTTP API."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from satcross.answer.dictionaries.prepare import DICTIONARIES
from satcross.answer.dictionaries.store import is_prepared
from satcross.backends.registry import BACKENDS
from satcross.errors import InputError, SatcrossError
from satcross.formats.entries import normalise
from satcross.formats.languages import language_code, writing_directions
from satcross.formats.registry import FORMATS, STYLES
from satcross.formats.word_edits import Keyword, edit_word
from satcross.make.pattern.library import standard_fills, standard_grid
from satcross.support import __version__
from satcross.web import protocol, schema
from satcross.web.files import IMPORTS
from satcross.web.jobs import Job, Jobs
from satcross.web.limits import MAX_FILLS, MAX_ROWS, BusyError, Limits
from satcross.web.openapi import openapi_document, operation, operations_of
from satcross.web.puzzles import check
from satcross.web.security import BYTES, JSON, SecurityMiddleware, is_loopback, problem
from satcross.web.worker_pool import WorkerPool

EVENTS = "text/event-stream"
LOST_HEADER = "x-satcross-lost"
"""Header of exported files: the parts of the crossword that the format can't store, in JSON."""
MAX_WORD_LENGTH = 100
"""Maximum number of letters of a word that is looked up."""
_FILES = {".html": "text/html", ".pdf": "application/pdf"}

T = TypeVar("T")


class UnknownListError(InputError):
    """The server has no list of this name, or has removed it."""


class WordLists:
    """Uploaded lists, named by a hash of their content, so that only uploaders know the names."""

    def __init__(self, limits: Limits, folder: Path, worker_pool: WorkerPool) -> None:
        self._limits = limits
        self._folder = folder
        self._worker_pool = worker_pool
        self._stored: OrderedDict[str, tuple[schema.ListState, int]] = OrderedDict()

    def paths(self, names: tuple[str, ...]) -> protocol.Paths:
        """Return the paths of lists, None for the default list. Raises UnknownListError."""
        for name in names:
            if name != schema.DEFAULT_LIST:
                self.get(name)
        unique = dict.fromkeys(names)
        return tuple(
            None if name == schema.DEFAULT_LIST else str(self._path(name)) for name in unique
        )

    def get(self, name: str) -> schema.ListState:
        if name not in self._stored:
            raise UnknownListError("the server does not have this word list", "upload it again")
        self._stored.move_to_end(name)
        return self._stored[name][0]

    async def add(self, data: bytes, title: str, language: str = "") -> schema.ListState:
        """Read and store a list. Raises InputError for a list without words."""
        name = hashlib.blake2b(data, digest_size=12).hexdigest()
        if name in self._stored:
            return self.get(name)
        path = self._folder / f"{name}-{os.urandom(4).hex()}"
        path.write_bytes(data)
        try:
            order = protocol.AddList(
                str(path), str(self._path(name)), self._limits.unpacked, language
            )
            read = await self._worker_pool.ask_for(schema.ListState, order)
            size = path.stat().st_size
            path.replace(self._path(name))
        finally:
            path.unlink(missing_ok=True)
        state = replace(read, name=name, title=title)
        self._stored[name] = (state, size)
        self._remove_excess()
        return state

    def _remove_excess(self) -> None:
        total = sum(size for _, size in self._stored.values())
        while len(self._stored) > 1 and (
            len(self._stored) > self._limits.lists or total > self._limits.lists_size
        ):
            name, (_, size) = self._stored.popitem(last=False)
            total -= size
            with suppress(OSError):
                self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.txt"


class Workbench:
    """The request handlers and their shared state, for the lifetime of the server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.streams = 0

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

    @operation("GET", "/api/about", answer=schema.About)
    async def about(self, request: Request) -> Response:
        """Get the capabilities and limits of the server."""
        return _json(
            schema.About(
                version=__version__,
                formats=list(FORMATS),
                imports=list(IMPORTS),
                styles=list(STYLES),
                backends=list(BACKENDS),
                languages=writing_directions(),
                max_rows=MAX_ROWS,
                max_fills=MAX_FILLS,
                upload=self.limits.upload,
                seconds=self.limits.job_seconds,
            )
        )

    @operation("GET", "/api/grids", answer=dict[str, tuple[str, ...]])
    async def grids(self, request: Request) -> Response:
        """Get the standard grids by name: kind, size, number of words."""
        return _json({name: standard_grid(name) for name in standard_fills()})

    @operation("POST", "/api/look", body=schema.Look, answer=schema.View, errors=(404, 503))
    async def look(self, request: Request) -> Response:
        """Get the candidates of a slot, heat, and slots that can't be filled."""
        look = await self._read(request, schema.Look)
        check(look.question)
        order = protocol.Look(look, self._lists.paths(look.question.lists))
        return _json(await self._worker_pool.ask(order))

    @operation(
        *("POST", "/api/lists"),
        body=bytes,
        answer=schema.ListState,
        status=201,
        errors=(503,),
        query=("title", "language"),
    )
    async def add_list(self, request: Request) -> Response:
        """Upload a word list, gzipped or not: one word, or word;score, per line."""
        title = request.query_params.get("title", "")
        if len(title) > 200:
            raise InputError("the title is longer than 200 characters", "shorten it")
        data = await _body(request, self.limits.upload)
        language = language_code(request.query_params.get("language", ""))
        return _json(await self._lists.add(data, title, language), 201)

    @operation("GET", "/api/lists/{name}", answer=schema.ListState, errors=(404,))
    async def get_list(self, request: Request) -> Response:
        """Describe an uploaded word list."""
        return _json(self._lists.get(request.path_params["name"]))

    @operation("GET", "/api/words/{word}", answer=schema.WordFacts, errors=(422, 503))
    async def get_word(self, request: Request) -> Response:
        """Look a word up in the server's clue database and dictionaries."""
        word = normalise(request.path_params["word"])
        if len(word) > MAX_WORD_LENGTH or not word.isprintable():
            raise InputError("this is not a word", f"give at most {MAX_WORD_LENGTH} letters")
        return _json(await self._worker_pool.ask(protocol.LookUp(word)))

    @operation("GET", "/api/sources", answer=list[schema.SourceState])
    async def sources(self, request: Request) -> Response:
        """List the dictionaries that answering clues can use."""
        state, known = schema.SourceState, DICTIONARIES.items()
        return _json([state(name, d.title, d.licence, is_prepared(name)) for name, d in known])

    @operation("POST", "/api/edits", body=schema.WordEdit, answer=schema.WordEditState)
    async def edit_word(self, request: Request) -> Response:
        """Never or always use a word, or give it another score, in all crosswords.

        Only requests from this computer may do so.
        """
        edit = await self._read(request, schema.WordEdit)
        _check_is_here(request, "words are edited")
        named = {"never": Keyword.NEVER, "always": Keyword.ALWAYS, "forget": None}
        action = edit.action if isinstance(edit.action, int) else named[edit.action]
        before = await asyncio.to_thread(edit_word, edit.word, action)
        replaced = None if before is None else str(before.action)
        return _json(schema.WordEditState(edit.word, replaced))

    @operation(
        *("POST", "/api/jobs"),
        body=schema.JobRequest,
        answer=schema.JobState,
        status=202,
        errors=(404, 503),
    )
    async def add_job(self, request: Request) -> Response:
        """Start a job."""
        kinds: Any = schema.JobRequest
        work: schema.JobRequest = await self._read(request, kinds)
        if work.seconds > self.limits.job_seconds:
            raise InputError(
                f"{work.seconds:g} seconds exceed the server's time limit for a job",
                f"use at most {self.limits.job_seconds:g}",
            )
        paths: protocol.Paths = ()
        if isinstance(work, schema.SetUp):
            _check_is_here(request, "dictionaries are set up")
        if isinstance(work, schema.PrintedJob | schema.Pattern | schema.Answer):
            paths = self._lists.paths(work.lists)
        elif isinstance(work, schema.PuzzleJob):
            check(work.question)
            paths = self._lists.paths(work.question.lists)
        number_of_runs = len(work.backends or BACKENDS) if isinstance(work, schema.Compare) else 1
        job = self.jobs.add(protocol.Work(work, paths), work.seconds * number_of_runs)
        return _json(self.jobs.state(job), 202)

    @operation("GET", "/api/jobs/{id}", answer=schema.JobState, errors=(404,))
    async def get_job(self, request: Request) -> Response:
        """Get the state of a job."""
        return _json(self.jobs.state(self._job(request)))

    @operation("DELETE", "/api/jobs/{id}", answer=schema.JobState, errors=(404,))
    async def stop_job(self, request: Request) -> Response:
        """Stop a job; the answer has the results so far."""
        job = self._job(request)
        await self.jobs.cancel(job)
        return _json(self.jobs.state(job))

    @operation("GET", "/api/jobs/{id}/puzzle{extension}", answer=BYTES, errors=(404,))
    async def get_puzzle(self, request: Request) -> Response:
        """Get a file that a job of the kind "puzzle" has written: .html or .pdf."""
        job, extension = self._job(request), request.path_params["extension"]
        made = job.shown.result if job.shown.kind == "puzzle" else None
        files = msgspec.json.decode(made, type=dict[str, bytes]) if made else {}
        if extension not in files:
            raise HTTPException(404, f"the job has no file {extension}")
        # The page to solve has a policy of its own; that of this site would forbid its script.
        headers = {"content-security-policy": "frame-ancestors 'none'"}
        return Response(files[extension], media_type=_FILES[extension], headers=headers)

    @operation("GET", "/api/jobs/{id}/events", answer=EVENTS, errors=(404, 503))
    async def follow_job(self, request: Request) -> Response:
        """Get the progress of a job as server-sent events: state, progress, partial, part, end."""
        job = self._job(request)
        if self.streams >= self.limits.listeners:
            raise BusyError(
                "busy: too many event streams are open; request the job's state instead"
            )
        # Counted before anything else can happen, so that simultaneous requests keep the limit.
        self.streams += 1
        return _Stream(self, job)

    @operation(
        *("POST", "/api/import"),
        body=bytes,
        answer=schema.Imported,
        errors=(503,),
        query=("extension",),
    )
    async def import_file(self, request: Request) -> Response:
        """Read a crossword or a structure from a file."""
        extension = request.query_params.get("extension", ".txt").lower()
        data = await _body(request, self.limits.upload)
        order = protocol.ReadFile(data, extension, self.limits.upload)
        return _json(await self._worker_pool.ask(order))

    @operation("POST", "/api/export", body=schema.Export, answer=BYTES, errors=(503,))
    async def export_file(self, request: Request) -> Response:
        """Write a crossword in one of the formats."""
        export = await self._read(request, schema.Export)
        if export.format not in FORMATS:
            known = ", ".join(FORMATS)
            raise InputError(f"satcross can't write {export.format}", f"choose {known}")
        order = protocol.WriteFile(export)
        written = await self._worker_pool.ask_for(protocol.Written, order)
        attached = f'attachment; filename="crossword{export.format}"'
        headers = {"content-disposition": attached, LOST_HEADER: json.dumps(written.lost)}
        return Response(written.content, media_type=BYTES, headers=headers)

    @operation("POST", "/api/print", body=schema.Sheet, answer=BYTES, errors=(503,))
    async def print_sheet(self, request: Request) -> Response:
        """Print a crossword as PDF: the puzzle, its solution, or a submission form."""
        order = protocol.Print(await self._read(request, schema.Sheet))
        written = await self._worker_pool.ask_for(protocol.Written, order)
        return Response(written.content, media_type=BYTES)

    @operation("GET", "/api/openapi.json", answer=JSON)
    async def description(self, request: Request) -> Response:
        """Get this OpenAPI description."""
        return _json(openapi_document(operations_of(self)))

    async def _read(self, request: Request, kind: type[T]) -> T:
        return msgspec.json.decode(await _body(request, self.limits.body), type=kind)

    def _job(self, request: Request) -> Job:
        job = self.jobs.get(request.path_params["id"])
        if job is None:
            raise HTTPException(404, "the job does not exist, or has been removed")
        return job

    async def events(self, job: Job) -> AsyncIterator[bytes]:
        async for event in self.jobs.events(job):
            if event is None:
                yield b": heartbeat\n\n"
            else:
                name, data = event
                yield b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


class _Stream(StreamingResponse):
    """The events of a job; no longer counted as a stream when it ends, even if it never begins."""

    def __init__(self, bench: Workbench, job: Job) -> None:
        super().__init__(bench.events(job), media_type=EVENTS)
        self._bench = bench

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._bench.streams -= 1


def make_app(limits: Limits | None = None, names: Iterable[str] = ()) -> ASGIApp:
    """Return the ASGI application; ``names`` are accepted host names besides localhost."""
    bench = Workbench(limits or Limits())
    declared = [(o.path.removeprefix("/api"), o.handler, o.method) for o in operations_of(bench)]
    routes = [Route(path, handler, methods=[method]) for path, handler, method in declared]
    page = StaticFiles(packages=[("satcross.web", "static")], html=True)
    expected = (HTTPException, ClientDisconnect, SatcrossError, msgspec.DecodeError)
    kinds: tuple[Any, ...] = (*expected, UnicodeDecodeError, Exception)
    app = Starlette(
        routes=[Mount("/api", routes=routes), Mount("/", page)],
        middleware=[Middleware(GZipMiddleware)],
        lifespan=bench.lifespan,
        exception_handlers=dict.fromkeys(kinds, _error_response),
    )
    return SecurityMiddleware(app, names)


async def _body(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request. Raises HTTPException once it exceeds ``max_bytes``."""
    chunks, size = [], 0
    async for chunk in request.stream():
        chunks.append(chunk)
        size += len(chunk)
        if size > max_bytes:
            raise HTTPException(413, f"the body is larger than {max_bytes / (1 << 20):g} MiB")
    return b"".join(chunks)


def _check_is_here(request: Request, what: str) -> None:
    """Raise HTTPException for a request from another computer."""
    if request.client is None or not is_loopback(request.client.host):
        raise HTTPException(403, f"{what} only on the computer of the server")


def _error_response(request: Request, error: Exception) -> Response:
    match error:
        case HTTPException(status_code=405):
            text = f"the method {request.method[:20]} is not allowed here"
            return problem(405, text, "wrong-method", **(error.headers or {}))
        case HTTPException(status_code=status, detail=detail):
            text = "the page does not exist" if detail == "Not Found" else detail
            code = {404: "not-found", 413: "too-large"}.get(status, "refused")
            return problem(status, text, code, **(error.headers or {}))
        case BusyError():
            return problem(503, str(error), "busy", **{"retry-after": "2"})
        case UnknownListError():
            return problem(404, str(error), "unknown-list")
        case InputError():
            return problem(422, str(error), "wrong-input")
        case msgspec.ValidationError():
            return problem(400, f"the request is invalid: {error}", "wrong-shape")
        case msgspec.DecodeError() | UnicodeDecodeError():
            return problem(400, f"the request is not valid JSON: {error}", "no-json")
        case SatcrossError():
            return problem(500, str(error), "our-fault")
        case ClientDisconnect():
            return Response(status_code=400)
        case _:
            text = "INTERNAL ERROR, please report it; the terminal has the details"
            return problem(500, text, "our-fault")


def _json(data: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, media_type=JSON)
