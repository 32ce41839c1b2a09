// All pairs: a matrix of gaps; a click on a cell asks that question.

import { $, h, formatNumber } from "./dom.js";
import { label } from "./graph.js";

export function showPairs(pairs, state, fact, foil, onAsk) {
  if (!pairs) { $("pairs").replaceChildren(h("p", { className: "muted" }, "No gaps to show.")); return; }
  const { topics, gaps } = pairs;
  const largest = Math.max(1e-12, ...gaps.flat().map(Math.abs));
  const names = topics.map((name) => label(state.graph, name));
  const head = h("tr", {}, h("td"), ...names.map((text) => h("th", { scope: "col", title: text }, h("span", {}, text))));
  const body = topics.map((row, i) => h("tr", {}, h("th", { scope: "row", title: names[i] }, h("span", {}, names[i])),
    ...topics.map((column, j) => h("td", {}, i === j ? "·" : cell(i, j)))));
  function cell(i, j) {
    const gap = gaps[i][j], tied = gap === 0;
    const asked = topics[i] === fact && topics[j] === foil;
    const said = tied ? "tied" : formatNumber(gap, true);
    const made = h("button", {
      className: `cell ${tied ? "tied" : gap > 0 ? "ahead" : "behind"}`,
      "aria-pressed": String(asked), title: `Ask why ${names[i]} is rated ${tied ? "level with" : gap > 0 ? "above" : "below"} ${names[j]}`,
      "aria-label": `${names[i]} against ${names[j]}: ${said}`,
      onclick: () => onAsk(topics[i], topics[j]),
    }, tied ? "tied" : formatNumber(gap, true, 2));
    made.style.setProperty("--share", Math.round(8 + 52 * Math.abs(gap) / largest) + "%");
    return made;
  }
  const focused = document.activeElement?.getAttribute?.("aria-label");
  const inside = $("pairs").contains(document.activeElement);
  $("pairs").replaceChildren(h("table", { className: topics.length < 6 ? "matrix few" : "matrix" }, head, ...body));
  if (inside) {
    const again = [...$("pairs").querySelectorAll("button")].find((b) => b.getAttribute("aria-label") === focused)
      ?? $("pairs").querySelector('[aria-pressed="true"]');
    again?.focus({ preventScroll: true });
  }
}
