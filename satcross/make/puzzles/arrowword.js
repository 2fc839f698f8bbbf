"use strict";
// Letters are typed into the cells; the arrow keys move, and a second click turns the direction.
const rows = JSON.parse(document.getElementById("sheet").textContent).grid;
const inputs = new Map();
for (const input of document.querySelectorAll("input")) inputs.set(input.dataset.row + " " + input.dataset.column, input);
const status = document.getElementById("status");
let down = false;

const at = (row, column) => inputs.get(row + " " + column);
const place = input => [Number(input.dataset.row), Number(input.dataset.column)];
const letter = input => rows[place(input)[0]][place(input)[1]];

function step(input, rowStep, columnStep) {
  const [row, column] = place(input);
  return at(row + rowStep, column + columnStep);
}

function ahead(input, by) {
  return down ? step(input, by, 0) : step(input, 0, by);
}

function show(input) {
  for (const other of inputs.values()) other.classList.remove("word");
  if (!ahead(input, 1) && !ahead(input, -1)) down = !down;
  for (const by of [1, -1]) for (let cell = input; cell; cell = ahead(cell, by)) cell.classList.add("word");
}

function go(input) {
  if (input) { input.focus(); input.select(); }
}

for (const input of inputs.values()) {
  input.addEventListener("focus", () => show(input));
  input.addEventListener("pointerdown", () => {
    if (document.activeElement === input) { down = !down; show(input); }
  });
  input.addEventListener("input", () => {
    input.classList.remove("wrong");
    input.value = [...input.value.toUpperCase()].slice(0, letter(input).length).join("");
    if (input.value) go(ahead(input, 1));
    const full = [...inputs.values()].every(cell => cell.value === letter(cell));
    status.textContent = full ? "✓" : "";
  });
  input.addEventListener("keydown", event => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (moves[event.key]) {
      event.preventDefault();
      const turned = event.key === "ArrowUp" || event.key === "ArrowDown";
      if (turned !== down && step(input, ...moves[event.key])) down = turned;
      go(step(input, ...moves[event.key]));
      show(document.activeElement);
    } else if (event.key === "Backspace" && !input.value) {
      event.preventDefault();
      const before = ahead(input, -1);
      if (before) { before.value = ""; go(before); }
    } else if (event.key === " ") {
      event.preventDefault();
      down = !down;
      show(input);
    }
  });
}

document.getElementById("tools").hidden = false;
document.getElementById("check").addEventListener("click", () => {
  let wrong = 0;
  for (const input of inputs.values()) {
    const bad = input.value !== "" && input.value !== letter(input);
    input.classList.toggle("wrong", bad);
    wrong += bad;
  }
  status.textContent = wrong ? "✗ " + wrong : "✓";
});
document.getElementById("reveal").addEventListener("click", () => {
  for (const input of inputs.values()) { input.value = letter(input); input.classList.remove("wrong"); }
});
document.getElementById("clear").addEventListener("click", () => {
  for (const input of inputs.values()) { input.value = ""; input.classList.remove("wrong"); }
  status.textContent = "";
});
document.getElementById("print").addEventListener("click", () => window.print());
