"""Versions, commit and machine of a run, for its record."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import lru_cache
from pathlib import Path

from satcross.formats.json import versions
from satcross.run_settings import available_workers

_MIB = 2**20


@lru_cache(maxsize=1)
def own_versions() -> dict[str, str]:
    """Return the versions of satcross, Python and the solver libraries."""
    return versions()


@lru_cache(maxsize=1)
def own_commit() -> str:
    """Return the commit of this satcross if it is a checkout, and otherwise ""."""
    return commit_of(Path(__file__).parents[2])


@lru_cache(maxsize=1)
def machine() -> dict[str, str | int]:
    """Return usable processors, operating system, processor model, memory in MiB, and kernel."""
    found: dict[str, str | int] = {
        "cpus": available_workers(),
        "platform": f"{platform.system()} {platform.machine()}",
        "kernel": platform.release(),
    }
    if model := _processor():
        found["processor"] = model
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found["memory"] = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MIB
    return found


def load() -> float | None:
    """Return the mean number of running processes in the last minute, or None if unknown."""
    try:
        return round(os.getloadavg()[0], 2)
    except (OSError, AttributeError):
        return None


def commit_of(folder: Path) -> str:
    """Return the short hash of the commit checked out in a folder, "+" if changed, or ""."""
    if not (folder / ".git").exists():
        return ""
    command = ["git", "-C", str(folder), "describe", "--always", "--abbrev=12", "--dirty=+"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in named if name.strip() == "model name"), "")
