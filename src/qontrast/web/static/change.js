// What changed the gap between the pinned state and the present one.

import { ask, Refused } from "./api.js";
import { h, formatNumber } from "./dom.js";
import { sortBySize } from "./engine.js";
import { edges, has, label } from "./graph.js";
import { aboutGraph, scoreOf } from "./state.js";

const MOST = 8; // changes to list
let before = null; // the pinned state, and its graph with base scores set and arguments removed
let shownFor = null; // the question whose answer stands there

export function clearChange() { before = shownFor = null; }

/** Ask for the share of every change in the change of the gap, and list the largest. */
export async function explainChange(pinned, { state, answer: { fact, foil } }, place, signal) {
  const others = ["semantics", "solver"].filter((each) => pinned[each] !== state[each]);
  const about = { ...aboutGraph(state), fact, foil }, key = JSON.stringify([aboutGraph(pinned), about]);
  if (!fact || !foil || fact === foil || JSON.stringify(aboutGraph(pinned)) === JSON.stringify(aboutGraph(state))) { show(place, null); return; }
  if (key === shownFor && place.children.length) return;
  shownFor = null;
  if (others.length) {
    const [one] = others;
    show(place, h("p", { className: "muted" }, `The ${one} changed from ${pinned[one]} to ${state[one]}. The shares of other changes need the same ${one} before and after.`));
    return;
  }
  place.setAttribute("aria-busy", "true");
  if (!place.children.length) place.replaceChildren(h("p", { className: "muted" }, "Computing what changed the gap …"));
  try {
    const found = await ask("change", { ...about, before: await graphBefore(pinned, signal) }, signal);
    show(place, ...describe(found, pinned, state));
    shownFor = key;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show(place, h("p", { className: "problem" }, error.message));
  }
}

function show(place, ...made) {
  place.replaceChildren(...made.filter((each) => each !== null));
  place.removeAttribute("aria-busy");
}

/** The pinned state as a graph of its own. */
async function graphBefore(pinned, signal) {
  if (before?.pinned !== pinned) {
    const { text } = await ask("convert", { ...aboutGraph(pinned), format: "json" }, signal);
    before = { pinned, graph: JSON.parse(text) };
  }
  return before.graph;
}

function describe(found, was, is) {
  const list = sortBySize(found.changes, (each) => Math.abs(each.share), JSON.stringify), left = list.length - MOST;
  const name = (each) => label(has(is.graph, each) ? is.graph : was.graph, each);
  const title = h("h3", {}, `What changed the gap between ${name(found.fact)} and ${name(found.foil)}?`);
  const words = h("p", {}, found.words);
  if (!list.length) return [title, words];
  const value = (each) => formatNumber(each.share, true) + (each.std_error ? ` ± ${formatNumber(each.std_error)}` : "");
  const rows = list.slice(0, MOST).map((each) => h("tr", {}, h("th", { scope: "row" }, write(each, was, is, name)),
    h("td", { className: each.share < 0 ? "down" : "up" }, h("b", {}, value(each))), h("td", {}, formatNumber(each.alone, true))));
  const head = h("tr", {}, h("td"), ...["share", "alone"].map((text) => h("th", { scope: "col" }, text)));
  const note = "The shares add up to the change of the gap. “Alone” is what the gap would change by if nothing else had changed.";
  return [title, words, h("table", { className: "compare" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    h("p", { className: "muted" }, left > 0 ? `${left.toLocaleString()} more have smaller shares. ${note}` : note)];
}

/** A change in words: what it is, and from what to what. */
function write({ kind, argument, source, target }, was, is, name) {
  const score = (state) => formatNumber(scoreOf(state, argument));
  if (kind === "base") return `${name(argument)}: base score ${score(was)} → ${score(is)}`;
  if (kind === "add") return `${name(argument)}: added`;
  if (kind === "drop") return `${name(argument)}: removed`;
  const [one, other] = [was, is].map((state) => findEdge(state, source, target)), text = `${name(source)} → ${name(target)}`;
  if (!one || !other) return `${text}: ${(one ?? other).kind} ${one ? "removed" : "added"}`;
  return one.kind === other.kind ? `${text}: weight ${formatNumber(one.weight)} → ${formatNumber(other.weight)}` : `${text}: ${one.kind} → ${other.kind}`;
}

const findEdge = ({ graph, removed }, source, target) => edges(graph).find((each) =>
  each.source === source && each.target === target && !removed.includes(source) && !removed.includes(target));
