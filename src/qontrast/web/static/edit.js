// The table editor, for much at once. It shows a page of arguments and of edges; rows are kept and brought up to date, so
// that the focus stays where one types.

import { $, dress, h } from "./dom.js";
import { baseScore, edges, label, names, rawLabel } from "./graph.js";
import { addArgument, addEdge, attempt, changeEdge, deleteArgument, deleteEdge, numberOf, rename, setLabel, setScore, setTopic } from "./revise.js";

const PAGE = 25; // rows of each table at once
const FEW = 200; // arguments up to which the lists of a new edge are complete from the start
let store = null, shown = null; // the tables and forms of the dialog, and the graph that they show
const dialog = () => $("editor");

export function openEditor(ofPage) {
  store = ofPage;
  dress();
  build();
  refresh();
  dialog().showModal();
}

/** Show the graph of the present state, if the editor is open. */
export function refreshEditor() { if (dialog().open) refresh(); }

// -- the dialog

function build() {
  const search = h("input", { type: "search", id: "editor-search", placeholder: "Search", "aria-label": "Search arguments and edges" });
  const status = h("span", { className: "muted", role: "status" });
  shown = { graph: null, search, status, arguments: makeTable("argument", argumentRow), edges: makeTable("edge", edgeRow), argument: newArgument(), edge: newEdge() };
  const { arguments: upper, edges: lower } = shown;
  search.addEventListener("input", () => { upper.page = lower.page = 0; showTables(); });
  const body = h("div", { className: "body" },
    h("h3", {}, "Arguments"), upper.place, upper.pager, shown.argument.root, h("h3", {}, "Attacks and supports"), lower.place, lower.pager, shown.edge.root);
  for (const type of ["change", "click", "focusin", "pointerdown"]) body.addEventListener(type, onRow);
  dialog().replaceChildren(
    h("div", { className: "head" }, h("h2", { id: "editor-title" }, "Edit the graph"), search, status,
      h("button", { className: "main", id: "editor-done", title: "Close the table; every change is made already", onclick: () => dialog().close() }, "Done")), body);
}

/** One listener for all rows: a field says by `data-field` what it is for. */
function onRow({ type, target }) {
  if (target.matches("select")) { if (type === "focusin" || type === "pointerdown") fillEnds(target); }
  const row = target.closest(".edit")?.row, { field } = target.dataset;
  if (row && field && type === (target.matches("button") ? "click" : "change")) row.take(field, target);
}

function refresh() {
  const { graph } = store.now;
  if (graph === shown.graph) return;
  const all = names(graph), place = new Map(all.map((name, k) => [name, k]));
  const order = (a, b) => place.get(a.source) - place.get(b.source) || place.get(a.target) - place.get(b.target);
  Object.assign(shown, { graph, names: all, list: edges(graph).sort(order) });
  shown.edge.show();
  showTables();
}

function showTables() {
  const { graph, list } = shown, words = shown.search.value.trim().toLowerCase();
  const fits = new Set(shown.names.filter((name) => !words || `${label(graph, name)} ${name}`.toLowerCase().includes(words)));
  const kept = words ? list.filter(({ source, target }) => fits.has(source) || fits.has(target)) : list;
  showTable(shown.arguments, [...fits], (name) => name);
  showTable(shown.edges, kept, keyOf);
  const count = (found, all, what) => `${found.toLocaleString()} of ${all.toLocaleString()} ${what}`;
  shown.status.textContent = words ? `${count(fits.size, shown.names.length, "arguments")}, ${count(kept.length, list.length, "edges")}` : "";
}

// -- a table with pages

function makeTable(what, make) {
  const table = { what, make, page: 0, rows: new Map(), place: h("div", { className: "edits" }), jump: null };
  const turn = (by, text, name) => h("button", { "aria-label": `${name} ${what}s`, onclick: () => { table.page += by; showTables(); table.place.scrollIntoView({ block: "nearest" }); } }, text);
  Object.assign(table, { back: turn(-1, "‹", "Previous"), next: turn(1, "›", "Next"), count: h("span", { role: "status" }) });
  table.pager = h("p", { className: "pager muted" }, table.back, table.count, table.next);
  return table;
}

/** Show a page of these items; rows of items that stay are kept. */
function showTable(table, items, keyOfItem) {
  if (table.jump !== null) { // to the page of what was just added
    const at = items.findIndex((item) => keyOfItem(item) === table.jump);
    if (at >= 0) table.page = Math.floor(at / PAGE);
    table.jump = null;
  }
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  table.page = Math.min(table.page, pages - 1);
  const first = table.page * PAGE, here = items.slice(first, first + PAGE), focused = document.activeElement, { place } = table;
  const at = [...place.children].indexOf(focused?.closest?.(".edit"));
  const rows = new Map(here.map((item) => {
    const key = keyOfItem(item), row = table.rows.get(key) ?? table.make();
    row.root.row = row;
    row.show(item);
    return [key, row];
  }));
  for (const [key, row] of table.rows) if (rows.get(key) !== row) row.root.remove();
  let next = place.firstChild;
  for (const { root } of rows.values()) {
    if (root === next) next = next.nextSibling;
    else place.insertBefore(root, next);
  }
  table.rows = rows;
  if (at >= 0 && document.activeElement !== focused) { // its row was moved or is gone
    const instead = place.children[Math.min(at, place.children.length - 1)]?.querySelector(`[data-field="${focused.dataset.field}"]`);
    (focused.isConnected ? focused : instead ?? shown.search).focus({ preventScroll: true });
  }
  table.pager.hidden = pages === 1;
  table.back.disabled = table.page === 0;
  table.next.disabled = table.page === pages - 1;
  table.count.textContent = `${(first + 1).toLocaleString()} to ${(first + here.length).toLocaleString()} of ${items.length.toLocaleString()} ${table.what}s`;
}

/** The row of an item goes on as the row of what the item becomes. */
function carry(table, key, next) {
  const row = table.rows.get(key);
  if (!row || key === next) return;
  table.rows.delete(key);
  table.rows.set(next, row);
}

// -- rows

const input = (field, props) => h("input", { "data-field": field, ...props });
const number = (field, props) => input(field, { type: "number", step: "any", className: "small", ...props });
const wrong = () => h("span", { className: "wrong", role: "alert" });
const teller = (place) => (message) => { place.textContent = message; };

/** Write values into fields, but only where the graph has another one than before, and what is being typed stays. */
function write(row, values) {
  const { written = {} } = row;
  const isTyped = (field) => row[field] === document.activeElement && row[field].type !== "checkbox" && row[field].value !== String(written[field]);
  for (const [field, value] of Object.entries(values)) {
    if (written[field] === value || isTyped(field)) continue;
    if (row[field].type === "checkbox") row[field].checked = value;
    else row[field].value = value;
  }
  row.written = values;
}

function describe(parts) { for (const [each, text] of parts) { each.setAttribute("aria-label", text); each.title = text; } }

function argumentRow() {
  const row = { name: input("name", { className: "name" }), text: input("text", { className: "text", placeholder: "label" }),
    base: number("base", { min: 0, max: 1 }), topic: input("topic", { type: "checkbox" }) };
  const gone = h("button", { "data-field": "gone" }, "Delete"), said = wrong();
  row.root = h("div", { className: "edit" }, row.name, row.text, row.base, h("label", { className: "tick" }, row.topic, "topic"), gone, said);
  row.show = (of) => {
    const { graph } = shown;
    row.of = of;
    write(row, { name: of, text: rawLabel(graph, of), base: baseScore(graph, of), topic: (graph.topics ?? []).includes(of) });
    describe([[row.name, `Name of ${of}`], [row.text, `Label of ${of}`], [row.base, `Base score of ${of}`], [row.topic, `${of} is a topic`], [gone, `Delete ${of}`]]);
  };
  row.take = (field) => {
    const { of } = row, next = row.name.value;
    const change = { name: rename(of, next), text: setLabel(of, row.text.value), base: setScore(of, numberOf(row.base)), topic: setTopic(of, row.topic.checked), gone: deleteArgument(of) }[field];
    attempt(store, teller(said), change, () => { if (field === "name") carry(shown.arguments, of, next); });
  };
  return row;
}

const keyOf = ({ source, target }) => JSON.stringify([source, target]);
const KINDS = [["attack", "attacks"], ["support", "supports"]];
const kinds = (props) => h("select", props, ...KINDS.map(([value, text]) => h("option", { value }, text)));
const option = (each) => h("option", { value: each }, label(shown.graph, each));

/** A list of all arguments is made when one goes to it. */
function fillEnds(select) {
  if (!select.matches("[data-ends]") || select.graph === shown.graph) return;
  const { value } = select;
  select.replaceChildren(...shown.names.map(option));
  select.value = value;
  select.graph = shown.graph;
}

/** Before that it holds the argument that it shows. */
function showEnd(select, value) {
  if (select.graph === shown.graph) { select.value = value; return; }
  if (select === document.activeElement) { fillEnds(select); select.value = value; return; }
  select.graph = null;
  select.replaceChildren(option(value));
}

function edgeRow() {
  const end = (field, text) => h("select", { "data-field": field, "data-ends": "", "aria-label": text });
  const row = { source: end("source", "From"), kind: kinds({ "data-field": "kind", "aria-label": "Relation" }), target: end("target", "To"),
    weight: number("weight", { min: 0, "aria-label": "Weight" }) };
  const gone = h("button", { "data-field": "gone", title: "Delete this attack or support" }, "Delete"), said = wrong();
  row.root = h("div", { className: "edit" }, row.source, row.kind, row.target, row.weight, gone, said);
  row.show = (of) => {
    row.of = of;
    for (const each of ["source", "target"]) showEnd(row[each], of[each]);
    write(row, { kind: of.kind, weight: of.weight });
    describe([[gone, `Delete the ${of.kind} from ${of.source} to ${of.target}`]]);
  };
  row.take = (field) => {
    const { of } = row, next = field === "weight" ? numberOf(row.weight) : row[field]?.value;
    const change = field === "gone" ? deleteEdge(of) : changeEdge(of, { [field]: next });
    attempt(store, teller(said), change, () => carry(shown.edges, keyOf(of), keyOf({ ...of, [field]: next })));
  };
  return row;
}

// -- forms for what is new

function newArgument() {
  const own = h("input", { placeholder: "new name", className: "name", id: "new-name", "aria-label": "Name of the new argument" }), said = wrong();
  const text = h("input", { placeholder: "label (optional)", className: "text", "aria-label": "Label of the new argument" });
  const base = number("", { min: 0, max: 1, value: 0.5, "aria-label": "Base score of the new argument" });
  const add = async (event) => {
    event.preventDefault();
    const added = own.value;
    if (!await attempt(store, teller(said), addArgument(added, text.value, numberOf(base)), () => { shown.arguments.jump = added; })) return;
    own.value = text.value = "";
    own.focus();
  };
  return { root: h("form", { className: "edit new", noValidate: true, onsubmit: add }, own, text, base, h("button", { className: "main", title: "Add an argument with this name, label and base score" }, "Add argument"), said) };
}

function newEdge() {
  const end = (text) => h("select", { "data-ends": "", "aria-label": text }), source = end("From"), target = end("To");
  const kind = kinds({ "aria-label": "Relation" }), weight = number("", { min: 0, value: 1, "aria-label": "Weight" }), said = wrong();
  kind.value = "support";
  const add = (event) => {
    event.preventDefault();
    const edge = { kind: kind.value, source: source.value, target: target.value, weight: numberOf(weight) };
    attempt(store, teller(said), addEdge(edge), () => { shown.edges.jump = keyOf(edge); });
  };
  /** The arguments may be others now; those that are chosen stay, if they are there. */
  const show = () => {
    const { names: all } = shown;
    [source, target].forEach((each, k) => {
      const { value } = each, next = all.includes(value) ? value : all[k] ?? all[0];
      if (next === undefined) each.replaceChildren();
      else showEnd(each, next);
      if (all.length <= FEW) fillEnds(each);
    });
  };
  return { show, root: h("form", { className: "edit new", noValidate: true, onsubmit: add }, source, kind, target, weight, h("button", { className: "main", title: "Add this attack or support with its weight" }, "Add edge"), said) };
}
