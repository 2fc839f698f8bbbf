"""The word in its slot is what one edits: edits of filled grids, and clues of words."""

from __future__ import annotations

import json
from random import Random

import pytest
from browser import Page
from web.page_actions import choose, make_grid, problem, rows, status, upload

from satcross.grid import Grid

TRIPLES = {
    *("BIT", "BET", "IOU", "TNT", "EON", "TUT", "ION", "ATE", "TEN", "NET", "TIE"),
    *("TOT", "TEE", "TON", "TIN", "OAT", "EAT", "ETA", "ONE", "NIT", "AIM"),
}


def open_filled(page: Page) -> None:
    """Open a grid that has many fills, and fill it."""
    upload(page, "#list-file", "mine.txt", "\n".join(sorted(TRIPLES)))
    status(page, f"mine.txt: {len(TRIPLES)} words")
    make_grid(page, 3, 3)
    fill(page)


def fill(page: Page) -> None:
    page.evaluate("document.getElementById('status').textContent = ''")
    page.click("#fill")
    page.wait_for(
        "/Filled|No fill|no slot|both locked/.test(document.getElementById('status').textContent)"
        " && document.body.dataset.job === 'idle'"
    )


def own(page: Page) -> set[tuple[int, int]]:
    """Return the cells with letters of the setter's own."""
    found = page.evaluate(
        "[...document.querySelectorAll('#board .locked input')].map((one) => one.dataset)"
        ".map(({row, column}) => [Number(row), Number(column)])"
    )
    return {(row, column) for row, column in found}


def whole_words(page: Page) -> dict[str, tuple[str, bool]]:
    """Return the whole words in the grid by slot, and whether they are the setter's own."""
    shown, locked = rows(page), own(page)
    grid = Grid(tuple("".join("#" if cell == "#" else "_" for cell in row) for row in shown))
    words = {}
    for slot in grid.slots:
        word = "".join(shown[row][column] for row, column in slot.cells)
        if "_" not in word:
            words[slot.name] = word, locked.issuperset(slot.cells)
    return words


def type_into(page: Page, cell: str, way: str, text: str) -> None:
    page.click(f"#cell-{cell}")
    if way not in page.text("#here").partition(":")[0]:
        page.press(" ")
    page.type(text)


def clues(page: Page) -> dict[str, str]:
    """Return the clue that is shown for each slot."""
    found = page.evaluate(
        "[...document.querySelectorAll('#panel-clues .clues input')]"
        ".map((one) => [one.dataset.slot, one.value])"
    )
    return dict(found)


def test_a_word_typed_over_a_fill_opens_what_it_contradicts(bench: Page) -> None:
    page = bench
    open_filled(page)
    page.wait_for("document.getElementById('verdict').textContent.startsWith('All words')")
    type_into(page, "0-0", "across", "zap")
    assert rows(page) == ["ZAP", "___", "___"]
    assert page.text("#verdict") == ""
    problem(page, "No word fits 1 down")
    fill(page)
    assert "No fill exists" in page.text("#status")
    assert rows(page) == ["ZAP", "___", "___"]
    for _ in range(3):
        page.press("z", control=True)
    assert "_" not in "".join(rows(page))


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_leave_only_words(bench: Page, seed: int) -> None:
    page, random = bench, Random(seed)
    open_filled(page)
    written: dict[str, str] = {}

    def random_cell() -> str:
        return f"{random.randrange(3)}-{random.randrange(3)}"

    def paste() -> None:
        word = json.dumps(random.choice([*sorted(TRIPLES), "XYZ"]))
        page.click(f"#cell-{random_cell()}")
        page.evaluate(
            f"""(() => {{
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", {word});
              document.activeElement.dispatchEvent(
                new ClipboardEvent("paste", {{clipboardData, bubbles: true, cancelable: true}}));
            }})()"""
        )

    def take_candidate() -> None:
        page.click("#tab-words")
        rank = random.choice(["best", "fit"])
        page.evaluate(
            f"(() => {{ const rank = document.getElementById('rank'); rank.value = '{rank}';"
            " rank.dispatchEvent(new Event('change')); })()"
        )
        page.click(f"#cell-{random_cell()}")
        page.wait_for(
            "document.getElementById('panel-words').getAttribute('aria-busy') === 'false'"
        )
        page.evaluate(
            "(() => { const all = [...document.querySelectorAll('#candidates .candidate')];"
            f" all[Math.floor({random.random()} * all.length)]?.click(); }})()"
        )

    def draw() -> None:
        page.evaluate("document.getElementById('symmetry').value = 'none'")
        page.click(f"#cell-{random_cell()}")
        page.press(".")

    def select() -> None:
        page.drag(f"#cell-{random_cell()}", f"#cell-{random_cell()}")
        fill(page)

    def write_clue() -> None:
        page.click("#tab-clues")
        slot, (word, _) = random.choice([*whole_words(page).items(), ("", ("", False))])
        if slot and word not in written:
            page.evaluate(
                "(() => { const all = [...document.querySelectorAll('.clues input')];"
                f" const box = all.find((one) => one.dataset.slot === '{slot}');"
                f" box.value = 'clue of {word}'; box.dispatchEvent(new Event('input')); }})()"
            )
            written[word] = f"clue of {word}"

    actions = {
        "type": lambda: type_into(
            page,
            random_cell(),
            random.choice(["across", "down"]),
            random.choice(["a", "te", "ion"]),
        ),
        "erase": lambda: (page.click(f"#cell-{random_cell()}"), page.press("Delete")),
        "paste": paste,
        "choose": take_candidate,
        "draw": draw,
        "undo": lambda: page.press("z", control=True),
        "redo": lambda: page.press("y", control=True),
        "lock": lambda: (page.click(f"#cell-{random_cell()}"), page.press("Enter")),
        "unlock": lambda: choose(page, "#unlock-all"),
        "fill": lambda: fill(page),
        "refill": select,
        "clue": write_clue,
    }
    for step in range(25):
        name = random.choice([*actions])
        actions[name]()
        if name in ("undo", "redo"):
            written = {word: clue for word, clue in written.items() if word in page.evaluate(
                "import('./store.js').then(({doc}) => Object.keys(doc.clues))")}  # fmt: skip
        words = whole_words(page)
        strangers = {word for word, is_own in words.values() if word not in TRIPLES and not is_own}
        # A word that was one's own stays that when it is unlocked, until a fill replaces it.
        if name not in ("unlock", "lock") and "unlock" not in name:
            assert strangers <= typed_words(page), (seed, step, name, rows(page))
        expected = {slot: written.get(word, "") for slot, (word, _) in words.items()}
        shown = clues(page)
        assert {slot: shown[slot] for slot in expected} == expected, (seed, step, name, rows(page))


def typed_words(page: Page) -> set[str]:
    """Return the words that stand in slots although they are unlocked: typed before."""
    found = page.evaluate(
        "import('./store.js').then(({doc}) => Object.values(doc.words).map((one) => one.word))"
    )
    return set(found)
