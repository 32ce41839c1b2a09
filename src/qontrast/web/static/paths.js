// How an argument acts: its signed paths in words.

import { ask, telling } from "./api.js";
import { $, dress, h } from "./dom.js";
import { label } from "./graph.js";
import { aboutGraph } from "./state.js";

/** How an argument acts on both topics: its signed paths in words. */
export async function showPaths(state, name, fact, foil, signal) {
  const place = $("paths");
  if (name === null) {
    place.replaceChildren(h("p", { className: "muted" }, "Click an argument in the graph, or a bar, to list the paths through which it acts."));
    return;
  }
  const topics = [fact, foil].filter((topic) => topic !== name);
  const title = h("h3", {}, `How ${label(state.graph, name)} acts`);
  if (state.removed.includes(name)) { place.replaceChildren(title, h("p", {}, "It is removed.")); return; }
  dress();
  await telling((message) => place.replaceChildren(title, h("p", { className: "problem" }, message)), async () => {
    const found = await ask("paths", { ...aboutGraph(state), contributor: name, topics, most: 12 }, signal);
    place.replaceChildren(title, ...found.topics.flatMap((each, k) => listed(each, found.parts[k], state, fact)));
  });
}

function listed(found, parts, state, fact) {
  const topic = label(state.graph, found.topic);
  if (!found.paths.length) return [h("p", {}, `No path leads to ${topic}.`)];
  const lines = found.paths.map(({ sign }, k) =>
    h("li", { className: sign > 0 === (found.topic === fact) ? "up" : "down" }, h("b", {}, `${sign > 0 ? "▲" : "▼"} ${parts[k][0]}`), ` ${parts[k][1]}`));
  const more = found.left_out
    ? [h("p", { className: "muted" }, `${found.counted_all ? "" : "at least "}${found.left_out.toLocaleString()} weaker paths are left out`)] : [];
  return [h("ul", { className: "paths" }, ...lines), ...more];
}
