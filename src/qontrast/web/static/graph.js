// Looking at a graph in native JSON; revise.js makes changed copies of it.

import { visible } from "./dom.js";

export const names = (graph) => Object.keys(graph.arguments);

/** The label of an argument as it is shown; hidden characters are visible. */
export const label = (graph, name) => visible(rawLabel(graph, name));

/** The label of an argument as the file has it; its name where it has none. */
export function rawLabel(graph, name) {
  const entry = own(graph.arguments, name);
  return entry === undefined ? name : entry.label ?? entry.argument ?? name;
}

/** What an object from JSON has under a name; an argument may be called "constructor". */
export const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/** Whether a graph has an argument of this name. */
export const has = (graph, name) => typeof name === "string" && Object.hasOwn(graph.arguments, name);

export const baseScore = (graph, name) => graph.arguments[name].initial_weight;

/** Every edge as {kind, source, target, weight}. */
export function edges(graph) {
  const weights = new Map((graph.edge_weights ?? []).map(([kind, a, b, w]) => [JSON.stringify([kind, a, b]), w]));
  const of = (kind) => (graph[`${kind}s`] ?? []).map(([source, target]) =>
    ({ kind, source, target, weight: weights.get(JSON.stringify([kind, source, target])) ?? 1 }));
  return [...of("attack"), ...of("support")];
}

/** These arguments and all that their paths lead to, without the removed ones. */
export function reach(graph, starts, removed) {
  const gone = new Set(removed), found = new Set(starts), list = edges(graph);
  let before = 0;
  while (found.size > before) {
    before = found.size;
    for (const { source, target } of list) if (found.has(source) && !gone.has(source) && !gone.has(target)) found.add(target);
  }
  return found;
}
