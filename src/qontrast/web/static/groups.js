// Groups of arguments: a list of them, and a new one from arguments that are selected in the graph.

import { ask, telling } from "./api.js";
import { $, dress, h, toast, visible } from "./dom.js";
import { has, label, own } from "./graph.js";
import { showChosen } from "./picture.js";
import { topicsOf } from "./state.js";

let page = null; // the store, and the pair that is asked about
let chosen = null; // the arguments of a group that is being formed

export const isChoosing = () => chosen !== null;

/** The list of groups of the present state. */
export function showGroups(ofPage) {
  page = ofPage;
  dress();
  const { graph, players } = page.store.now, place = $("groups");
  if (chosen) chosen = new Set([...chosen].filter((name) => mayJoin(name)));
  place.hidden = players !== "groups" && !chosen;
  const focused = place.contains(document.activeElement) ? document.activeElement.id : null, name = $("group-name")?.value;
  const groups = Object.entries(graph.groups ?? {});
  place.replaceChildren(...groups.map(([group, members]) => chip(graph, group, members)), ...(chosen ? [form(graph, name)] : [starter(groups.length)]));
  if (focused) $(focused)?.focus();
}

function chip(graph, group, members) {
  const text = visible(group), listed = members.map((name) => label(graph, name)).join(", ");
  return h("span", { className: "chip", title: listed }, h("b", {}, text), ` ${members.length}`, h("span", { className: "sr" }, `: ${listed}`),
    h("button", { "aria-label": `Remove the group ${text}`, onclick: () => keep(withoutGroup(graph, group)) }, "×"));
}

const starter = (known) => h("button", { id: "new-group", onclick: start }, known ? "New group" : "New group: select arguments in the graph");

function form(graph, name) {
  const taken = Object.keys(graph.groups ?? {}).length + 1;
  const input = h("input", { id: "group-name", className: "name", "aria-label": "Name of the group", value: name ?? `group ${taken}`, maxLength: 80 });
  const said = h("span", { className: "wrong", role: "alert" }), few = chosen.size === 0;
  const listed = few ? "Click the arguments of the group in the graph." : [...chosen].map((each) => label(graph, each)).join(", ");
  return h("form", { className: "edit", onsubmit: (event) => { event.preventDefault(); make(input.value.trim(), said); } },
    h("span", { className: "muted", role: "status" }, listed), input,
    h("button", { id: "make-group", className: "main", title: "Let these arguments contribute as one", disabled: few }, "Group"), h("button", { id: "no-group", type: "button", title: "Make no group", onclick: stop }, "Cancel"), said);
}

function start() {
  select(new Set());
  if (innerWidth < 1000) $("graph").scrollIntoView({ block: "center" });
}

function select(names) {
  chosen = names;
  showChosen(chosen);
  showGroups(page);
}

export function stop() { select(null); }

const mayJoin = (name) => {
  const { graph, removed } = page.store.now, { fact, foil } = page.asked();
  return has(graph, name) && !removed.includes(name) && !topicsOf({ graph, fact, foil }).includes(name);
};

/** Select an argument for a group, or take it out again. */
export function choose(name) {
  if (!mayJoin(name)) { toast(`${label(page.store.now.graph, name)} is a topic, and a topic can be in no group.`); return; }
  const next = new Set(chosen ?? []);
  if (!next.delete(name)) next.add(name);
  select(next);
}

/** Make a group of the selected arguments, if the server finds that it makes sense. */
function make(name, said) {
  const graph = withGroup(page.store.now.graph, name, [...chosen]);
  return telling((message) => { said.textContent = message; }, async () => {
    await ask("convert", { graph, semantics: null });
    chosen = null;
    showChosen(null);
    keep(graph, choiceOf("groups"));
  });
}

const keep = (graph, choice = {}) => page.store.change({ graph, example: undefined, ...choice });

export function choosePlayers(players) { page.store.change(choiceOf(players)); }

/** Other players, with the method that they begin with. */
function choiceOf(players) {
  const { method } = page.store.now;
  // exact Shapley values of all edges are rarely possible; Owen values of edges agree with the Shapley values of arguments
  if (players === "edges") return { players, method: method === "shapley" ? "owen" : method };
  return { players, method: method === "owen" ? "shapley" : method };
}

/** The graph with these arguments in a group, and in no other. */
function withGroup(graph, name, members) {
  const others = Object.entries(graph.groups ?? {}).map(([group, own]) => [group, own.filter((each) => !members.includes(each))]);
  const made = Object.fromEntries(others.filter(([, own]) => own.length));
  return { ...graph, groups: { ...made, [name]: [...(own(made, name) ?? []), ...members] } };
}

function withoutGroup(graph, name) {
  const { [name]: gone, ...groups } = graph.groups, made = { ...graph, groups };
  if (!Object.keys(groups).length) delete made.groups;
  return made;
}
