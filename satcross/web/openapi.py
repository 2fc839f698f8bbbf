"""OpenAPI 3.1 description of the API, generated from the types that validate requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from satcross.support.version import __version__
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
_ALWAYS = (403, 421)
"""Errors that every operation can have."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API, used both for routing and for the description.

    ``request_type`` is the type of a JSON body, or ``bytes``; ``response_type`` is the type of the
    response, or a content type. ``errors`` are the possible error statuses. ``parameters`` has the
    OpenAPI objects of the parameters in the path and the query.
    """

    method: str
    path: str
    name: str
    summary: str
    handler: Callable[[Request], Awaitable[Response]]
    request_type: Any = None
    response_type: Any = None
    status: int = 200
    errors: tuple[int, ...] = ()
    parameters: tuple[dict[str, Any], ...] = ()


def parameter(
    location: str, name: str, description: str, schema: dict[str, Any], required: bool = True
) -> dict[str, Any]:
    """Return the OpenAPI object of a parameter; ``location`` is "path" or "query"."""
    return {
        "name": name,
        "in": location,
        "required": required,
        "description": description,
        "schema": schema,
    }


def openapi_document(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the OpenAPI document."""
    operations = list(operations)
    types = [Problem]
    for one in operations:
        types += [
            kind for kind in (one.request_type, one.response_type) if not _has_no_schema(kind)
        ]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    schema_of = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schema_of)
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


def _has_no_schema(kind: Any) -> bool:
    return kind is None or kind is bytes or isinstance(kind, str)


def _operation(one: Operation, schema_of: dict[int, Any]) -> dict[str, Any]:
    success: dict[str, Any] = {"description": "Success."}
    if isinstance(one.response_type, str):
        success["content"] = {one.response_type: {}}
    elif one.response_type is not None:
        success["content"] = {JSON: {"schema": schema_of[id(one.response_type)]}}
    error = {JSON: {"schema": schema_of[id(Problem)]}}
    data: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "responses": {
            str(one.status): success,
            **{
                str(status): {"description": _ERRORS[status], "content": error}
                for status in (*one.errors, *_ALWAYS)
            },
        },
    }
    if one.parameters:
        data["parameters"] = list(one.parameters)
    if one.request_type is bytes:
        data["requestBody"] = {"required": True, "content": {BYTES: {}}}
    elif one.request_type is not None:
        data["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema_of[id(one.request_type)]}},
        }
    return data
