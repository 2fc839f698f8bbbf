"""Every command line shown in README.md and docs/ runs, and prints what is shown below it.

A block of a page is an example when its first line begins with ``$ ``. The examples of a page are
run one after the other in one folder, which has ``data/``, ``generate.py`` and the files of
``FILES``. Output shown below a command is compared with what the command prints; ``...`` stands for
any text. Time limits of ``grid``, ``solve`` and ``puzzle`` are longer here, those of ``layout``,
which often needs all of its time, are shorter, and ``grid`` compares no patterns. A comment
``<!-- not run: why -->`` above a block exempts it.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from satcross.cli import FILLED, UNFILLABLE, cli
from satcross.support.cache import VARIABLE
from satcross.vocabulary import Vocabulary

ROOT = Path(__file__).parents[2]
SATISFIABLE = 10
"""Exit code of ``solve --format sat``."""
BLOCK = re.compile(
    r"(?P<exempt><!-- not run: [^>]+-->\n)?^```(?:console)?\n(?P<text>\$ .*?)^```$", re.M | re.S
)
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if "commands" not in path.parts and BLOCK.search(path.read_text("utf-8"))
)
FILES = {
    "grid.txt": "_____\n_#_#_\n_____\n_#_#_\n_____\n",
    "clues.tsv": "AREA\tRegion\n",
    "theme.txt": "STONE\n",
    "latte.txt": "CROSSWORDS\nLATTELOVER\n",
    "used.txt": "STONE\n",
    "no.txt": "EERIE\nAREA\nERA\nORE\nOREO\n",
    "mine.txt": "CAT\nTIGER\nLION;70\nEAGLE\nRABBIT\nGOAT\n",
    "plants.txt": "photosynthesis\tHow plants make sugar\nroot\tIt drinks\nstem\tIt carries water\n"
    "leaf\tFlat green part\npollen\tYellow dust\nseed\tIt becomes a plant\nbark\tA tree's skin\n"
    "thorn\tA rose has it\noak\tTree with acorns\npetal\tPart of a flower\nsap\tJuice\n"
    "moss\tIt is soft\n",
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiled lists are cached for all examples: most of them read the default list."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def short_words(default_vocabulary: Vocabulary) -> str:
    return "\n".join([word for word in default_vocabulary if len(word) < 6][::10])


@pytest.mark.usefixtures("quickly_made_grids")
@pytest.mark.timeout(1200)  # some pages take ten seconds of CPU, which a busy machine stretches
@pytest.mark.parametrize("page", PAGES)
def test_examples(
    page: str,
    cache: Path,
    short_words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, str(cache))
    for name in ("data", "generate.py"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "words.txt").write_text(short_words, "utf-8")
    for block in BLOCK.finditer((ROOT / page).read_text("utf-8")):
        if not block["exempt"]:
            for command, wanted in _commands(block["text"]):
                _run(command, wanted)


def _commands(text: str) -> list[tuple[str, str]]:
    """Return each command of a block, and what is shown below it."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def _run(command: str, wanted: str) -> None:
    program, *arguments = shlex.split(command.replace("\\\n", " "), comments=True)
    assert program == "satcross", f"{command}: only commands of satcross can be run"
    if arguments[0] in ("grid", "solve", "puzzle") and "--best" not in arguments:
        arguments += ["--time-limit", "1200"]  # on a busy machine, too, they end when they are done
    if arguments[0] == "layout":
        arguments += ["--time-limit", "0.5"]
    result = CliRunner().invoke(cli, arguments, prog_name="satcross")
    shown = f"$ {command}\n{result.output}{result.exception or ''}"
    assert result.exit_code in (FILLED, UNFILLABLE, SATISFIABLE), shown
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert not wanted or doctest.OutputChecker().check_output(wanted, result.output, flags), (
        f"{shown}\nwanted:\n{wanted}"
    )


def test_what_is_shown_is_compared() -> None:
    text = "$ satcross --version\nsatcross, version 99\n"
    [(command, wanted)] = _commands(text)
    with pytest.raises(AssertionError, match="version 99"):
        _run(command, wanted)
