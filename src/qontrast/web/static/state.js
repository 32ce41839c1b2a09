// What the page is about, and its history. A state is never changed, only replaced:
//   graph     native JSON, as the server normalised it        name     what it is called
//   set       base scores that differ from the graph's        removed  names of unticked arguments
//   scores    what base scores may be, where that differs from the graph's: argument → { interval: [low, high] }, or null
//   fact, foil, players, method, semantics, solver            the question; groups are part of the graph

import { baseScore, own } from "./graph.js";

const JOIN = 1000; // milliseconds in which changes of one input are one step of the history

export class Store extends EventTarget {
  #states = [];
  #at = -1;
  #last = { key: null, time: 0 };

  get now() { return this.#states[this.#at]; }
  get canUndo() { return this.#at > 0; }
  get canRedo() { return this.#at < this.#states.length - 1; }

  /** A new state; changes with the same key in quick succession become one. */
  change(part, key = null) {
    const time = performance.now();
    const joined = key !== null && key === this.#last.key && time - this.#last.time < JOIN;
    const next = { ...this.now, ...part };
    this.#states.splice(this.#at + (joined ? 0 : 1), Infinity, next);
    this.#at = this.#states.length - 1;
    if (this.#states.length > 500) { this.#states.shift(); this.#at -= 1; }
    this.#last = { key, time };
    this.#tell();
  }

  /** Fill in what the answer has settled; no step of the history, and nothing to ask again. */
  settle(part) { this.#states[this.#at] = { ...this.now, ...part }; }

  undo() { this.#move(-1); }
  redo() { this.#move(1); }

  #move(by) {
    const next = this.#at + by;
    if (next < 0 || next >= this.#states.length) return;
    this.#at = next;
    this.#last = { key: null, time: 0 };
    this.#tell();
  }

  #tell() { this.dispatchEvent(new Event("change")); }
}

/** A state as the fields of a question to the server about the graph alone. */
export const aboutGraph = ({ graph, semantics, solver, set, removed }) => ({ graph, set, remove: removed, semantics, solver });

/** The same with what base scores may be, for questions that have a use for it. */
export const withScores = (state, about) => ({ ...about, scores: state.scores });

/** The base score of an argument: the one that was set, else that of the graph. */
export const scoreOf = ({ graph, set }, name) => own(set, name) ?? baseScore(graph, name);

/** What the base score of an argument may be, such as { interval: [0.6, 0.9] }; null where it is certain, as one is that was set. */
export function uncertain({ graph, set, scores }, name) {
  if (Object.hasOwn(scores, name)) return scores[name];
  return Object.hasOwn(set, name) ? null : own(graph.uncertain, name) ?? null;
}

/** The arguments of a state whose base scores are uncertain. */
export function listUncertain(state) {
  const known = new Set([...Object.keys(state.graph.uncertain ?? {}), ...Object.keys(state.scores)]);
  return [...known].filter((name) => !state.removed.includes(name) && uncertain(state, name));
}

/** The topics of a state, none of which can be in a group. */
export const topicsOf = ({ graph, fact, foil }) => [fact, foil, ...(graph.topics ?? [])];

/** Who contributes: a word, or the groups of the graph without the topics. */
export function playersOf(state) {
  if (state.players !== "groups") return state.players;
  const topics = [state.fact, state.foil], taken = topics.includes(undefined) ? topicsOf(state) : topics;
  const groups = Object.entries(state.graph.groups ?? {}).map(([name, members]) => [name, members.filter((each) => !taken.includes(each))]);
  return Object.fromEntries(groups.filter(([, members]) => members.length));
}

/** The same with fact, foil, players and method. */
export const question = (state) => ({ ...aboutGraph(state), fact: state.fact, foil: state.foil, players: playersOf(state), method: state.method });

/** Bytes through a stream that packs or unpacks them. */
export async function through(data, Transform) {
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new Transform("deflate-raw"))).arrayBuffer());
}

/** A state as the fragment of the address: JSON, deflated, in base64; restore.js reads it. */
export async function packed({ example, graph, ...state }) {
  const kept = { v: 1, ...state, ...(example ? { example } : { graph }) };
  const data = await through(new TextEncoder().encode(JSON.stringify(kept)), CompressionStream);
  const text = Array.from(data, (each) => String.fromCharCode(each)).join("");
  return "s=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
