// The state that a link holds. What comes out of it is data; the server checks it like any file.

import { ask, get } from "./api.js";
import { names } from "./graph.js";
import { through } from "./state.js";

const MOST = 4 * 2 ** 20; // what the server would take

/** The state in a fragment: null where there is none, an error where it is damaged. */
async function unpacked(fragment) {
  const found = /^#?s=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const data = await through(Uint8Array.from(text, (char) => char.charCodeAt(0)), DecompressionStream);
    if (data.length > MOST) throw new Error("too long");
    const state = JSON.parse(new TextDecoder().decode(data));
    if (state?.v !== 1) throw new Error("another version");
    return sane(state);
  } catch {
    throw new Error("the link is damaged and was not opened");
  }
}

const text = (value) => (typeof value === "string" ? value : undefined);
const plain = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : undefined);

/** Whether this is one kind of distribution with its numbers. */
function isDistribution(value) {
  const [one, ...more] = Object.values(plain(value) ?? {});
  return !more.length && Array.isArray(one) && one.every((each) => typeof each === "number" && each >= 0);
}

/** Only fields that we know, each of its own type. */
function sane(state) {
  const set = Object.entries(plain(state.set) ?? {}).filter(([, score]) => typeof score === "number");
  const removed = Array.isArray(state.removed) ? state.removed.filter((name) => typeof name === "string") : [];
  const scores = Object.entries(plain(state.scores) ?? {}).filter(([, value]) => value === null || isDistribution(value));
  const made = { set: Object.fromEntries(set), scores: Object.fromEntries(scores), removed };
  for (const key of ["name", "fact", "foil", "players", "method", "semantics", "solver", "example"]) made[key] = text(state[key]);
  if (!made.example && !plain(state.graph)) throw new Error("no graph");
  return { ...made, graph: plain(state.graph) };
}

/** The state of a link, with the graph as the server writes it. */
export async function restored(tables) {
  const state = await unpacked(location.hash);
  if (!state) return null;
  const graph = state.example ? await get(`examples/${encodeURIComponent(state.example)}`)
    : JSON.parse((await ask("convert", { graph: state.graph })).text);
  return fitting({ ...state, graph }, tables);
}

/** A state without what its graph and this server do not know. */
export function fitting(found, tables) {
  const state = { ...found }, known = names(state.graph);
  state.removed = state.removed.filter((name) => known.includes(name));
  for (const each of ["set", "scores"]) state[each] = Object.fromEntries(Object.entries(state[each]).filter(([name]) => known.includes(name)));
  const offered = { method: Object.keys(tables.methods), players: Object.keys(tables.players), semantics: Object.keys(tables.semantics), solver: tables.solvers };
  for (const [key, list] of Object.entries(offered)) if (!list.includes(state[key])) delete state[key];
  for (const key of Object.keys(state)) if (state[key] === undefined) delete state[key];
  return state;
}
