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

_REFUSALS = {
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


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API, used both for routing and for the description.

    ``takes`` is the type of a JSON body, or ``bytes``; ``gives`` the type of the answer, or a
    content type. ``parameters`` are of the path and the query, as OpenAPI writes them.
    """

    method: str
    path: str
    name: str
    summary: str
    answer: Callable[[Request], Awaitable[Response]]
    takes: Any = None
    gives: Any = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    parameters: tuple[dict[str, Any], ...] = ()


def parameter(
    place: str, name: str, about: str, schema: dict[str, Any], required: bool = True
) -> dict[str, Any]:
    """Return the OpenAPI object of a parameter; ``place`` is "path" or "query"."""
    return {
        "name": name,
        "in": place,
        "required": required,
        "description": about,
        "schema": schema,
    }


def describe(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the OpenAPI document."""
    listed = list(operations)
    types = [Problem]
    for one in listed:
        types += [kind for kind in (one.takes, one.gives) if not _is_plain(kind)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    schema_of = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for one in listed:
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


def _is_plain(kind: Any) -> bool:
    return kind is None or kind is bytes or isinstance(kind, str)


def _operation(one: Operation, schema_of: dict[int, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "The answer."}
    if isinstance(one.gives, str):
        good["content"] = {one.gives: {}}
    elif one.gives is not None:
        good["content"] = {JSON: {"schema": schema_of[id(one.gives)]}}
    refusal = {JSON: {"schema": schema_of[id(Problem)]}}
    data: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "responses": {
            str(one.status): good,
            **{
                str(status): {"description": _REFUSALS[status], "content": refusal}
                for status in (*one.refusals, *_ALWAYS)
            },
        },
    }
    if one.parameters:
        data["parameters"] = list(one.parameters)
    if one.takes is bytes:
        data["requestBody"] = {"required": True, "content": {BYTES: {}}}
    elif one.takes is not None:
        data["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema_of[id(one.takes)]}},
        }
    return data
