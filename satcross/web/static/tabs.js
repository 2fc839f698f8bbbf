// The panels beside the grid, each with a tab.

import { ui, uiChanged } from "./store.js";

const tabs = () => [...document.querySelectorAll("[role=tab]")];

export function openTab(name, focus = false) {
  const wanted = tabs().find((tab) => tab.dataset.tab === name) ?? tabs()[0];
  for (const tab of tabs()) {
    const chosen = tab === wanted;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  // scrollIntoView would move the starting point of the Tab key.
  const strip = wanted.parentElement;
  const [all, one] = [strip.getBoundingClientRect(), wanted.getBoundingClientRect()];
  strip.scrollLeft += Math.min(0, one.left - all.left) + Math.max(0, one.right - all.right);
  if (focus) wanted.focus();
  if (ui.tab !== wanted.dataset.tab) {
    ui.tab = wanted.dataset.tab;
    uiChanged();
  }
}

export function startTabs() {
  for (const tab of tabs()) {
    tab.addEventListener("click", () => openTab(tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      const all = tabs();
      const here = all.indexOf(tab);
      const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      openTab(all[(to + all.length) % all.length].dataset.tab, true);
    });
  }
  openTab(ui.tab);
}
