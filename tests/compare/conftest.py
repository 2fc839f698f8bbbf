"""A folder with small puzzles, and a Dask cluster of two local workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

FILES = {
    "s.txt": "___\n_#_\n___\n",
    "t.txt": "__\n__\n",
    "w.txt": "cat;50\ncub;60\nbed;70\ntod;80\n",
    "none.txt": "cat\ndog\nelk\nfox\nab\nba\naa\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="package")
def client() -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
