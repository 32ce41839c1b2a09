// Change the graph. Every change is tried on the server first, one after the other; what is refused is said beside the place.

import { ask, telling } from "./api.js";
import { baseScore, edges, has, rawLabel } from "./graph.js";

let last = Promise.resolve();

/** Change the state by `revise`, which gives the parts that change, or a text that says why nothing can. `before` is called when the change is sure. */
export function attempt(store, tell, revise, before = () => {}) {
  const work = () => telling(tell, async () => {
    for (;;) {
      const { graph } = store.now, part = revise(store.now);
      if (typeof part === "string") return void tell(part);
      await ask("convert", { graph: part.graph, semantics: null });
      if (store.now.graph !== graph) continue; // undone meanwhile, or another graph: look again
      tell("");
      before();
      store.change({ example: undefined, ...revise(store.now) });
      return true;
    }
  });
  last = last.then(work, work);
  return last;
}

// -- what can be changed: each gives a function from a state to the parts that change

const lacks = (name) => `there is no argument '${name}' any more`;

function wrongName(graph, name) {
  if (!name.trim()) return "an argument needs a name";
  return has(graph, name) ? `there is an argument '${name}' already; choose another name` : "";
}

const isScore = (value) => typeof value === "number" && value >= 0 && value <= 1;
const wrongScore = (value) => (isScore(value) ? "" : "a base score is a number between 0 and 1");
const isWeight = (value) => typeof value === "number" && value >= 0 && value < Infinity;
const wrongWeight = (value) => (isWeight(value) ? "" : "a weight is a number that is 0 or more");

/** What a field holds, as a number; null where it is empty. */
export const numberOf = (input) => (input.value.trim() === "" ? null : Number(input.value));

export const addArgument = (name, text, score) => ({ graph }) =>
  wrongName(graph, name) || wrongScore(score) || { graph: withArgument(graph, name, text, score) };

export const setLabel = (name, text) => ({ graph }) =>
  (has(graph, name) ? { graph: withArgument(graph, name, text, baseScore(graph, name)) } : lacks(name));

export const setScore = (name, score) => (state) => {
  const { graph } = state;
  if (!has(graph, name)) return lacks(name);
  return wrongScore(score) || { graph: withArgument(graph, name, rawLabel(graph, name), score), ...unset(state, name) };
};

export const setTopic = (name, isTopic) => ({ graph }) => {
  const others = (graph.topics ?? []).filter((each) => each !== name);
  return has(graph, name) ? { graph: withTopics(graph, isTopic ? [...others, name] : others) } : lacks(name);
};

export const rename = (old, name) => ({ graph, set, scores, removed, fact, foil }) => {
  if (!has(graph, old)) return lacks(old);
  const now = (each) => (each === old ? name : each);
  const moved = (values) => Object.fromEntries(Object.entries(values).map(([each, value]) => [now(each), value]));
  return (name !== old && wrongName(graph, name))
    || { graph: renamed(graph, old, name), set: moved(set), scores: moved(scores), removed: removed.map(now), fact: now(fact), foil: now(foil) };
};

export const deleteArgument = (name) => (state) => {
  const { graph, removed, fact, foil } = state, not = (each) => (each === name ? undefined : each);
  if (!has(graph, name)) return lacks(name);
  return { graph: withoutArgument(graph, name), ...unset(state, name), removed: removed.filter((each) => each !== name), fact: not(fact), foil: not(foil) };
};

export const isSame = (edge, { kind, source, target }) => edge.kind === kind && edge.source === source && edge.target === target;

export const addEdge = (edge) => ({ graph }) => {
  const missing = [edge.source, edge.target].find((name) => !has(graph, name)), list = edges(graph);
  if (missing !== undefined) return lacks(missing);
  return wrongWeight(edge.weight) || taken(list, edge) || { graph: withEdges(graph, [...list, edge]) };
};

/** Another source, target, kind or weight for an edge. */
export const changeEdge = (edge, part) => ({ graph }) => {
  const list = edges(graph), others = list.filter((each) => !isSame(each, edge)), next = { ...edge, ...part };
  if (others.length === list.length) return "this edge no longer exists";
  return wrongWeight(next.weight) || taken(others, next) || { graph: withEdges(graph, list.map((each) => (isSame(each, edge) ? { ...each, ...part } : each))) };
};

export const deleteEdge = (edge) => ({ graph }) => ({ graph: withEdges(graph, edges(graph).filter((each) => !isSame(each, edge))) });

/** Two arguments have one edge in each direction at most. */
function taken(list, { source, target }) {
  const there = list.find((each) => each.source === source && each.target === target);
  return there ? `'${source}' ${there.kind}s '${target}' already; change that edge instead` : "";
}

function unset(state, name) {
  const set = { ...state.set }, scores = { ...state.scores };
  delete set[name];
  delete scores[name];
  return { set, scores };
}

// -- changed copies of a graph

/** The graph with these edges. */
function withEdges(graph, list) {
  const of = (kind) => list.filter((edge) => edge.kind === kind).map((edge) => [edge.source, edge.target]);
  const weights = list.filter((edge) => edge.weight !== 1).map((e) => [e.kind, e.source, e.target, e.weight]);
  const made = { ...graph, attacks: of("attack"), supports: of("support") };
  delete made.edge_weights;
  return weights.length ? { ...made, edge_weights: weights } : made;
}

/** The graph with an argument added or changed. */
function withArgument(graph, name, text, score) {
  const entry = { name, argument: text || name, initial_weight: score };
  return { ...graph, arguments: { ...graph.arguments, [name]: entry } };
}

function withoutArgument(graph, name) {
  const kept = Object.fromEntries(Object.entries(graph.arguments).filter(([each]) => each !== name));
  const list = edges(graph).filter((edge) => edge.source !== name && edge.target !== name);
  const made = withMembers({ ...withUncertain(withEdges(graph, list), (each) => (each === name ? null : each)), arguments: kept }, (members) => members.filter((each) => each !== name));
  return withTopics(made, (graph.topics ?? []).filter((t) => t !== name));
}

/** The graph with another name for an argument, everywhere. */
function renamed(graph, old, name) {
  const now = (each) => (each === old ? name : each);
  const entries = Object.entries(graph.arguments).map(([key, entry]) => {
    if (key !== old) return [key, entry];
    const text = rawLabel(graph, old);
    return [name, { name, argument: text === old ? name : text, initial_weight: entry.initial_weight }];
  });
  const list = edges(graph).map((edge) => ({ ...edge, source: now(edge.source), target: now(edge.target) }));
  const made = withMembers({ ...withUncertain(withEdges(graph, list), now), arguments: Object.fromEntries(entries) }, (members) => members.map(now));
  return withTopics(made, (graph.topics ?? []).map(now));
}

/** The graph with the members of each group changed; a group that has none left is gone. */
function withMembers(graph, change) {
  const groups = Object.entries(graph.groups ?? {}).map(([name, members]) => [name, change(members)]).filter(([, members]) => members.length);
  const made = { ...graph };
  delete made.groups;
  return groups.length ? { ...made, groups: Object.fromEntries(groups) } : made;
}

/** The graph whose uncertain base scores belong to other names; those whose name is null are gone. */
function withUncertain(graph, change) {
  const kept = Object.entries(graph.uncertain ?? {}).map(([name, value]) => [change(name), value]).filter(([name]) => name !== null);
  const made = { ...graph };
  delete made.uncertain;
  return kept.length ? { ...made, uncertain: Object.fromEntries(kept) } : made;
}

function withTopics(graph, topics) {
  const made = { ...graph };
  delete made.topics;
  return topics.length ? { ...made, topics } : made;
}
