// @ts-check
// Small helpers for the page's elements.

/**
 * @template {string} K
 * @param {K} id
 * @returns {ElementOf<K>}
 */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * A new element. Properties are set as properties; data-, aria- and role as attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} properties
 * @param {...(string | Node | null | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * @param {string} text
 * @param {(event: MouseEvent) => unknown} action
 * @param {Record<string, any>} properties
 */
export function button(text, action, properties = {}) {
  const made = make("button", { type: "button", ...properties }, text);
  made.addEventListener("click", action);
  return made;
}

/**
 * Replace the children of an element. If one of them had the keyboard focus, the new element with
 * the same `data-key` gets it, or else `fallback`, so that the focus is never lost to the page.
 */
export function redraw(element, children, fallback = null) {
  const key = element.contains(document.activeElement) ? focused().dataset.key ?? "" : null;
  element.replaceChildren(...children);
  if (key === null) return;
  const same = key && element.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (same || fallback)?.focus({ preventScroll: true });
}

/**
 * Call `action` at each event of a kind at the element with that id.
 * @param {(event: any) => unknown} action
 */
export const on = (id, kind, action) => byId(id).addEventListener(kind, action);

/** The element that an event happened to. @returns {any} */
export const targetOf = (event) => event.target;

/** The element with the keyboard focus. @returns {any} */
export const focused = () => document.activeElement;

/**
 * @param {string} selector
 * @returns {any[]}
 */
export const every = (selector) => [...document.querySelectorAll(selector)];

export const say = (id, text) => (byId(id).textContent = text);

/** A sentence of the server, with its cells (r1c2) as the page names them. */
export const spokenCells = (text) => text.replace(/\br(\d+)c(\d+)\b/g, "row $1, column $2");

/** Show a message in the element `id`, also to screen readers. `kind` is "bad" for errors. */
export function showMessage(id, said, kind = "") {
  const [element, text] = [byId(id), spokenCells(said)];
  element.className = kind;
  if (element.textContent !== text) element.textContent = text;
}

export function showStatus(text, kind = "") {
  showMessage("status", text, kind);
  byId("why-here").hidden = !text.includes("“Why not?”");
  if (byId("begin").open) say("begin-about", kind === "bad" ? text : "");
}

/** Return a function that calls `action` once it has not been called for `pause` milliseconds. */
export function debounce(action, pause) {
  let timer = 0;
  return (...parameters) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...parameters), pause);
  };
}

export const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/** What the server says of a file, which it can't name. */
export const ofFile = (error) => error.message.replace(/^the (file|list): /, "");

/** Notes of the server as sentences. */
export const sentences = (notes) => notes.map((note) => capitalized(note).replace(/[^.!?]$/, "$&."));

export const plural = (number, noun) =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export const seconds = (value) =>
  value > 0 && value < 0.00095 ? `${(value * 1000).toFixed(1)} ms` : value < 0.0995 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(value < 10 ? 2 : 1)} s`;

export function saveFile(name, content) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A small picture of a grid: rows of letters, "#" for blocks and "_" for cells without a letter. */
export function thumbnail(rows) {
  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const width = [...rows[0]].length;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${rows.length}`, class: "thumbnail", "aria-hidden": "true" });
  rows.forEach((row, r) =>
    [...row].forEach((cell, c) => {
      if (cell === "#") picture.append(svg("rect", { x: c, y: r, width: 1, height: 1 }));
      else if (cell !== "_") {
        const text = svg("text", { x: c + 0.5, y: r + 0.8, "text-anchor": "middle", "font-size": 0.8 });
        text.textContent = cell;
        picture.append(text);
      }
    }),
  );
  return picture;
}
