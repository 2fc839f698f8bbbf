"""The types with which TypeScript checks the page's scripts (``.ci/check``)."""

from __future__ import annotations

from importlib.resources import files

from web.types.make import TARGET, types_of_page


def test_the_types_are_those_of_the_api_and_the_page() -> None:
    made = "python tests/web/types/make.py makes it anew"
    assert TARGET.read_text(encoding="utf-8") == types_of_page(), made


def test_every_script_is_checked() -> None:
    scripts = [
        one for one in (files("satcross") / "web" / "static").iterdir() if one.name.endswith(".js")
    ]
    assert scripts
    for script in scripts:
        assert script.read_text(encoding="utf-8").startswith("// @ts-check\n"), script.name
