"""Record expected.json again: what satcross does in the cases of cases.toml.

    python tests/golden/make.py          (half a minute)
    python tests/golden/make.py words    (only the command lines that contain a text, and new ones)

Read the difference before you commit it: users' scripts may rely on anything that it changes. It
should come from new cases, or be mentioned in CHANGELOG.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when this is run as a script

from commands import start_server
from golden.contract import COMMANDS, EXPECTED, observe, options_of, read_cases


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(part: str = "") -> None:
    cases, files = read_cases()
    start_server()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        known = json.loads(EXPECTED.read_text("utf-8"))["cases"]
        seen = {}
        for number, case in enumerate(cases):
            if part not in case.line and case.line in known:
                seen[case.line] = known[case.line]
                continue
            (folder / str(number)).mkdir()
            seen[case.line] = observe(case, folder / str(number), files)
        options = {command: options_of(command, folder) for command in COMMANDS}
    # One line per command line, so that a difference shows where it belongs.
    parts = [
        f"{json.dumps(line)}: [\n " + ",\n ".join(map(dump, commands)) + "\n]"
        for line, commands in seen.items()
    ]
    EXPECTED.write_text(
        f'{{"options": {dump(options)},\n"cases": {{\n' + ",\n".join(parts) + "\n}}\n",
        encoding="utf-8",
    )
    print(f"{EXPECTED.name}: {len(cases)} cases")


if __name__ == "__main__":
    main(*sys.argv[1:])
