"""BenchExec's tool-info module for satcross: ``tool="satcross.compare.benchexec_tool"``.

BenchExec imports it (https://github.com/sosy-lab/benchexec, doc/tool-integration.md); satcross
itself does not, since it does not need BenchExec.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2

from satcross.support import __version__

_RESULTS = {
    "filled": result.RESULT_TRUE_PROP,
    "unfillable": result.RESULT_FALSE_PROP,
    "unknown": result.RESULT_UNKNOWN,
}


class Tool(BaseTool2):  # type: ignore[misc]
    """Runs ``satcross.compare.run_puzzle`` on a puzzle in JSON; "true" means filled."""

    def name(self) -> str:
        """Return the name in tables."""
        return "satcross"

    def executable(self, _tool_locator: object) -> str:
        """Return the Python that has satcross: the one that runs BenchExec."""
        return sys.executable

    def version(self, _executable: str) -> str:
        """Return the version of satcross."""
        return __version__

    def cmdline(
        self, executable: str, options: Sequence[str], task: Any, _rlimits: object
    ) -> list[str]:
        """Return the command line of a run."""
        module = "satcross.compare.run_puzzle"
        return [executable, "-m", module, *options, task.single_input_file]

    def determine_result(self, run: Any) -> str:
        """Return BenchExec's result by the first word that the run has printed."""
        first = next((line.split() for line in run.output if line.strip()), [""])
        return str(_RESULTS.get(first[0], result.RESULT_ERROR))
