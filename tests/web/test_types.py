"""The types with which TypeScript checks the page's scripts (``.ci/check``)."""

from __future__ import annotations

from importlib.resources import files

from web.types.make import types_of_page


def test_the_page_has_types_and_every_script_is_checked() -> None:
    types = types_of_page().splitlines()
    assert {'  "fill": HTMLButtonElement;', '    "/api/jobs": JobState;'} <= {*types}
    for script in (files("satcross") / "web" / "static").iterdir():
        if script.name.endswith(".js"):
            assert script.read_text(encoding="utf-8").startswith("// @ts-check\n"), script.name
