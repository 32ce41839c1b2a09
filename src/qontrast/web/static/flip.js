// What would have to change for the foil to win, with a button that does it.

import { ask, telling } from "./api.js";
import { $, h } from "./dom.js";
import { label } from "./graph.js";
import { aboutGraph } from "./state.js";

const MARGIN = 0.01; // by which the other one shall be ahead: a change that can be seen
let shownFor = null; // the question whose answer stands there

/** What would make the one behind win, with a button that does it. */
export async function showFlip(state, answer, apply, signal) {
  const strengths = answer.strengths?.strengths, ahead = !(strengths?.[answer.fact] < strengths?.[answer.foil]), fact = ahead ? answer.fact : answer.foil, foil = ahead ? answer.foil : answer.fact;
  const place = $("flip"), { graph } = state;
  const title = h("h3", {}, `What would make ${label(graph, foil ?? "")} win over ${label(graph, fact ?? "")}?`);
  if (!fact || !foil || fact === foil) { place.replaceChildren(h("p", { className: "muted" }, "Choose two different arguments.")); return; }
  const body = { ...aboutGraph(state), fact, foil }, key = JSON.stringify(body);
  if (key === shownFor && place.children.length) return;
  shownFor = null;
  place.replaceChildren(title, h("p", { className: "muted" }, "Searching …"));
  await telling((message) => place.replaceChildren(title, h("p", { className: "problem" }, message)), async () => {
    let found = await ask("flip", { ...body, margin: MARGIN }, signal), by = MARGIN;
    if (!found.base_scores.change && !found.removal.arguments) [found, by] = [await ask("flip", body, signal), null];
    const stated = by && (found.base_scores.change || found.removal.arguments) ? `After either change ${label(graph, foil)} is ahead by at least ${by}.` : "";
    place.replaceChildren(title, ...suggestions(found, graph, apply), h("p", { className: "muted" }, stated));
    shownFor = key;
  });
}

function suggestions(found, graph, apply) {
  const made = [h("p", {}, found.words)];
  const { change } = found.base_scores, gone = found.removal.arguments;
  if (change && Object.keys(change).length) {
    const moves = Object.entries(found.moves).map(([name, [from, to]]) => h("li", {}, `${label(graph, name)}: ${from} → ${to}`));
    const set = Object.fromEntries(Object.entries(change).map(([name, { to }]) => [name, to]));
    made.push(h("ul", {}, ...moves), h("button", { className: "main", id: "apply-change", title: "Set these base scores; Undo brings the old ones back", onclick: () => apply({ set }) }, "Apply these base scores"));
  }
  if (gone && gone.length) {
    made.push(" ", h("button", { className: "main", id: "apply-removal", title: "Remove it from the graph; Undo brings it back", onclick: () => apply({ remove: gone }) },
      `Remove ${gone.map((name) => label(graph, name)).join(" and ")}`));
  }
  return made;
}
