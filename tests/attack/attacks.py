"""All attacks by name."""

from __future__ import annotations

from collections.abc import Mapping

from attack import crosswords, engine, files, formulas, pages, programs, puzzles
from attack.attack import Attack

ATTACKS: Mapping[str, Attack] = {
    **puzzles.ATTACKS,
    **engine.ATTACKS,
    **formulas.ATTACKS,
    **files.ATTACKS,
    **crosswords.ATTACKS,
    **programs.ATTACKS,
    **pages.ATTACKS,
}
