"""All attacks by name."""

from __future__ import annotations

from collections.abc import Mapping

from attack import files, formulas, kernel, pages, programs, puzzles
from attack.attack import Attack

ATTACKS: Mapping[str, Attack] = {
    **puzzles.ATTACKS,
    **kernel.ATTACKS,
    **formulas.ATTACKS,
    **files.ATTACKS,
    **programs.ATTACKS,
    **pages.ATTACKS,
}
