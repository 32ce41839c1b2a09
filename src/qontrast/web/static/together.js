// Which two players work together for a topic, and which overlap.

import { ask, Refused } from "./api.js";
import { $, dress, h } from "./dom.js";
import { aboutGraph, question } from "./state.js";

const MOST = 8; // pairs to list
let shownFor = null; // the question whose answer stands there

/** The strongest pairs. */
export async function showTogether(state, { fact, foil }, signal) {
  const place = $("together");
  dress();
  if (!fact || !foil || fact === foil) { place.replaceChildren(h("p", { className: "muted" }, "Choose two different arguments.")); return; }
  const { players } = question({ ...state, fact, foil }), body = { ...aboutGraph(state), fact, foil, players, most: MOST }, key = JSON.stringify(body);
  if (key === shownFor && place.children.length) return;
  shownFor = null;
  place.replaceChildren(h("p", { className: "muted", role: "status" }, "Computing …"));
  try {
    place.replaceChildren(...(await list(body, signal)));
    shownFor = key;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.replaceChildren(h("p", { className: "problem" }, error.message));
  }
}

/** Ask about these players; where they are too many, about the arguments instead. */
async function list(body, signal) {
  try {
    return table(await ask("interactions", body, signal));
  } catch (error) {
    if (body.players === "arguments" || error.kind !== "TooLarge" && error.status !== 503) throw error;
    const found = await ask("interactions", { ...body, players: "arguments" }, signal);
    const who = typeof body.players === "string" ? body.players : "groups";
    return [h("p", { className: "muted" }, `Pairs of ${who} need more evaluations than this server allows. These are pairs of arguments.`), ...table(found)];
  }
}

function table(found) {
  const cells = ([one, other, value, does]) => h("tr", {}, h("th", { scope: "row" }, `${one} + ${other}`),
    h("td", { className: value.startsWith("−") ? "down" : "up" }, h("b", {}, value)), h("td", {}, does));
  const head = h("tr", {}, ...["the two", "together", "they"].map((text) => h("th", { scope: "col" }, text)));
  const left = found.left_out ? [h("p", { className: "muted" }, `${found.left_out.toLocaleString()} weaker pairs are left out.`)] : [];
  const note = h("p", { className: "muted" }, "What two players add to the gap together, beyond what each adds alone (Shapley interaction index).");
  if (!found.rows.length) return [h("p", {}, "No two players add anything together beyond what each adds alone.")];
  return [h("table", { className: "compare together" }, h("thead", {}, head), h("tbody", {}, ...found.rows.map(cells))), ...left, note];
}
