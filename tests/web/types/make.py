"""Make ``page.d.ts``: types of the API, from its OpenAPI description, and of the page's elements.

Usage: python tests/web/types/make.py

TypeScript then checks the scripts of the page (``.ci/check``), which say ``// @ts-check``: a field
that the server does not have and an id that no element has are errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

from satcross.web.app import Workbench
from satcross.web.limits import Limits
from satcross.web.openapi import openapi_document, operations_of
from satcross.web.security import JSON

TARGET = Path(__file__).with_name("page.d.ts")
_HEADING = "// Made by make.py from the OpenAPI description and index.html; do not edit.\n"
_SIMPLE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_ELEMENTS = {
    "a": "HTMLAnchorElement",
    "button": "HTMLButtonElement",
    "details": "HTMLDetailsElement",
    "dialog": "HTMLDialogElement",
    "form": "HTMLFormElement",
    "input": "HTMLInputElement",
    "select": "HTMLSelectElement",
    "textarea": "HTMLTextAreaElement",
}


def types_of_page() -> str:
    """Return the text of ``page.d.ts``."""
    description = openapi_document(operations_of(Workbench(Limits())))
    schemas = description["components"]["schemas"]
    lines = [_HEADING, "declare namespace Api {"]
    lines += [f"  type {name} = {_type(schema)};" for name, schema in sorted(schemas.items())]
    for name, found in (
        ("Requests", dict(_bodies(description, "requestBody"))),
        ("Responses", dict(_bodies(description, "responses"))),
    ):
        lines += [f"  /** The JSON by path. */\n  interface {name} {{"]
        lines += [f"    {json.dumps(path)}: {kind};" for path, kind in sorted(found.items())]
        lines += ["  }"]
    lines += ["}", "", "interface PageElements {"]
    page = (files("satcross") / "web" / "static" / "index.html").read_text(encoding="utf-8")
    lines += [f"  {json.dumps(name)}: {kind};" for name, kind in sorted(_elements(page))]
    return "\n".join([*lines, "}", ""])


def _type(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(map(_type, schema[key]))
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    match schema.get("type"):
        case "array":
            return f"Array<{_type(schema.get('items') or {})}>"
        case "object" if "properties" in schema:
            required = schema.get("required", ())
            fields = (
                f"{name}{'' if name in required else '?'}: {_type(one)}"
                for name, one in schema["properties"].items()
            )
            return f"{{ {'; '.join(fields)} }}"
        case "object":
            return f"Record<string, {_type(schema.get('additionalProperties') or {})}>"
        case simple:
            return _SIMPLE.get(str(simple), "any")


def _bodies(description: dict[str, Any], part: str) -> Iterator[tuple[str, str]]:
    """Yield (path, type) of the JSON that operations take, or return when they succeed."""
    for path, methods in description["paths"].items():
        for operation in methods.values():
            body = operation.get(part, {})
            if part == "responses":
                body = next(one for status, one in body.items() if status.startswith("2"))
            schema = body.get("content", {}).get(JSON, {}).get("schema")
            if schema:
                yield path, _type(schema)


def _elements(page: str) -> Iterator[tuple[str, str]]:
    """Yield (id, type) of the elements of a page that have an id."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            name = dict(attributes).get("id")
            if name:
                found.append((name, _ELEMENTS.get(tag, "HTMLElement")))

    Reader().feed(page)
    yield from found


if __name__ == "__main__":
    TARGET.write_text(types_of_page(), encoding="utf-8")
