// Edit the graph. Every change is tried on the server first; what it refuses is said beside the field.

import { ask, telling } from "./api.js";
import { $, dress, h } from "./dom.js";
import { baseScore, edges, label, names, rawLabel } from "./graph.js";

let store = null;
const dialog = () => $("editor");

export function openEditor(ofPage) {
  store = ofPage;
  dress();
  render();
  dialog().showModal();
}

/** Show the graph of the present state, if the editor is open. */
export function refreshEditor() { if (dialog().open) render(); }

/** Take the changed graph if the server finds that it makes sense; else say why, beside the field. */
function attempt(place, graph, more = {}) {
  return telling((message) => { place.textContent = message; }, async () => {
    await ask("convert", { graph, semantics: null });
    place.textContent = "";
    store.change({ graph, example: undefined, ...more });
    return true;
  });
}

const score = (input) => (input.value.trim() === "" ? null : Number(input.value));

function render() {
  const { graph } = store.now;
  const scrolled = dialog().querySelector(".body")?.scrollTop ?? 0;
  dialog().replaceChildren(
    h("div", { className: "head" }, h("h2", { id: "editor-title" }, "Edit the graph"),
      h("button", { className: "main", id: "editor-done", onclick: () => dialog().close() }, "Done")),
    h("div", { className: "body" },
      h("h3", {}, "Arguments"), h("div", { className: "edits" }, ...names(graph).map((name) => argument(graph, name))), newArgument(graph),
      h("h3", {}, "Attacks and supports"), h("div", { className: "edits" }, ...edges(graph).map((edge, k) => oneEdge(graph, edge, k))), newEdge(graph)));
  dialog().querySelector(".body").scrollTop = scrolled;
}

const field = (text, input) => h("label", {}, h("span", { className: "sr" }, text), input);
const number = (value, props) => h("input", { type: "number", step: "any", value, className: "small", ...props });
const wrong = () => h("span", { className: "wrong", role: "alert" });

function argument(graph, name) {
  const said = wrong();
  const title = h("input", { value: name, className: "name", onchange: () => rename(said, name, title) });
  const text = h("input", { value: rawLabel(graph, name), placeholder: "label", className: "text",
    onchange: () => attempt(said, withArgument(graph, name, text.value, baseScore(graph, name))) });
  const base = number(baseScore(graph, name), { min: 0, max: 1, onchange: () => attempt(said, withArgument(graph, name, rawLabel(graph, name), score(base)), unset(name)) });
  const topics = graph.topics ?? [];
  const topic = h("input", { type: "checkbox", checked: topics.includes(name),
    onchange: () => attempt(said, withTopics(graph, topic.checked ? [...topics, name] : topics.filter((each) => each !== name))) });
  const gone = h("button", { "aria-label": `Delete ${name}`, onclick: () => attempt(said, withoutArgument(graph, name), forget(name)) }, "Delete");
  return h("div", { className: "edit" }, field(`Name of ${name}`, title), field(`Label of ${name}`, text), field(`Base score of ${name}`, base),
    h("label", { className: "tick" }, topic, "topic"), gone, said);
}

function unset(name) {
  const set = { ...store.now.set }, scores = { ...store.now.scores };
  delete set[name];
  delete scores[name];
  return { set, scores };
}

function forget(name) {
  const { removed, fact, foil } = store.now;
  const not = (each) => (each === name ? undefined : each);
  return { ...unset(name), removed: removed.filter((each) => each !== name), fact: not(fact), foil: not(foil) };
}

function rename(said, old, input) {
  const { graph, set, scores, removed, fact, foil } = store.now, name = input.value;
  if (name !== old && name in graph.arguments) { said.textContent = `there is an argument '${name}' already; choose another name`; return; }
  const now = (each) => (each === old ? name : each);
  const moved = (values) => Object.fromEntries(Object.entries(values).map(([each, value]) => [now(each), value]));
  attempt(said, renamed(graph, old, name), { set: moved(set), scores: moved(scores), removed: removed.map(now), fact: now(fact), foil: now(foil) });
}

function newArgument(graph) {
  const said = wrong();
  const name = h("input", { placeholder: "new name", className: "name", id: "new-name" }), text = h("input", { placeholder: "label (optional)", className: "text" });
  const base = number(0.5, { min: 0, max: 1 });
  const add = async (event) => {
    event.preventDefault();
    if (name.value in graph.arguments) { said.textContent = `there is an argument '${name.value}' already; choose another name`; return; }
    if (await attempt(said, withArgument(graph, name.value, text.value, score(base)))) $("new-name")?.focus();
  };
  return h("form", { className: "edit new", onsubmit: add }, field("Name of the new argument", name), field("Label of the new argument", text),
    field("Base score of the new argument", base), h("button", { className: "main" }, "Add argument"), said);
}

const menu = (texts, selected, props = {}) => h("select", props, ...texts.map(([value, text]) => h("option", { value, selected: value === selected }, text)));
const ends = (graph, selected, props) => menu(names(graph).map((name) => [name, label(graph, name)]), selected, props);
const kinds = (selected, props) => menu([["attack", "attacks"], ["support", "supports"]], selected, props);

function oneEdge(graph, edge, k) {
  const said = wrong(), list = edges(graph);
  const put = (part) => attempt(said, withEdges(graph, list.map((each, at) => (at === k ? { ...each, ...part } : each))));
  const source = ends(graph, edge.source, { onchange: () => put({ source: source.value }) });
  const kind = kinds(edge.kind, { onchange: () => put({ kind: kind.value }) });
  const target = ends(graph, edge.target, { onchange: () => put({ target: target.value }) });
  const weight = number(edge.weight, { min: 0, onchange: () => put({ weight: score(weight) }) });
  const gone = h("button", { "aria-label": `Delete the ${edge.kind} from ${edge.source} to ${edge.target}`,
    onclick: () => attempt(said, withEdges(graph, list.filter((_, at) => at !== k))) }, "Delete");
  return h("div", { className: "edit" }, field("From", source), field("Relation", kind), field("To", target), field("Weight", weight), gone, said);
}

function newEdge(graph) {
  const said = wrong(), all = names(graph);
  const source = ends(graph, all[0]), target = ends(graph, all[1]), kind = kinds("support"), weight = number(1, { min: 0 });
  const add = (event) => {
    event.preventDefault();
    attempt(said, withEdges(graph, [...edges(graph), { kind: kind.value, source: source.value, target: target.value, weight: score(weight) }]));
  };
  return h("form", { className: "edit new", onsubmit: add }, field("From", source), field("Relation", kind), field("To", target), field("Weight", weight),
    h("button", { className: "main" }, "Add edge"), said);
}

// -- changed copies of a graph; whether one makes sense is for the server

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
