"""The compiled search against the one in Python, decision by decision."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from helpers import DATA, load_grid, load_words
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Puzzle, Status, Vocabulary, solve, verify
from satcross.backends.search import search as search_module
from satcross.backends.search.search import Search
from satcross.backends.search.search_state import SearchSettings
from satcross.engine import kernel_loader
from satcross.network import belief_propagation
from satcross.network.arc_consistency import Candidates, arc_consistent, compacted
from satcross.network.belief_propagation import Marginals
from satcross.run_settings import Deadline
from satcross.support.cache import DIGEST_BYTES, read_sealed, seal

pytest.importorskip("numba")

pytestmark = [
    pytest.mark.usefixtures("kernel"),
    pytest.mark.timeout(func_only=True),  # before the first test the kernel may be compiled
]


def step(search: Search, kernel_after: int, decisions: int = 1) -> Status:
    """Make decisions, in compiled code after the first ``kernel_after`` ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_module, "KERNEL_AFTER", kernel_after)
        status = search.run(Deadline(), decisions)
    if kernel_after == 0:
        assert search.is_compiled
    return status


@settings(max_examples=150)
@given(
    small_puzzles(),
    st.integers(0, 2**31),
    st.sampled_from(
        [
            SearchSettings(),
            SearchSettings(restart_after=1, restart_growth=1.3, letters_every=2, many=1),
            SearchSettings(restart_after=2, restart_growth=2, letters_every=1, many=1, sample=2),
            SearchSettings(restart_after=1, growing_fast_after=3, sample=1, preferring=2),
        ]
    ),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0, 0, 3, 20]),
)
def test_decision_by_decision(
    small: SmallPuzzle,
    seed: int,
    chosen: SearchSettings,
    is_compacted: bool,
    is_guided: bool,
    after: int,
) -> None:
    candidates = arc_consistent(small.puzzle)
    if candidates.infeasible:
        return
    if is_compacted:
        candidates = compacted(candidates)
    reference = Search(candidates, seed=seed, settings=chosen)
    compiled = Search(candidates, seed=seed, settings=chosen)
    if is_guided:
        estimate = Marginals(candidates)
        reference.guide(estimate)
        compiled.guide(estimate)
    fills = 0
    for _ in range(2000):
        status = step(reference, 10**9)
        assert step(compiled, after) is status
        assert compiled.stats == reference.stats
        if status is Status.UNFILLABLE:
            break
        assert compiled.current == reference.current
        if status is Status.FILLED:
            fills += 1
            assert compiled.words == reference.words
            more = reference.leave()
            assert compiled.leave() is more
            if not more:
                break
    event(f"fills: {min(fills, 3)}")


@pytest.mark.parametrize("grid", ["15x15-78", "15x15-76", "9x9-a"])
def test_real_grids_take_the_same_way(default_vocabulary: Vocabulary, grid: str) -> None:
    candidates = arc_consistent(
        Puzzle(load_grid(DATA / "grids" / f"{grid}.txt"), default_vocabulary)
    )
    seed = Random(grid).getrandbits(20)
    reference, compiled = Search(candidates, seed=seed), Search(candidates, seed=seed)
    for _ in range(12):
        status = step(reference, 10**9, 100)
        assert step(compiled, 30, 100) is status
        assert compiled.stats == reference.stats
        assert compiled.current == reference.current
        if status is not Status.UNKNOWN:
            assert compiled.words == reference.words
            break


def same_estimates(candidates: Candidates) -> None:
    """Compare the estimates of compiled code and of numpy, to the last bit."""
    slots = range(len(candidates.root.sizes))
    compiled = Marginals(candidates)
    found = [(compiled.shares(slot), compiled.corrections(slot)) for slot in slots]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_loader, "loaded", lambda: None)
        reference = Marginals(candidates)
        assert [(reference.shares(slot), reference.corrections(slot)) for slot in slots] == found


@settings(max_examples=150)
@given(small_puzzles(), st.sampled_from([0, 1000]))
def test_estimates_are_the_same(small: SmallPuzzle, candidates_per_pair: float) -> None:
    candidates = arc_consistent(small.puzzle)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_propagation, "_CANDIDATES_PER_PAIR", candidates_per_pair)
        if not candidates.infeasible:
            same_estimates(candidates)


@pytest.mark.parametrize("most", [1_000_000, 50_000])
def test_estimates_of_a_real_grid_are_the_same(
    default_vocabulary: Vocabulary, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(belief_propagation, "MAX_WORDS", most)
    grid = load_grid(DATA / "grids" / "15x15-72.txt")
    same_estimates(arc_consistent(Puzzle(grid, default_vocabulary)))


@pytest.fixture
def unloaded() -> Iterator[pytest.MonkeyPatch]:
    """Unload the kernel, so that the loader can be patched; load it again afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        kernel_loader.forget()
        yield patch
    kernel_loader.forget()
    assert kernel_loader.load() is not None


def test_a_missing_or_damaged_file_is_compiled_in_the_background(
    unloaded: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []
    unloaded.setattr(kernel_loader, "cache_folder", lambda: tmp_path)
    unloaded.setattr("subprocess.Popen", lambda command, **_: started.append(command))
    assert kernel_loader.load() is None
    assert len(started) == 1
    path = Path(started[0][-1])
    assert path.parent == tmp_path
    path.write_bytes(b"half of it")
    assert kernel_loader.load() is None
    assert len(started) == 1  # the first process is still compiling


@pytest.mark.parametrize("change", ["truncated", "edited", "copied", "empty"])
def test_machine_code_that_is_not_this_one_is_never_run(
    unloaded: pytest.MonkeyPatch, tmp_path: Path, change: str
) -> None:
    path = kernel_loader._place()
    assert path is not None
    content = path.read_bytes()
    name = path.name
    if change == "truncated":
        content = content[: len(content) // 2]
    elif change == "edited":
        content = content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]
    elif change == "empty":
        content = b""
    else:  # that of another processor, or of an earlier version
        name = f"kernel-{'0' * 24}.o"
    (tmp_path / name).write_bytes(content)
    assert kernel_loader._link(tmp_path / name) is None


def test_another_versions_machine_code_changes_no_answer(
    unloaded: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A kernel whose functions have other addresses is in the place of this one's."""
    place = kernel_loader._place()
    assert place is not None
    body = read_sealed(place, place.stem)
    assert body is not None
    header, _, code = body.partition(b"\n")
    names = json.loads(header)
    names["functions"].reverse()
    other = json.dumps(names).encode() + b"\n" + code
    (tmp_path / place.name).write_bytes(seal("kernel-of-another-version", other))
    unloaded.setattr(kernel_loader, "cache_folder", lambda: tmp_path)
    unloaded.setattr(kernel_loader, "_compile_in_background", lambda _: None)
    unloaded.setattr(search_module, "KERNEL_AFTER", 0)
    kernel_loader.forget()
    puzzle = Puzzle(load_grid(DATA / "structure1.txt"), load_words(DATA / "words1.txt"))
    outcome = solve(puzzle, "backtrack", workers=1)
    assert outcome.fill is not None
    assert verify(puzzle, outcome.fill) == []
    assert kernel_loader.load() is None
    # Planted fault: without the digest, this machine code would be linked.
    unloaded.setattr(
        kernel_loader, "read_sealed", lambda path, _: path.read_bytes()[:-DIGEST_BYTES]
    )
    assert kernel_loader.load() is not None


def test_the_name_of_the_file_covers_all_that_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = kernel_loader._SOURCES
    keys = {kernel_loader.key()}
    for place, source in enumerate(sources):
        changed = tmp_path / source.name
        changed.write_bytes(source.read_bytes() + b"#")
        with monkeypatch.context() as patch:
            patch.setattr(
                kernel_loader, "_SOURCES", (*sources[:place], changed, *sources[place + 1 :])
            )
            keys.add(kernel_loader.key())
    for name in ("llvmlite.__version__", "platform.machine", "llvmlite.binding.get_host_cpu_name"):
        with monkeypatch.context() as patch:
            patch.setattr(name, "another" if name.endswith("__") else lambda: "another")
            keys.add(kernel_loader.key())
    assert len(keys) == len(sources) + 4


def test_what_is_compiled_imports_no_other_module_of_satcross() -> None:
    own = {f"satcross.engine.{source.stem}" for source in kernel_loader._SOURCES}
    for source in kernel_loader._SOURCES:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("satcross"):
                assert node.module in own, source


def test_a_damaged_file_is_compiled_again(unloaded: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled: list[Path] = []
    unloaded.setattr(kernel_loader, "cache_folder", lambda: tmp_path)
    unloaded.setattr(kernel_loader, "_compile", compiled.append)
    kernel_loader.forget()
    (tmp_path / f"kernel-{kernel_loader.key()}.o").write_bytes(b"half of it")
    assert kernel_loader.compile_now() is None
    assert len(compiled) == 1


def test_nothing_is_compiled_without_a_cache(unloaded: pytest.MonkeyPatch) -> None:
    unloaded.setattr(kernel_loader, "cache_folder", lambda: None)
    assert kernel_loader.load() is None
    assert kernel_loader.compile_now() is None
