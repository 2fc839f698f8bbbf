// @ts-check
// The panels beside the grid, each with a tab.

import { every, targetOf } from "./dom.js";
import { ui, uiChanged } from "./store.js";

const tabs = () => every(".tabs button");
const panelOf = (tab) => document.getElementById(`panel-${tab.dataset.tab}`);

export function openTab(name, focus = false) {
  const wanted = tabs().find((tab) => tab.dataset.tab === name) ?? tabs()[0];
  for (const tab of tabs()) {
    const chosen = tab === wanted;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    panelOf(tab).hidden = !chosen;
  }
  // scrollIntoView would move the starting point of the Tab key.
  const strip = wanted.parentElement;
  const [all, one] = [strip.getBoundingClientRect(), wanted.getBoundingClientRect()];
  strip.scrollLeft += Math.min(0, one.left - all.left) + Math.max(0, one.right - all.right);
  if (focus) wanted.focus();
  if (ui.tab !== wanted.dataset.tab || !ui.sheet) {
    ui.tab = wanted.dataset.tab;
    ui.sheet = true;
    uiChanged();
  }
  showSheet();
}

/** On a small screen the panels are a sheet at the foot of the page, which the open tab closes. */
const isSmall = () => getComputedStyle(document.body).getPropertyValue("--sheet").trim() === "yes"; // the style sheet decides

function showSheet() {
  document.body.classList.toggle("sheet-open", ui.sheet);
  if (!isSmall() || ui.sheet) return;
  for (const tab of tabs()) panelOf(tab).hidden = true;
}

export function closeSheet() {
  if (!isSmall()) return;
  ui.sheet = false;
  showSheet();
  uiChanged();
}

export function startTabs() {
  for (const tab of tabs()) {
    tab.dataset.tab = tab.id.slice("tab-".length);
    const panel = panelOf(tab);
    tab.role = "tab";
    panel.role = "tabpanel";
    panel.tabIndex = 0;
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () =>
      isSmall() && ui.sheet && tab.getAttribute("aria-selected") === "true" ? closeSheet() : openTab(tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      const all = tabs().filter((one) => one.offsetParent);
      const here = all.indexOf(tab);
      const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      openTab(all[(to + all.length) % all.length].dataset.tab, true);
    });
  }
  document.addEventListener("click", (event) => {
    const opener = targetOf(event).closest?.("[id^=open-]");
    if (opener) openTab(opener.id.slice("open-".length), true);
  });
  openTab(ui.tab);
  closeSheet();
}
