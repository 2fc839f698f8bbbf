"""Fixtures and helpers for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from browser import VARIABLE as BROWSER_VARIABLE
from browser import Browser, Page, find_browser, open_browser
from hypothesis import HealthCheck, settings

from satcross.clues.dictionaries.store import VARIABLE as SOURCES
from satcross.formats.words import default_list, parse_words
from satcross.support.cache import VARIABLE
from satcross.vocabulary import Vocabulary

os.environ[VARIABLE] = ""  # tests and the processes they start must not use the user's cache

# Nor the user's dictionaries (tests/clues/test_real_sources.py finds them by itself).
os.environ["SATCROSS_TEST_SOURCES"] = os.environ.get(SOURCES, "")
os.environ[SOURCES] = os.path.join(os.sep, "no", "dictionaries")  # noqa: PTH118

settings.register_profile(
    "satcross",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("satcross")


@pytest.fixture(scope="session")
def default_vocabulary() -> Vocabulary:
    return parse_words([default_list()]).vocabulary


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium for all tests; without it they are skipped, and pytest's summary says so."""
    if find_browser() is None:
        pytest.skip(f"no browser: install Chromium, or name one in {BROWSER_VARIABLE}")
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new page of the browser, 1000 by 800 CSS pixels."""
    opened = browser.new_page()
    yield opened
    opened.close()
