"""The word in its slot is what one edits: edits of filled grids, and clues of words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from browser import Browser
from web.bench import Bench

from satcross.formats.readers import read_crossword
from satcross.grid import Grid

TRIPLES = {
    *("BIT", "BET", "IOU", "TNT", "EON", "TUT", "ION", "ATE", "TEN", "NET", "TIE"),
    *("TOT", "TEE", "TON", "TIN", "OAT", "EAT", "ETA", "ONE", "NIT", "AIM"),
}

HINDI = """exolve-begin
  exolve-width: 3
  exolve-height: 1
  exolve-language: hi Devanagari
  exolve-grid:
    हि न् दी
  exolve-across:
    1 भाषा
exolve-end
"""


def open_filled(page: Bench) -> None:
    """Open a grid that has many fills, and fill it."""
    page.use_list("\n".join(sorted(TRIPLES)))
    page.make_grid(3, 3)
    fill(page)


def fill(page: Bench) -> None:
    page.evaluate("document.getElementById('status').textContent = ''")
    page.click("#fill")
    page.wait_for(
        "/Filled|No fill|no slot|both locked/.test(document.getElementById('status').textContent)"
        " && document.body.dataset.job === 'idle'"
    )


def own(page: Bench) -> set[tuple[int, int]]:
    """Return the cells with letters of the setter's own."""
    found = page.evaluate(
        "[...document.querySelectorAll('#board .locked input')].map((one) => one.dataset)"
        ".map(({row, column}) => [Number(row), Number(column)])"
    )
    return {(row, column) for row, column in found}


def whole_words(page: Bench) -> dict[str, tuple[str, bool]]:
    """Return the whole words in the grid by slot, and whether they are the setter's own."""
    shown, locked = page.rows(), own(page)
    grid = Grid(tuple("".join("#" if cell == "#" else "_" for cell in row) for row in shown))
    words = {}
    for slot in grid.slots:
        word = "".join(shown[row][column] for row, column in slot.cells)
        if "_" not in word:
            words[slot.name] = word, locked.issuperset(slot.cells)
    return words


def test_a_crossword_has_a_language(page: Bench, tmp_path: Path) -> None:
    page.has_more(20, "#begin-language option")
    page.has(1, "#layout-words")
    page.evaluate(
        "document.getElementById('begin-open').click();"
        "document.getElementById('begin-language').value = 'ar';"
        "document.getElementById('layout-words').value = 'سلام; تحية\\nقلم; يكتب';"
        "document.querySelector('form[data-schema=Layout] button').click()"
    )
    page.status("2 words in")
    shown = "['board', 'clues-across'].map((id) => document.getElementById(id).closest('[dir]'))"
    assert page.evaluate(f"{shown}.map(({{dir, lang}}) => dir + lang)") == ["rtlar", "rtlar"]
    assert "no list" in page.text("#rules")  # the default list is English
    page.wait_for("!document.getElementById('statistics').textContent")  # those of another one
    assert page.text("#problem") == ""  # a full grid needs no list
    page.click("#cell-0-0")
    page.press("ArrowLeft")  # the second column is at the left of the first
    assert page.evaluate("document.activeElement.dataset.column") == "1"
    assert read_crossword(page.save_as(".ipuz", tmp_path)).language == "ar"
    page.open_file("hi.exolve", HINDI, "3 columns")
    assert page.rows() == ["हिन्दी"]
    assert page.value("#language") == "hi"
    page.make_grid(2, 2)
    page.choose_language("tr")
    page.type_at("0-0", "i")
    assert page.rows()[0] == "İ_"


def type_into(page: Bench, cell: str, way: str, text: str) -> None:
    page.click(f"#cell-{cell}")
    if way not in page.text("#here").partition(":")[0]:
        page.press(" ")
    page.type(text)


def clues(page: Bench) -> dict[str, str]:
    """Return the clue that is shown for each slot."""
    found = page.evaluate(
        "[...document.querySelectorAll('#panel-clues .clues input')]"
        ".map((one) => [one.dataset.slot, one.value])"
    )
    return dict(found)


def test_a_word_typed_over_a_fill_opens_what_it_contradicts(page: Bench) -> None:
    open_filled(page)
    page.says("verdict", "All words")
    type_into(page, "0-0", "across", "zap")
    assert page.rows() == ["ZAP", "___", "___"]
    assert page.text("#verdict") == ""
    page.problem("No word fits 1 down")
    fill(page)
    assert "No fill exists" in page.text("#status")
    assert page.rows() == ["ZAP", "___", "___"]
    for _ in range(3):
        page.press("z", control=True)
    assert "_" not in "".join(page.rows())


def test_random_edits_leave_only_words(page: Bench) -> None:
    edit_at_random(page, seed=0, steps=25)  # tests/attack tries others


def edit_at_random(page: Bench, seed: int, steps: int) -> None:
    """Edit a filled grid in every way, and look after each edit at the words and their clues."""
    random = Random(seed)
    open_filled(page)
    written: dict[str, str] = {}
    ever: dict[str, str] = {}  # what redo may bring back

    def random_cell() -> str:
        return f"{random.randrange(3)}-{random.randrange(3)}"

    def paste() -> None:
        word = random.choice([*sorted(TRIPLES), "XYZ"])
        page.click(f"#cell-{random_cell()}")
        page.paste(word)

    def take_candidate() -> None:
        page.click("#tab-words")
        page.give("rank", random.choice(["best", "fit"]))
        page.click(f"#cell-{random_cell()}")
        page.candidates()
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
            written[word] = ever[word] = f"clue of {word}"

    def press_at(key: str) -> None:
        page.click(f"#cell-{random_cell()}")
        page.press(key)

    actions: dict[str, Callable[[], object]] = {
        "type": lambda: type_into(
            page,
            random_cell(),
            random.choice(["across", "down"]),
            random.choice(["a", "te", "ion"]),
        ),
        "erase": lambda: press_at("Delete"),
        "paste": paste,
        "choose": take_candidate,
        "draw": draw,
        "undo": lambda: page.press("z", control=True),
        "redo": lambda: page.press("y", control=True),
        "lock": lambda: press_at("Enter"),
        "unlock": lambda: page.choose("#unlock-all"),
        "fill": lambda: fill(page),
        "refill": select,
        "clue": write_clue,
    }
    for step in range(steps):
        name = random.choice([*actions])
        actions[name]()
        if name in ("undo", "redo"):
            written = {word: clue for word, clue in ever.items() if word in page.evaluate(
                "import('./store.js').then(({doc}) => Object.keys(doc.clues))")}  # fmt: skip
        words = whole_words(page)
        strangers = {word for word, is_own in words.values() if word not in TRIPLES and not is_own}
        # A word that was one's own stays that when it is unlocked, until a fill replaces it.
        if name not in ("unlock", "lock") and "unlock" not in name:
            assert strangers <= typed_words(page), (seed, step, name, page.rows())
        expected = {slot: written.get(word, "") for slot, (word, _) in words.items()}
        shown = clues(page)
        assert {slot: shown[slot] for slot in expected} == expected, (seed, step, name, page.rows())


def typed_words(page: Bench) -> set[str]:
    """Return the words that stand in slots although they are unlocked: typed before."""
    found = page.evaluate(
        "import('./store.js').then(({doc}) => Object.values(doc.words).map((one) => one.word))"
    )
    return set(found)


def test_clues_belong_to_words(page: Bench) -> None:
    page.use_list("TATUM\nHAGAR\n")
    page.open_file("grid.txt", "_____\n#####\n", "grid.txt: 2 rows")
    type_into(page, "0-0", "across", "tatum")
    page.write_clue("Tennis player")
    type_into(page, "0-0", "across", "hagar")
    assert clues(page) == {"1A": ""}
    assert "1 word without a clue" in page.text("#clues-about")
    assert "1 clue of words that are no longer here" in page.text("#clues-about")
    type_into(page, "0-0", "across", "tatum")
    assert clues(page) == {"1A": "Tennis player"}
    # a new crossword offers it again, and has none of the rules of the old one
    page.evaluate(
        "import('./store.js').then(({change}) => change((next) => { next.minScore = 60; }))"
    )
    assert "60 or more" in page.text("#rules")
    page.wait_for("document.querySelector('#library .thumbnail')?.textContent.includes('TATUM')")
    page.open_file("again.txt", "_____\n#####\n", "again.txt: 2 rows")
    assert "60 or more" not in page.text("#rules")
    type_into(page, "0-0", "across", "tatum")
    page.has(1, "#facts-clues button")
    page.click("#facts-clues button")
    assert clues(page) == {"1A": "Tennis player"}


def test_a_candidate_shows_and_makes_its_changes(page: Bench) -> None:
    page.use_list("BIT\nEON\nTUT\nBET\nIOU\nTNT\nION\n")
    page.make_grid(3, 3)
    fill(page)
    before = page.rows()
    page.click("#tab-words")  # in a filled grid, candidates are ranked by how they fit it
    page.click("#cell-1-0")
    page.has_more(0, "#panel-words[aria-busy=false] .candidate[title*='changes 1 word']")
    title = page.evaluate("document.querySelector('#candidates .candidate').title")
    assert title.startswith("changes no other word; all words 50")
    counts = [page.text(place).split(" candidate")[0] for place in ("#here", "#candidates-title")]
    assert counts[0].endswith(counts[1].split()[-1])
    page.focus("#candidates .candidate[title*='changes 1 word']")
    shown = page.rows()
    assert shown != before
    page.press("Enter")
    page.status("is yours")
    assert page.rows() == shown
    assert {word for word, _ in whole_words(page).values()} <= {*TRIPLES}
    assert len(whole_words(page)) == 6
    page.click("#undo")
    assert page.rows() == before


def test_a_word_is_typed_to_its_end_and_an_input_method_composes(page: Bench) -> None:
    page.make_grid(2, 3)
    type_into(page, "0-0", "across", "cats")
    page.status("The word ends here")
    assert page.rows()[0] == "CAT"
    page.click("#cell-1-0")
    for text in ("ㅎ", "하", "한"):
        page.call("Input.imeSetComposition", text=text, selectionStart=1, selectionEnd=1)
        assert page.rows()[1] in ("___", f"{text}__")
    page.insert("한")
    assert page.rows()[1] == "한__"
    assert page.focused == "cell-1-1"


SCREENS = (
    *((640, 400, False), (320, 200, False)),  # 1280 by 800 at 200 and 400 %
    *((820, 1180, True), (1180, 820, True), (844, 390, True), (390, 844, True)),
)


def test_every_screen_shows_grid_panels_and_keyboard(browser: Browser, address: str) -> None:
    page = Bench(browser, phone=True)
    for width, height, touched in SCREENS:
        page.resize(width, height, phone=touched)
        page.begin(address)
        page.make_grid(15, 15)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        keyboard = "getComputedStyle(document.getElementById('keyboard')).display"
        assert (page.evaluate(keyboard) != "none") == touched, (width, height)
        for place in ("#cell-14-14", "#fill", "#tab-publish", "#undo"):
            page.click(place)  # scrolls there: nothing is out of reach
            page.evaluate("import('./tabs.js').then(({closeSheet}) => closeSheet())")
        page.click("#cell-3-3")
        if touched:
            page.tap("#keyboard [aria-label='Q']")
        else:
            page.type("q")
        assert page.rows()[3][3] == "Q", (width, height)
    page.close()


def test_what_can_not_be_read_is_refused_by_name(page: Bench) -> None:
    page.open_file("broken.satcross", "{", "broken.satcross: this is no project of satcross")
    page.open_file("broken.puz", "nonsense", "broken.puz: is not a .puz file")
    page.open_file("narrow.txt", "_\n_\n", "narrow.txt: 2 rows, 1 column, 0 clues.")
    page.evaluate(
        "import('./store.js').then(({change}) => change((next) => { next.floors = '3=60 x'; }))"
    )
    page.problem("“x” is no minimum score by length")


def test_the_start_names_entries_without_a_partner_and_begins_anew(page: Bench) -> None:
    page.click("#begin-open")
    page.has(1, "#pattern-entries")
    page.click("#pattern-entries")
    page.insert("T-REX\nUNICORN\nGRIFFIN\nDRAGON")
    assert "opposite the entries of 4, 6 letters" in page.text("#pairs")
    assert page.value("#pattern-width") == "15"
    page.evaluate("document.querySelector('#stock button').click()")
    page.status("New grid")
    page.click("#begin-open")
    assert page.value("#pattern-entries") == ""
    assert page.value("#pattern-width") == "15"
    assert page.text("#pairs") == ""

    # the list of the example serves no other crossword
    page.click("#example")
    page.wait_for("!document.getElementById('stepper').hidden")
    page.click("#step-play")
    page.says("step-number", "step 2")
    page.click("#begin-open")
    page.click("#stock button")
    page.status("New grid")
    assert page.text("#lists").count("numbers.txt") == 0
    assert page.evaluate("document.getElementById('list-0').checked")
