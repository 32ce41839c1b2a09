// What can be chosen about the computation: method, contributors, semantics, solver. Each is a button that names in words
// what is chosen, with its code beside, and opens a list in which every entry is explained.

import { $, closeMenus, dress, h } from "./dom.js";

const NAMES = { methods: "Measured by", players: "Contributors", semantics: "Strengths by", solver: "Cycles solved" };

/** A name in words with its code beside, unless they are the same. */
const words = (title, code) => [h("b", {}, title), title.toLowerCase() === code ? "" : h("small", {}, ` ${code}`)];

/** Fill the list of a choice with [code, title, explanation] each. */
function fill(id, entries, onPick) {
  const place = $(id) ?? h("details", { id, className: "menu pick", ontoggle: () => dress() });
  place.replaceChildren(h("summary"), h("fieldset", { className: "sheet" }, h("legend", { className: "sr" }, NAMES[id]), ...entries.map(([value, title, text]) =>
    h("label", { title: `${title} (${value}): ${text}` }, h("input", { type: "radio", name: id, value, onchange: () => onPick(value), onclick: ({ detail }) => { if (detail) closeMenus(); } }),
      h("span", {}, ...words(title, value), h("br"), h("span", { className: "muted" }, text))))));
  place.entries = new Map(entries.map((entry) => [entry[0], entry]));
  if (!place.isConnected) $("picks").append(place);
}

function show(id, value) {
  const place = $(id), [code, title, text] = place.entries.get(value) ?? [value, value, ""], summary = place.firstElementChild;
  for (const radio of place.querySelectorAll("input")) radio.checked = radio.value === value;
  if (summary.dataset.value === code) return;
  summary.dataset.value = code;
  summary.title = `${NAMES[id]}: ${title} (${code}): ${text}`;
  const [name, beside] = words(title, code);
  summary.replaceChildren(h("span", { className: "muted" }, NAMES[id], beside), name);
}

/** The methods that are defined for these players. */
function fillMethods({ methods }, players, onPick) {
  const entries = Object.entries(methods).filter(([, { titles }]) => players in titles);
  if ($("methods")?.dataset.players === players) return;
  fill("methods", entries.map(([name, { titles, measures_of: texts }]) => [name, titles[players], texts[players]]), onPick);
  $("methods").dataset.players = players;
}

/** Lists of everything that the tables offer; `pick` takes a part of the state, and `pickPlayers` a kind of contributors. */
export function startChoices(tables, pick, pickPlayers) {
  fillMethods(tables, "arguments", (method) => pick({ method }));
  fill("players", Object.entries(tables.players).map(([name, text]) => [name, tables.player_titles[name], text]), pickPlayers);
  fill("semantics", Object.entries(tables.semantics).map(([name, { title, formula, source }]) => [name, title, `${formula}. ${source}`]), (semantics) => pick({ semantics }));
  fill("solver", tables.solvers.map((name) => [name, tables.solver_titles[name], tables.solver_texts[name]]), (solver) => pick({ solver }));
}

export function showChoices(tables, { players, method, semantics, solver }, pick) {
  fillMethods(tables, players, (chosen) => pick({ method: chosen }));
  for (const [id, value] of Object.entries({ methods: method, players, semantics, solver })) show(id, value);
}
