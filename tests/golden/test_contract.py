"""What users' scripts rely on: ``cases.toml``, compared with the recorded ``expected.json``.

After an intended change, ``python tests/golden/make.py`` records it again.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden.contract import COMMANDS, EXPECTED, Case, observe, options_of, read_cases

CASES, FILES = read_cases()
RECORDED = json.loads(EXPECTED.read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.line)
def test_does_what_it_did(case: Case, tmp_path: Path) -> None:
    assert observe(case, tmp_path.resolve(), FILES) == RECORDED["cases"][case.line]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_has_gone(command: str, tmp_path: Path) -> None:
    assert set(RECORDED["options"][command]) <= set(options_of(command, tmp_path))


def test_nothing_is_recorded_that_is_not_run() -> None:
    assert list(RECORDED["cases"]) == [case.line for case in CASES]


def test_mistakes_are_one_line() -> None:
    for line, commands in RECORDED["cases"].items():
        for seen in commands:
            if seen["exit"] == 2:
                assert seen["stderr lines"] == 1, line
                assert not seen.get("stdout"), line
