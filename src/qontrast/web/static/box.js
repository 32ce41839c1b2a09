// The small boxes beside an argument, an edge or a place of the picture: they change it, or say why it cannot be changed.

import { h } from "./dom.js";
import { edges, label, rawLabel } from "./graph.js";
import { addArgument, addEdge, attempt, changeEdge, deleteEdge, isSame, numberOf, rename, setLabel, setScore } from "./revise.js";
import { scoreOf } from "./state.js";

let open = null; // the box: its root, its anchor, and what to do when it is given up
const GAP = 6; // pixels between a box and its place, and to the edge of the window

/** Open a box at the rectangle that `anchor` gives; where that is null, the place is gone and the box with it. */
function openBox(page, anchor, title, giveUp, ...parts) {
  closeBox();
  const said = h("p", { className: "wrong", role: "alert" }), root = h("div", { className: "drawbox", role: "dialog", "aria-label": title }, ...parts, said);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    closeBox(false);
    giveUp();
  });
  document.querySelector("section.picture").append(root);
  open = { root, anchor, said };
  placeBox();
  root.querySelector("input, button, select").focus();
  const text = root.querySelector("input:not([type])");
  text?.setSelectionRange(0, text.value.length, "backward"); // selected, with its beginning in view
  const tell = (message) => {
    said.textContent = message;
    if (message && !root.isConnected) page.say(message); // the box was closed before the answer came
    placeBox();
  };
  return { root, tell };
}

/** Close the box; a field that is being edited is taken first, unless the box is given up. */
export function closeBox(take = true) {
  if (!open) return;
  const { root } = open;
  open = null;
  if (take && root.contains(document.activeElement)) document.activeElement.blur();
  else root.inert = true;
  root.remove();
}

/** Put the box below its place, above it where there is no room. */
export function placeBox() {
  if (!open) return;
  const at = open.anchor();
  if (!at) { closeBox(false); return; }
  const { offsetWidth: width, offsetHeight: height, style } = open.root, top = at.bottom + GAP;
  const y = top + height < innerHeight - GAP ? top : at.top - height - GAP;
  style.left = `${Math.max(GAP, Math.min(innerWidth - width - GAP, (at.left + at.right - width) / 2))}px`;
  style.top = `${Math.max(GAP, Math.min(innerHeight - height - GAP, y))}px`;
}

export const isInBox = (element) => Boolean(open?.root.contains(element));

const number = (value, text, props) => h("input", { type: "number", step: "any", min: 0, value, className: "small", "aria-label": text, ...props });
const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text);

/** The text and base score of an argument; edges begin here, and it can be deleted. */
export function openArgument(page, name, anchor) {
  const { store } = page, own = { name }, { graph } = store.now, shown = label(graph, name);
  const text = h("input", { value: rawLabel(graph, name), className: "text", "aria-label": `Text of ${shown}` });
  const base = number(Number(scoreOf(store.now, name).toFixed(4)), `Base score of ${shown}`, { max: 1 });
  // where an argument has no label, its name is what one sees
  text.onchange = async () => {
    const isName = rawLabel(store.now.graph, own.name) === own.name, next = text.value.trim();
    const change = isName ? rename(own.name, next) : setLabel(own.name, next);
    if (await attempt(store, tell, change, () => { if (isName) own.name = next; page.focusLater(own.name); })) page.say(`Now called ${next}.`);
  };
  base.onchange = async () => { if (await attempt(store, tell, setScore(own.name, numberOf(base)))) page.say(`Base score of ${shown}: ${base.value}.`); };
  const submit = async (event) => {
    event.preventDefault();
    const field = document.activeElement;
    if (field.matches?.("input")) field.blur(); // which takes what it holds
    await attempt(store, () => {}, () => ""); // all that was taken is tried now
    if (open?.root === root && !open.said.textContent) { closeBox(); page.focus(own.name); }
    else if (open?.root === root) field.focus();
  };
  const { root, tell } = openBox(page, () => anchor(own.name), `Edit ${shown}`, () => page.focus(own.name),
    h("form", { noValidate: true, onsubmit: submit }, h("p", {}, text), h("p", {}, h("label", {}, "Base score ", base), h("button", { className: "main", title: "Close; what was changed is kept" }, "Done")),
      h("p", {}, button("Support …", () => page.begin("support", own.name)), button("Attack …", () => page.begin("attack", own.name)),
        button("Delete", () => page.deleteArgument(own.name), { title: "Delete the argument and its edges" }))));
}

export function openNewArgument(page, anchor) {
  const { store } = page, name = h("input", { className: "text", placeholder: "new argument", "aria-label": "Name of the new argument" });
  const base = number(0.5, "Base score of the new argument", { max: 1 }), place = page.onPaper(anchor());
  const submit = async (event) => {
    event.preventDefault();
    const added = name.value.trim();
    if (!await attempt(store, tell, addArgument(added, "", numberOf(base)), () => { if (place) page.placeNew(added, place); page.focusLater(added); })) { name.focus(); return; }
    closeBox(false);
    page.say(`Added: ${added}.`);
  };
  const { tell } = openBox(page, anchor, "New argument", () => page.focus(null),
    h("form", { noValidate: true, onsubmit: submit }, h("p", {}, name), h("p", {}, h("label", {}, "Base score ", base), h("button", { className: "main" }, "Add argument"))));
}

const arrow = (graph, { source, target }) => h("p", { className: "arrow" }, h("b", {}, label(graph, source)), " → ", h("b", {}, label(graph, target)));

/** Which kind of edge it shall be that was pulled from one argument to another. */
export function openNewEdge(page, source, target, anchor) {
  const { store } = page, { graph } = store.now, weight = number(1, "Weight");
  const add = (kind) => button(`${kind}s`, async () => {
    if (await page.addEdge({ kind, source, target, weight: numberOf(weight) }, tell)) closeBox(false);
  }, { className: kind });
  const { tell } = openBox(page, anchor, `New edge from ${label(graph, source)} to ${label(graph, target)}`, () => page.focus(source),
    arrow(graph, { source, target }), h("p", {}, add("support"), add("attack"), h("label", {}, "Weight ", weight)));
}

/** Kind and weight of the edges between two arguments; a mutual attack has two. */
export function openEdges(page, list, anchor) {
  const { store } = page, { graph } = store.now;
  const rows = list.map((edge) => {
    let own = edge;
    const texts = { source: label(graph, edge.source), target: label(graph, edge.target) };
    const kind = h("select", { "aria-label": "Kind" }, ...["attack", "support"].map((each) => h("option", { value: each, selected: each === own.kind }, `${each}s`)));
    const weight = number(own.weight, "Weight");
    const put = async (part) => {
      const next = { ...own, ...part };
      if (await attempt(store, (message) => tell(message), changeEdge(own, part), () => { own = next; })) page.say(`${texts.source} ${next.kind}s ${texts.target}, weight ${next.weight}.`);
    };
    kind.onchange = () => put({ kind: kind.value });
    weight.onchange = () => put({ weight: numberOf(weight) });
    const gone = button("Delete", () => page.deleteEdge(own, (message) => tell(message)), { "aria-label": `Delete the ${own.kind} from ${texts.source} to ${texts.target}` });
    const there = () => edges(store.now.graph).some((each) => isSame(each, own));
    return { there, parts: [arrow(graph, edge), h("p", {}, kind, h("label", {}, "Weight ", weight), gone)] };
  });
  const at = () => (rows.some(({ there }) => there()) ? anchor() : null);
  const done = h("p", {}, button("Done", () => { closeBox(); page.focus(list[0].source); }, { className: "main" }));
  const { tell } = openBox(page, at, "Edit the edge", () => page.focus(list[0].source), ...rows.flatMap(({ parts }) => parts), done);
}

/** What was refused, beside the place that it is about. */
export function openRefusal(page, message, anchor, name) {
  const { tell } = openBox(page, anchor, "Not possible", () => page.focus(name), h("p", {}, button("Close", () => { closeBox(); page.focus(name); })));
  tell(message);
}
