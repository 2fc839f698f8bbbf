"use strict";
// Makes the page of a crossword playable. Without this script the page shows the grid and the clues,
// and letters can be typed. satcross/formats/html.py makes the page.
(() => {
  // A letter is a character with its marks, as in satcross/support/letters.py.
  const lettersOf = (text) => text.match(/.[\p{M}\u0e33\u0eb3\u200d]*/gsu) ?? [];
  const $ = (id) => document.getElementById(id);
  const grid = $("grid");
  const solution = JSON.parse($("sheet").textContent).grid.map(lettersOf);
  const phrases = JSON.parse($("phrases").textContent); // in English -> in the language of the page
  const inWords = (text, value) => (phrases[text] ?? text).replace("{}", value);
  const leftwards = document.documentElement.dir === "rtl";
  const MOST_STEPS = 1000; // maximum number of steps that can be undone
  const OTHER = { across: "down", down: "across" };

  const slots = new Map(); // name -> { name, direction, cells, item, clue }
  for (const item of document.querySelectorAll("#clues li")) {
    const { name, direction } = item.dataset;
    const heading = item.closest("section").querySelector("h2").textContent;
    slots.set(name, { name, direction, heading, cells: [], item, clue: item.textContent });
  }
  const order = [...slots.values()];

  const cells = [...grid.querySelectorAll("input")].map((input) => {
    const { row, column, across, down } = input.dataset;
    const known = input.readOnly ? input.value : solution[row][column];
    const cell = {
      input,
      box: input.parentElement,
      row: Number(row),
      column: Number(column),
      across: slots.get(across),
      down: slots.get(down),
      right: known === "." ? null : known,
      given: input.readOnly,
      letter: input.readOnly ? input.value : "",
      code: input.dataset.code,
      revealed: false,
      wrong: false,
    };
    cell.across?.cells.push(cell);
    cell.down?.cells.push(cell);
    return cell;
  });
  const at = new Map(cells.map((cell) => [cell.input, cell]));
  const place = new Map(cells.map((cell) => [`${cell.row},${cell.column}`, cell]));
  const allKnown = cells.every((cell) => cell.right !== null);

  const codes = [...new Set(cells.map((cell) => cell.code))].filter(Boolean).sort((a, b) => a - b);
  const numbered = !codes.length && grid.querySelector(".number") !== null;

  let here = cells.find((cell) => cell.across || cell.down) ?? cells[0];
  let direction = here?.across ? "across" : "down";
  let reached = here; // the cell to which typing or a step to the next word led, not the pointer
  let jumped = null; // the first cell of a word to which the cursor went by itself
  let typed = null; // where the last letter was typed
  let steps = [];
  let seconds = 0;
  let done = false;
  if (!here) return;

  // Typing

  function asLetter(text) {
    const upper = text.normalize("NFC").toUpperCase();
    return lettersOf(upper).length === 1 ? upper : text;
  }

  // A cell accepts letters, all other characters of the solution, and digits if there is none.
  const others = new Set(cells.map((cell) => cell.right));
  const isLetter = (text) =>
    /^\p{L}\p{M}*$/u.test(text) || others.has(text) || (!allKnown && /^\p{N}$/u.test(text));

  // A letter without its accent counts as right, since many keyboards lack accented letters.
  const bare = (letter) => letter.normalize("NFD").replace(/\p{M}/gu, "");
  const fits = (cell) => cell.letter === cell.right || cell.letter === bare(cell.right);

  function remember() {
    steps.push(cells.map(({ letter, revealed, wrong }) => [letter, revealed, wrong]));
    if (steps.length > MOST_STEPS) steps.shift();
  }

  function undo() {
    const before = steps.pop();
    if (!before) return say(inWords("There is nothing to undo."));
    cells.forEach((cell, place) => {
      [cell.letter, cell.revealed, cell.wrong] = before[place];
    });
    changed();
  }

  // The table of a codeword: the letter of each number, and the letters that have none yet.
  function showCodes() {
    const known = new Map(cells.map(({ code, letter }) => [code, letter]));
    const used = new Set(known.values());
    const isDoubled = (letter) => letter && codes.filter((code) => known.get(code) === letter)[1];
    const latin = [...others].some((letter) => /^[A-Z]$/.test(letter));
    const letters = new Set([...others, ...(latin ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "")]);
    const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
    $("codes").replaceChildren(
      ...codes.map((code) => {
        const box = make("span", "");
        box.append(make("small", code), make("b", known.get(code)));
        box.classList.toggle("doubled", Boolean(isDoubled(known.get(code))));
        return box;
      }),
      make("p", [...letters].filter((letter) => letter && !used.has(letter)).sort().join(" ")),
    );
  }

  // The cells of a codeword that have one number have one letter.
  const alike = (cell) =>
    cell.code ? cells.filter((other) => other.code === cell.code) : [cell];

  function put(cell, letter, revealed = false) {
    for (const own of alike(cell)) {
      if (!own.given) Object.assign(own, { letter, revealed, wrong: false });
    }
  }

  function enter(text) {
    // A letter whose capital is two letters, such as ß, is two in the words of a crossword.
    const spelled = (letter) => (others.has(letter) ? letter : lettersOf(letter.toUpperCase()));
    const letters = [...text.normalize("NFC")].map(asLetter).flatMap(spelled).filter(isLetter);
    if (!letters.length) return;
    remember();
    for (const letter of letters) {
      // The word to which the cursor went by itself is typed from its beginning, or where it has gaps.
      if (here === jumped && here.letter && here.letter !== letter) {
        go(here[direction].cells.find((cell) => !cell.letter) ?? here);
      }
      // A given letter may be typed, too; who leaves it out goes on behind it.
      if (here.given && here === reached && here.letter !== letter) advance((cell) => !cell.given);
      put(here, letter);
      typed = { cell: here, direction };
      advance();
    }
    changed();
  }

  function advance(counts = () => true) {
    const slot = here[direction];
    if (!slot) return;
    const after = slot.cells.slice(slot.cells.indexOf(here) + 1).find(counts);
    const gap = after ?? slot.cells.find((cell) => !cell.letter);
    if (gap) {
      go(gap);
      reached = gap;
      return;
    }
    const from = order.indexOf(slot);
    const open = [...order.slice(from + 1), ...order.slice(0, from)].find(hasGap);
    if (open) goToSlot(open);
  }

  function erase() {
    remember();
    if (here === reached && typed) {
      // Right after a letter, also where the cursor has gone on to another word.
      go(typed.cell, typed.direction);
      put(here, "");
      typed = null;
    } else if (here.letter && !here.given) {
      put(here, "");
    } else {
      const line = here[direction]?.cells ?? [];
      const before = line[line.indexOf(here) - 1];
      if (before) {
        go(before);
        put(here, "");
      }
    }
    changed();
  }

  // The cursor

  const hasGap = (slot) => slot.cells.some((cell) => !cell.letter);

  function go(cell, wanted = direction) {
    const before = here[direction];
    reached = jumped = null;
    here = cell;
    direction = cell[wanted] || !cell[OTHER[wanted]] ? wanted : OTHER[wanted];
    mark();
    if (document.activeElement !== cell.input) cell.input.focus();
    if (here[direction] && here[direction] !== before) $("told").textContent = nameOf();
  }

  function goToSlot(slot) {
    if (slot.cells.length) go(slot.cells[0], slot.direction);
    reached = jumped = here;
  }

  function next(step, { around }) {
    const from = order.indexOf(here[direction]);
    let to = from + step;
    if (around) to = (to + order.length) % order.length;
    if (!order[to]) return false;
    goToSlot(order[to]);
    return true;
  }

  function turn() {
    if (here[OTHER[direction]]) go(here, OTHER[direction]);
  }

  function move(down, right) {
    const axis = down ? "down" : "across";
    let [row, column] = [here.row + down, here.column + right];
    while (solution[row]?.[column] !== undefined) {
      const cell = place.get(`${row},${column}`);
      if (cell) return go(cell, axis);
      [row, column] = [row + down, column + right];
    }
    if (here[axis]) go(here, axis);
  }

  function nameOf() {
    const slot = here[direction];
    if (!slot) return "";
    const { name, heading, clue } = slot;
    return `${numbered ? `${name.slice(0, -1)} ${heading.toLowerCase()}` : heading}: ${clue}`;
  }

  function mark() {
    const slot = here[direction];
    for (const cell of cells) {
      cell.box.classList.toggle("here", cell === here);
      cell.box.classList.toggle("word", cell[direction] === slot && slot !== undefined);
      cell.input.tabIndex = cell === here ? 0 : -1;
    }
    const crossing = here[OTHER[direction]];
    for (const one of order) {
      one.item.classList.toggle("crossing", one === crossing);
      one.item.classList.toggle("now", one === slot);
      one.button.toggleAttribute("aria-current", one === slot);
    }
    $("clue").textContent = nameOf();
    for (const one of [crossing, slot]) {
      const list = one?.item.closest(".scroll");
      if (list && list.scrollHeight > list.clientHeight) {
        const [item, frame] = [one.item, list].map((it) => it.getBoundingClientRect());
        if (item.top < frame.top) list.scrollTop -= frame.top - item.top;
        if (item.bottom > frame.bottom) list.scrollTop += item.bottom - frame.bottom;
      }
    }
  }

  // Display, messages and storage

  function show() {
    for (const cell of cells) {
      if (cell.input.value !== cell.letter) cell.input.value = cell.letter;
      cell.box.classList.toggle("wrong", cell.wrong);
      cell.box.classList.toggle("revealed", cell.revealed);
      if (cell.wrong) cell.input.setAttribute("aria-invalid", "true");
      else cell.input.removeAttribute("aria-invalid");
    }
    for (const slot of order) slot.item.classList.toggle("full", !hasGap(slot));
    if (codes.length) showCodes();
    const plain = (text) => text.replace(/[^\p{L}\p{N}\p{M}]/gu, "");
    const spell = (slot) => plain(slot.cells.map((cell) => cell.letter).join(""));
    const standing = order.filter((slot) => !hasGap(slot)).map(spell);
    for (const word of document.querySelectorAll("#words span")) {
      const times = standing.filter((own) => own === plain(word.textContent)).length;
      word.classList.toggle("used", times > 0);
      word.classList.toggle("doubled", times > 1);
    }
  }

  function changed() {
    show();
    const full = cells.every((cell) => cell.letter);
    const solved = full && allKnown && cells.every(fits);
    if (solved && !done) say(inWords("Solved in {}. Well done!", clock()));
    else if (full && !solved) {
      say(inWords(allKnown ? "The grid is full, but some letters are wrong." : "Full."));
    } else if (!solved) say("");
    done = solved;
    document.body.classList.toggle("done", done);
    keep();
  }

  function say(text) {
    $("status").textContent = text;
  }

  const counted = (number, single, several) => inWords(number === 1 ? single : several, number);

  const key = `satcross ${grid.dataset.key}`;

  function keep() {
    const state = {
      letters: cells.map((cell) => cell.letter),
      revealed: cells.map((cell) => cell.revealed),
      wrong: cells.map((cell) => cell.wrong),
      seconds,
    };
    try {
      localStorage.setItem(key, JSON.stringify(state));
    } catch {
      // Some browsers store nothing for local files or in private windows.
    }
  }

  function recall() {
    try {
      const state = JSON.parse(localStorage.getItem(key));
      if (state?.letters?.length !== cells.length) return;
      cells.forEach((cell, place) => {
        put(cell, String(state.letters[place] ?? ""), Boolean(state.revealed?.[place]));
        cell.wrong = Boolean(state.wrong?.[place]);
      });
      seconds = Number(state.seconds) || 0;
    } catch {
      // The browser stores nothing (see above), or the stored data is damaged.
    }
  }

  function clock() {
    const minutes = Math.floor(seconds / 60);
    const two = (number) => String(number).padStart(2, "0");
    const rest = two(seconds % 60);
    if (minutes < 60) return `${minutes}:${rest}`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
  }

  setInterval(() => {
    if (document.hidden || done || !cells.some((cell) => cell.letter && !cell.given)) return;
    seconds += 1;
    if (seconds % 10 === 0) keep();
    $("time").textContent = clock();
  }, 1000);

  // Check, reveal, clear

  function scope(what) {
    if (what === "letter") return [here];
    if (what === "word") return here[direction]?.cells ?? [here];
    return cells;
  }

  const actions = {
    check(what) {
      const looked = scope(what).filter((cell) => cell.right !== null);
      for (const cell of looked) cell.wrong = Boolean(cell.letter) && !cell.given && !fits(cell);
      const wrong = looked.filter((cell) => cell.wrong).length;
      const empty = looked.filter((cell) => !cell.letter).length;
      show();
      keep();
      const lines = [];
      if (wrong) lines.push(counted(wrong, "1 letter is wrong.", "{} letters are wrong."));
      else lines.push(inWords(empty === looked.length ? "Nothing to check yet." : "No mistakes."));
      if (empty && empty < looked.length) {
        lines.push(counted(empty, "1 cell still empty.", "{} cells still empty."));
      }
      say(lines.join(" "));
    },
    reveal(what) {
      remember();
      for (const cell of scope(what)) {
        if (cell.right !== null && !fits(cell)) put(cell, cell.right, true);
      }
      changed();
    },
    clear(what) {
      remember();
      for (const cell of scope(what)) put(cell, "");
      reached = here;
      changed();
    },
    undo,
    time() {
      const shown = $("time").toggleAttribute("hidden");
      $("timer").setAttribute("aria-pressed", String(!shown));
      $("time").textContent = clock();
    },
    print() {
      window.print();
    },
    previous: () => next(-1, { around: true }),
    next: () => next(1, { around: true }),
    turn,
    keyboard() {
      touch = !touch;
      useKeys();
    },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (button) {
      const [name, what] = button.dataset.do.split(" ");
      actions[name](what);
      if (button.closest("details")) button.closest("details").open = false;
      if (!["time", "print", "keyboard"].includes(name)) here.input.focus();
    }
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest("details.menu[open]");
    if (event.key === "Escape" && menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Events of the grid

  const keys = {
    ArrowLeft: () => move(0, leftwards ? 1 : -1),
    ArrowRight: () => move(0, leftwards ? -1 : 1),
    ArrowUp: () => move(-1, 0),
    ArrowDown: () => move(1, 0),
    Home: () => here[direction] && go(here[direction].cells[0]),
    End: () => here[direction] && go(here[direction].cells.at(-1)),
    Backspace: erase,
    Delete: () => actions.clear("letter"),
    " ": turn,
    Enter: (event) => next(event.shiftKey ? -1 : 1, { around: true }),
    Tab: (event) => next(event.shiftKey ? -1 : 1, { around: false }), // at both ends, Tab leaves the grid
    Escape: () => document.querySelector("#tools summary, #tools button").focus(),
  };

  grid.addEventListener("keydown", (event) => {
    if (!at.has(event.target) || event.isComposing || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "z") {
        event.preventDefault();
        undo();
      }
      return;
    }
    const action = keys[event.key];
    if (action) {
      if (action(event) !== false) event.preventDefault();
    } else if (isLetter(asLetter(event.key))) {
      event.preventDefault();
      enter(event.key);
    }
  });

  // keydown has no useful data for phone keyboards, dead keys and pasted text.
  grid.addEventListener("beforeinput", (event) => {
    if (event.isComposing || event.inputType === "insertCompositionText") return;
    event.preventDefault();
    if (event.inputType.startsWith("delete")) erase();
    else enter(event.data ?? event.dataTransfer?.getData("text/plain") ?? "");
  });
  grid.addEventListener("input", (event) => {
    const letter = asLetter([...(event.data ?? "")].at(-1) ?? "");
    if (event.isComposing && isLetter(letter)) enter(letter);
    else if (!event.isComposing) show();
  });
  grid.addEventListener("compositionend", show);

  let pressed = null; // the cell that was current when the pointer came down
  grid.addEventListener("pointerdown", (event) => {
    if (!at.has(event.target)) event.preventDefault(); // so that the grid keeps the focus
    pressed = document.activeElement === here.input ? here : null;
  });
  grid.addEventListener("click", (event) => {
    const box = event.target.closest("td");
    const leads = box?.dataset.leads?.split(" "); // the words of a clue cell
    if (leads) {
      const { top, height } = box.getBoundingClientRect();
      goToSlot(slots.get(leads[Math.floor(((event.clientY - top) / height) * leads.length)]));
    }
    const cell = at.get(box?.querySelector("input"));
    if (!cell) return;
    if (cell === pressed && cell !== reached) turn();
    else go(cell);
    reached = typed = jumped = null;
  });
  grid.addEventListener("focusin", (event) => {
    const cell = at.get(event.target);
    if (cell && cell !== here) go(cell);
  });

  // Devices with only an on-screen keyboard get the page's own, smaller one, which leaves the grid visible.

  let touch = matchMedia("(pointer: coarse)").matches;

  function useKeys() {
    document.documentElement.classList.toggle("touch", touch);
    $("keys").hidden = !touch;
    for (const cell of cells) cell.input.inputMode = touch ? "none" : "text";
    here.input.blur();
    here.input.focus({ preventScroll: true });
  }

  function makeKeys() {
    const rows = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].map((row) => [...row]);
    const wanted = [...others].filter((letter) => letter !== null);
    const more = wanted.filter((letter) => !rows.flat().includes(letter)).sort();
    const latin = wanted.some((letter) => /^[A-Z]$/.test(letter)) || !wanted.length;
    if (!latin) rows.length = 0;
    for (let start = 0; start < more.length; start += 10) rows.push(more.slice(start, start + 10));
    rows.at(-1).push("\u232b");
    for (const row of rows) {
      const line = document.createElement("div");
      for (const letter of row) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = letter;
        if (letter === "\u232b") button.setAttribute("aria-label", inWords("Delete"));
        button.addEventListener("click", () => {
          if (letter === "\u232b") erase();
          else enter(letter);
        });
        line.append(button);
      }
      $("keys").append(line);
    }
    $("keys").addEventListener("pointerdown", (event) => event.preventDefault()); // so the grid keeps the focus
  }

  // Long notes above the grid reduce the height left for the grid.
  function fit() {
    if (!touch) document.documentElement.style.setProperty("--above", `${grid.offsetTop}px`);
  }

  // Start

  const manners = {
    autocapitalize: "characters",
    autocomplete: "off",
    autocorrect: "off",
    spellcheck: "false",
  };
  for (const { input } of cells) {
    input.removeAttribute("maxlength");
    for (const [name, value] of Object.entries(manners)) input.setAttribute(name, value);
  }
  for (const slot of order) {
    slot.button = document.createElement("button");
    slot.button.type = "button";
    slot.button.append(...slot.item.childNodes);
    slot.button.addEventListener("click", () => goToSlot(slot));
    slot.item.append(slot.button);
  }
  if (cells.every((cell) => cell.right === null)) {
    for (const name of ["check", "reveal"]) $(name).hidden = true;
  }
  for (const name of ["tools", "dock"]) $(name).hidden = false;
  recall();
  makeKeys();
  show();
  mark();
  fit();
  window.addEventListener("resize", fit);
  if (touch) {
    $("switch").hidden = false;
    useKeys();
  }
  done = cells.every((cell) => cell.letter) && allKnown && cells.every(fits);
  if (done) say(inWords("Solved."));
  document.body.classList.toggle("done", done);
})();
