// Looking at a graph in native JSON, and making a changed copy of it. Whether the copy makes sense is for the server.

import { visible } from "./dom.js";

export const names = (graph) => Object.keys(graph.arguments);

/** The label of an argument as it is shown; hidden characters are visible. */
export const label = (graph, name) => visible(rawLabel(graph, name));

/** The label of an argument as the file has it; its name where it has none. */
export function rawLabel(graph, name) {
  const entry = graph.arguments[name];
  return entry === undefined ? name : entry.label ?? entry.argument ?? name;
}

export const baseScore = (graph, name) => graph.arguments[name].initial_weight;

/** Every edge as {kind, source, target, weight}. */
export function edges(graph) {
  const weights = new Map((graph.edge_weights ?? []).map(([kind, a, b, w]) => [JSON.stringify([kind, a, b]), w]));
  const of = (kind) => (graph[`${kind}s`] ?? []).map(([source, target]) =>
    ({ kind, source, target, weight: weights.get(JSON.stringify([kind, source, target])) ?? 1 }));
  return [...of("attack"), ...of("support")];
}

/** The graph with these edges. */
export function withEdges(graph, list) {
  const of = (kind) => list.filter((edge) => edge.kind === kind).map((edge) => [edge.source, edge.target]);
  const weights = list.filter((edge) => edge.weight !== 1).map((e) => [e.kind, e.source, e.target, e.weight]);
  const made = { ...graph, attacks: of("attack"), supports: of("support") };
  delete made.edge_weights;
  return weights.length ? { ...made, edge_weights: weights } : made;
}

/** The graph with an argument added or changed. */
export function withArgument(graph, name, text, score) {
  const entry = { name, argument: text || name, initial_weight: score };
  return { ...graph, arguments: { ...graph.arguments, [name]: entry } };
}

export function withoutArgument(graph, name) {
  const kept = Object.fromEntries(Object.entries(graph.arguments).filter(([each]) => each !== name));
  const list = edges(graph).filter((edge) => edge.source !== name && edge.target !== name);
  return withTopics({ ...withEdges(graph, list), arguments: kept }, (graph.topics ?? []).filter((t) => t !== name));
}

/** The graph with another name for an argument, everywhere. */
export function renamed(graph, old, name) {
  const now = (each) => (each === old ? name : each);
  const entries = Object.entries(graph.arguments).map(([key, entry]) => {
    if (key !== old) return [key, entry];
    const text = rawLabel(graph, old);
    return [name, { name, argument: text === old ? name : text, initial_weight: entry.initial_weight }];
  });
  const list = edges(graph).map((edge) => ({ ...edge, source: now(edge.source), target: now(edge.target) }));
  return withTopics({ ...withEdges(graph, list), arguments: Object.fromEntries(entries) }, (graph.topics ?? []).map(now));
}

export function withTopics(graph, topics) {
  const made = { ...graph };
  delete made.topics;
  return topics.length ? { ...made, topics } : made;
}

/** An argument and all that its paths lead to, without the removed ones. */
export function reach(graph, name, removed) {
  const gone = new Set(removed), found = new Set([name]), list = edges(graph);
  let before = 0;
  while (found.size > before) {
    before = found.size;
    for (const { source, target } of list) if (found.has(source) && !gone.has(source) && !gone.has(target)) found.add(target);
  }
  return found;
}
