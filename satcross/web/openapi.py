"""OpenAPI 3.1 description of the API, generated from the types that validate requests."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec
from starlette.responses import Response

from satcross.support import __version__
from satcross.web.schema import Problem
from satcross.web.security import BYTES, JSON

_ERRORS = {
    400: "The request is not valid JSON, or does not match the schema.",
    403: "The request comes from a page of another site.",
    404: "The resource does not exist, or has been removed.",
    413: "The body is too large.",
    415: "The content type is neither JSON nor, for a file, bytes.",
    421: "The Host header does not name this server.",
    422: "The request has invalid values; the error says which.",
    503: "The server is busy; try again.",
}
_BODY_ERRORS = (400, 413, 415, 422)
"""Errors that every operation with a body can have."""
_ALWAYS = (403, 421)
"""Errors that every operation can have."""

_PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "id": ("The job's id.", {}),
    "name": ("The list's name.", {}),
    "word": ("The word, without blanks.", {"minLength": 1}),
    "title": ("The title of the list.", {"maxLength": 200}),
    "language": ("The code of the language of its words.", {"maxLength": 20}),
    "extension": (
        "The extension of the file name.",
        {"pattern": r"^\.[a-z0-9]{1,10}$", "default": ".txt"},
    ),
}
"""Parameters in paths and queries: what they are, and the schemas of their texts."""

Handler = Callable[..., Awaitable[Response]]
H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API, used both for routing and for the description.

    ``body`` is the type of a JSON body, or ``bytes``; ``answer`` is the type of the response, or a
    content type. ``errors`` are the possible error statuses besides the usual ones. ``query`` names
    the parameters in the query. The name and the summary are those of the handler.
    """

    method: str
    path: str
    body: Any = None
    answer: Any = None
    status: int = 200
    errors: tuple[int, ...] = ()
    query: tuple[str, ...] = ()
    handler: Handler = field(kw_only=True)

    @property
    def types(self) -> list[Any]:
        """The types that have a schema."""
        kinds = (self.body, self.answer)
        return [kind for kind in kinds if not (kind in (None, bytes) or isinstance(kind, str))]

    def described(self, schema_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """Return the OpenAPI object of the operation."""
        success: dict[str, Any] = {"description": "Success."}
        if isinstance(self.answer, str):
            success["content"] = {self.answer: {}}
        elif self.answer is not None:
            success["content"] = {JSON: {"schema": schema_of(self.answer)}}
        error = {JSON: {"schema": schema_of(Problem)}}
        usual = (*(_BODY_ERRORS if self.body else ()), *self.errors, *_ALWAYS)
        first, *words = self.handler.__name__.split("_")
        data: dict[str, Any] = {
            "operationId": first + "".join(map(str.capitalize, words)),
            "summary": (self.handler.__doc__ or "").partition("\n")[0].rstrip("."),
            "responses": {
                str(self.status): success,
                **{
                    str(status): {"description": _ERRORS[status], "content": error}
                    for status in sorted(usual)
                },
            },
        }
        places = dict.fromkeys(re.findall(r"{(\w+)}", self.path), "path")
        if found := {**places, **dict.fromkeys(self.query, "query")}:
            data["parameters"] = [_parameter(name, place) for name, place in found.items()]
        if self.body is not None:
            content: dict[str, Any] = {BYTES: {}}
            if self.body is not bytes:
                content = {JSON: {"schema": schema_of(self.body)}}
            data["requestBody"] = {"required": True, "content": content}
        return data


def operation(method: str, path: str, **more: Any) -> Callable[[H], H]:
    """Declare a handler; ``more`` are fields of ``Operation``."""

    def declare(handler: H) -> H:
        handler.operation = Operation(method, path, handler=handler, **more)  # type: ignore[attr-defined]
        return handler

    return declare


def operations_of(handlers: Any) -> list[Operation]:
    """Return the operations that the methods of an object declare, with these as handlers."""
    found = [name for name, method in vars(type(handlers)).items() if hasattr(method, "operation")]
    methods = [getattr(handlers, name) for name in found]
    return [replace(method.operation, handler=method) for method in methods]


def openapi_document(operations: Iterable[Operation]) -> dict[str, Any]:
    operations = list(operations)
    types = [Problem, *(kind for found in operations for kind in found.types)]
    ref = "#/components/schemas/{name}"
    schemas, components = msgspec.json.schema_components(types, ref_template=ref)
    by_type = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for found in operations:
        described = found.described(lambda kind: by_type[id(kind)])
        paths.setdefault(found.path, {})[found.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "satcross workbench",
            "version": __version__,
            "description": "The API behind the page of `satcross serve`: analysis of unfinished "
            "puzzles, and jobs that fill, explain and compare. Nothing is stored after the server "
            "ends.",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def _parameter(name: str, place: str) -> dict[str, Any]:
    description, schema = _PARAMETERS[name]
    about = {"name": name, "in": place, "required": place == "path", "description": description}
    return {**about, "schema": {"type": "string", **schema}}
