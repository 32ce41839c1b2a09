// Pin a state, change something, and see what it did.

import { $, dress, h, formatNumber, shape } from "./dom.js";
import { clearChange, explainChange } from "./change.js";
import { sortBySize } from "./engine.js";
import { label, own } from "./graph.js";
import { placeGhosts } from "./quick.js";

let shown = null; // what was pinned when the page was last brought up to date

/** The same contrast with its contributions as an object; those of edges come as a list. */
function byPlayer(found, graph) {
  if (!Array.isArray(found?.contributions)) return found;
  const entries = found.contributions.map(({ source, target, value }) => [`${label(graph, source)} → ${label(graph, target)}`, value]);
  return { ...found, contributions: Object.fromEntries(entries) };
}

/** The same contrast seen from the other side, where the two questions have exchanged fact and foil. */
function turned(was, is) {
  if (!was || was.fact !== is?.foil || was.foil !== is.fact) return was;
  const back = (value) => (value === null ? null : -value);
  const contributions = Object.fromEntries(Object.entries(was.contributions).map(([name, value]) => [name, back(value)]));
  return { ...was, fact: is.fact, foil: is.foil, gap: -was.gap, contributions };
}

/** The part that says what changed the gap; it stays while the rest is made anew. */
const changes = () => $("change") ?? h("section", { id: "change", "aria-label": "What changed the gap", "aria-live": "polite" });

/** Before (the pinned answer) and after (this one); with a signal, the server is asked what changed the gap. */
export async function showCompare(pinned, now, pin, unpin, signal) {
  if (pinned !== shown) { // the present state, or none, is pinned now: nothing has changed since
    shown = pinned;
    $("change")?.remove();
    clearChange();
  }
  showStates(pinned, now, pin, unpin);
  if (pinned && signal && !$("compare").hidden) await explainChange(pinned.state, now, $("change"), signal);
}

/** The bars of the pinned state, as hollow ones around those of the present. */
function showGhosts(was) {
  for (const each of $("bars").querySelectorAll(".ghost")) each.remove();
  const svg = $("bars").querySelector("svg");
  if (!was || !svg) return;
  for (const bar of svg.querySelectorAll(".qx-bar[data-name]")) {
    const value = own(was.contributions, bar.dataset.name), thick = bar.querySelector("rect:not(.area)");
    if (value === undefined || value === null || !thick) continue;
    const ghost = shape("rect", { class: "ghost", "data-value": value, rx: 1.5, y: Number(thick.getAttribute("y")) - 2.5, height: Number(thick.getAttribute("height")) + 5 });
    const title = shape("title", {});
    title.textContent = `Pinned: ${formatNumber(value, true)}`;
    ghost.append(title);
    bar.append(ghost);
  }
  placeGhosts(svg);
}

function showStates(pinned, now, pin, unpin) {
  dress();
  const strip = $("pinned"), place = $("compare");
  strip.hidden = !pinned;
  const button = h("button", { id: "pin", className: "main", onclick: pin }, pinned ? "Pin the present state instead" : "Pin the present state");
  showGhosts(null);
  if (!pinned) {
    place.replaceChildren(h("p", {}, "Pin a state, change something, and see here what it did. "), button);
    return;
  }
  const clear = () => h("button", { title: "Forget the pinned state", onclick: unpin }, "Unpin");
  const { state, answer } = pinned;
  const is = byPlayer(now.answer?.contrast, now.state.graph), was = turned(byPlayer(answer.contrast, state.graph), is);
  const name = (each) => label(now.state.graph, each) || label(state.graph, each);
  if (!was || !is) {
    const none = "One of the two states has no contrast to compare.";
    strip.replaceChildren(`Pinned. ${none} `, clear());
    place.replaceChildren(h("p", {}, none), button, " ", clear(), changes());
    return;
  }
  showGhosts(was);
  const asked = (each) => `${label(state.graph, each.fact)} over ${label(state.graph, each.foil)}`;
  const same = was.fact === is.fact && was.foil === is.foil;
  strip.replaceChildren(`Pinned: gap ${formatNumber(was.gap, true)}${same ? "" : ` (${asked(was)})`} → now ${formatNumber(is.gap, true)} `,
    h("b", {}, `(${formatNumber(is.gap - was.gap, true)})`), " ", clear());
  const line = (text, before, after, sign = true) => ({ text, before, after, sign, by: Math.abs((after ?? 0) - (before ?? 0)) });
  const strengths = [...new Set([was.fact, was.foil, is.fact, is.foil])].map((each) => line(`Strength of ${name(each)}`, own(was.strengths, each), own(is.strengths, each), false));
  const every = [...new Set([...Object.keys(was.contributions), ...Object.keys(is.contributions)])];
  const shares = every.map((each) => line(name(each), own(was.contributions, each), own(is.contributions, each)));
  const cells = ({ text, before, after, sign }) => h("tr", {}, h("th", { scope: "row" }, text),
    ...[before, after].map((value) => h("td", {}, value === undefined ? "–" : formatNumber(value, sign))),
    h("td", {}, before === undefined || after === undefined || before === null || after === null ? "–" : formatNumber(after - before, true)));
  const part = (title, list) => [h("tr", { className: "part" }, h("th", { colSpan: 4, scope: "colgroup" }, title)), ...list.map(cells)];
  place.replaceChildren(h("p", {}, button, " ", clear()), changes(),
    h("table", { className: "compare" },
      h("thead", {}, h("tr", {}, h("td"), ...["before", "after", "change"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...part("Strengths and gap", [...strengths, line("Gap", was.gap, is.gap)]),
        ...part(`Contributions (${was.method}${was.method === is.method ? "" : ` → ${is.method}`})`, sortBySize(shares, (each) => each.by, (each) => each.text)))));
}
