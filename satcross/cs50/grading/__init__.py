"""Grade a student's generate.py by the course's checks, reconstructed, and by harder puzzles."""

from .runner import NOT_RUN, CheckResult, grade, run_checks

__all__ = ["NOT_RUN", "CheckResult", "grade", "run_checks"]
