"""Grade a student's generate.py by the course's checks, reconstructed, and by harder puzzles."""

from .runner import PROGRAM, CheckResult, check_names, find_class, run_checks

__all__ = ["PROGRAM", "CheckResult", "check_names", "find_class", "run_checks"]
