"""Grading somebody's generate.py: the course's checks, reconstructed, and harder puzzles."""

from .runner import CheckResult, grade, run_checks

__all__ = ["CheckResult", "grade", "run_checks"]
