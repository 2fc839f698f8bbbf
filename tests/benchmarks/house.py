"""Count the house: lines of code by package, of tests and docs, and what filling a grid loads.

    python tests/benchmarks/house.py [REVISION]

Lines are those of ``wc -l`` of the files that git tracks; words those of ``wc -w``, without the lab
notebook. Loading is measured on the checkout as it is: the modules of ours that are imported when a
grid is filled with three backends and drawn as a PNG, and by ``satcross --help``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILL = "solve grid.txt words.txt fill.png --backend sat,cpsat,backtrack --quiet"
LOADED = """
import sys
from pathlib import Path
from satcross.cli import cli
try:
    cli.main(sys.argv[1:], standalone_mode=False)
except SystemExit:
    pass
for name, module in sorted(sys.modules.items()):
    if name.partition(".")[0] in ("satcross", "encoders") and getattr(module, "__file__", None):
        print(module.__file__, file=sys.stderr)
"""


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def contents(revision: str | None, *patterns: str) -> dict[str, str]:
    """Return the tracked files below some folders, and what they hold."""
    if revision is None:
        names = git("ls-files", *patterns).splitlines()
        return {name: (ROOT / name).read_text("utf-8", "replace") for name in names}
    names = git("ls-tree", "-r", "--name-only", revision, *patterns).splitlines()
    return {name: git("show", f"{revision}:{name}") for name in names if name.endswith(CODE)}


CODE = (".py", ".pyx", ".pxd", ".md")


def package(name: str) -> str:
    """The room of a file: the first folder below satcross, or satcross for its own files."""
    parts = name.split("/")
    return parts[0] if parts[0] == "encoders" or len(parts) == 2 else "/".join(parts[:2])


def loaded(*arguments: str) -> list[Path]:
    """Return the files of ours that a command line imports."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "grid.txt").write_text("___\n_#_\n___\n")
        Path(folder, "words.txt").write_text("cat\ncub\nbed\ntod\n")
        command = [sys.executable, "-c", LOADED, *arguments]
        environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": folder}
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True, env=environment
        )
    return [Path(line) for line in done.stderr.splitlines() if line.startswith(str(ROOT))]


def main() -> None:
    revision = sys.argv[1] if len(sys.argv) > 1 else None
    product = contents(revision, "satcross", "encoders")
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    compiled = 0
    for name, text in product.items():
        if name.endswith(".py"):
            lines[package(name)] += text.count("\n")
            files[package(name)] += 1
        elif name.endswith((".pyx", ".pxd")):
            compiled += text.count("\n")
    for room, number in sorted(lines.items()):
        print(f"{number:7,} {files[room]:4} files  {room}")
    print(f"{lines.total():7,} {files.total():4} files  Python of satcross and encoders")
    print(f"{compiled:7,}             Cython")
    tests = [text for name, text in contents(revision, "tests").items() if name.endswith(".py")]
    print(f"{sum(text.count(chr(10)) for text in tests):7,}             Python of the tests")
    pages = contents(revision, "docs", "README.md", "CONTRIBUTING.md")
    words = sum(
        len(text.split())
        for name, text in pages.items()
        if name.endswith(".md") and "lab-notebook" not in name
    )
    print(
        f"{words:7,}             words of docs, README and CONTRIBUTING, without the lab notebook"
    )
    if revision is None:
        for title, arguments in (("filling and drawing", FILL.split()), ("--help", ["--help"])):
            found = loaded(*arguments)
            size = sum(
                path.read_text("utf-8").count("\n") for path in found if path.suffix == ".py"
            )
            print(f"{title}: {len(found)} modules of ours, {size:,} lines")


if __name__ == "__main__":
    main()
