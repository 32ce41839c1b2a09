// The tabs under the graph, and the answer in more words; paths.js, flip.js and compare.js are fetched when opened.

import { $, h } from "./dom.js";

const TABS = ["words", "paths", "flip", "compare"];

export function openTab(name) {
  for (const each of TABS) {
    $(each).hidden = each !== name;
    $(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    $(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
}

export function startTabs(onOpen) {
  TABS.forEach((name, k) => {
    const tab = $(`tab-${name}`);
    tab.addEventListener("click", () => { openTab(name); onOpen(name); });
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, Home: -k, End: -k - 1 }[event.key];
      if (!by) return;
      const next = $(`tab-${TABS[(k + by + TABS.length) % TABS.length]}`);
      next.focus();
      next.click();
    });
  });
}

export const openedTab = () => TABS.find((name) => !$(name).hidden);

/** The answer in a paragraph, and how it was measured. */
export function showWords(found) {
  const lines = found.contrast ? [found.paragraph, `Computed by ${found.way}.`]
    : [found.undefined?.message ?? found.refused ?? ""];
  $("words").replaceChildren(...lines.map((text, k) => h("p", { className: k ? "muted" : "" }, text)));
}
