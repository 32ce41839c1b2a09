// How an argument acts: its signed paths in words.

import { ask, Refused } from "./api.js";
import { $, h } from "./dom.js";
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
  try {
    const found = await ask("paths", { ...aboutGraph(state), contributor: name, topics, most: 12 }, signal);
    place.replaceChildren(title, ...found.topics.flatMap((each) => listed(each, state, fact)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.replaceChildren(title, h("p", { className: "problem" }, error.message));
  }
}

function listed(found, state, fact) {
  const topic = label(state.graph, found.topic);
  if (!found.paths.length) return [h("p", {}, `No path leads to ${topic}.`)];
  const lines = found.paths.map((path) => {
    const [verb, trail] = split(path.words);
    return h("li", { className: path.sign > 0 === (found.topic === fact) ? "up" : "down" }, h("b", {}, `${path.sign > 0 ? "▲" : "▼"} ${verb}`), ` ${trail}`);
  });
  const more = found.left_out
    ? [h("p", { className: "muted" }, `${found.counted_all ? "" : "at least "}${found.left_out.toLocaleString()} weaker paths are left out`)] : [];
  return [h("ul", { className: "paths" }, ...lines), ...more];
}

/** "raises T by 0.2 per unit of base score: a —attacks→ T" as its verb and its trail. */
function split(words) {
  const found = /^(\w+ (?:“.*?”(?: \[.*?\])?|\S+?)(?: by \S+ per unit of base score)?): (.*)$/.exec(words);
  return found ? [found[1], found[2]] : [words, ""];
}
