// Draw the argument: pull edges, add, rename and delete in the picture, by mouse, finger and keyboard. Coordinates are those of
// the window, so that they hold however the picture is zoomed.

import { $, dress, h, shape } from "./dom.js";
import { edges, has, label } from "./graph.js";
import { closeBox, isInBox, openArgument, openEdges, openNewArgument, openNewEdge, openRefusal, placeBox } from "./box.js";
import { placeNew } from "./look.js";
import { addEdge, attempt, deleteArgument, deleteEdge } from "./revise.js";

const NEAR = 24; // pixels from the border of the card
const FAR = 8; // pixels that a hand moves before it pulls
const MANY = 600; // edges above which only those that are stepped to are made alive
let store = null, pull = null, pending = null, later = null, isOn = false;

// -- the picture

const card = () => $("graph");
const nodes = () => [...card().querySelectorAll(".qx-node[data-name]")].filter(({ dataset }) => has(store.now.graph, dataset.name));
const find = (name) => nodes().find((each) => each.dataset.name === name) ?? null;
const rectOf = (name) => find(name)?.getBoundingClientRect() ?? null;
const nodeAt = (target) => { const node = target?.closest?.("#graph .qx-node[data-name]"); return node && has(store.now.graph, node.dataset.name) ? node : null; };
const edgeAt = (target) => target?.closest?.("#graph .qx-edge[data-source], #graph .qx-number[data-source]") ?? null;
const text = (name) => label(store.now.graph, name);
const point = (x, y) => () => new DOMRect(x, y, 0, 0);
/** A point of the window in the coordinates of the picture; null where there is none. */
function onPaper({ x, y, width, height }) {
  const paper = card().querySelector("svg > g");
  return paper && new DOMPoint(x + width / 2, y + height / 2).matrixTransform(paper.getScreenCTM().inverse());
}

const middle = () => { const { x, y, width, height } = card().getBoundingClientRect(); return point(x + width / 2, y + height / 2); };

/** The edges that an arrow of the picture stands for; a mutual attack is one arrow. */
function edgesOf({ dataset: { source, target, mutual } }) {
  return edges(store.now.graph).filter((each) => (each.source === source && each.target === target) || (mutual && each.source === target && each.target === source));
}

/** An edge that can be focused, and has a broad line to be hit. */
function enliven(edge) {
  if (edge.matches("[role=button]")) return;
  edge.setAttribute("role", "button");
  edge.setAttribute("tabindex", "-1");
  edge.setAttribute("aria-label", edge.querySelector("title")?.textContent ?? "edge");
  edge.append(shape("path", { class: "hit", d: edge.querySelector("path").getAttribute("d") }));
}

/** After the picture was drawn anew: edges can be hit and focused, and the focus is where it belongs. */
function decorate() {
  const list = [...card().querySelectorAll(".qx-edge[data-source]")];
  if (list.length <= MANY) list.forEach(enliven);
  if (pending) aim(nodeAt(document.activeElement)?.dataset.name);
  placeBox();
  if (later === null) return;
  const { name } = later, busy = document.activeElement !== document.body && !card().contains(document.activeElement);
  if (!busy && find(name)) focus(name);
  if (busy || find(name)) later = null;
}

function focus(name) {
  const node = name === null ? null : find(name);
  (node ?? card()).focus({ preventScroll: true });
  node?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Say what happened, or what to do next, on the page and to screen readers. */
function say(message, stays = false) {
  const place = $("draw-says");
  place.textContent = message;
  clearTimeout(say.timer);
  if (!stays && message) say.timer = setTimeout(() => { place.textContent = ""; }, 6000);
}

/** Mark the argument that an edge would lead to. */
function aim(name) { for (const each of card().querySelectorAll(".qx-node")) each.classList.toggle("aim", name !== undefined && each.dataset.name === name); }

// -- what is done to the graph

const page = {
  get store() { return store; },
  say, focus, begin, onPaper, placeNew,
  focusLater(name) { later = { name }; },
  async deleteArgument(name) {
    const all = nodes().map(({ dataset }) => dataset.name), next = all[all.indexOf(name) + 1] ?? all.at(-2) ?? null, gone = text(name);
    closeBox(false);
    focus(next === name ? null : next);
    if (await attempt(store, refusal(name), deleteArgument(name), () => page.focusLater(next))) say(`Deleted: ${gone}. Ctrl+Z brings it back.`);
  },
  async deleteEdge(edge, tell) {
    if (!await attempt(store, tell, deleteEdge(edge), () => page.focusLater(edge.source))) return;
    closeBox(false);
    say(`Deleted: ${text(edge.source)} ${edge.kind}s ${text(edge.target)}. Ctrl+Z brings it back.`);
  },
  async addEdge(edge, tell) {
    const done = await attempt(store, tell, addEdge(edge), () => page.focusLater(edge.source));
    if (done) say(`${text(edge.source)} ${edge.kind}s ${text(edge.target)}.`);
    return done;
  },
};

/** Says beside an argument what was refused. */
const refusal = (name) => (message) => { if (message) openRefusal(page, message, () => rectOf(name), name); };

/** An edge begins at an argument; its target is chosen next. */
function begin(kind, source) {
  closeBox(false);
  pending = { kind, source };
  focus(source);
  say(`${text(source)} ${kind}s …: choose the target by click or tap, or with Tab or the arrow keys and Enter. Escape ends.`, true);
}

function finish(target) {
  const { kind, source } = pending;
  giveUp("");
  const there = edges(store.now.graph).filter((each) => each.source === source && each.target === target);
  if (there.length) openEdges(page, there, () => rectOf(target));
  else page.addEdge({ kind, source, target, weight: 1 }, refusal(target));
}

function giveUp(message = "No edge was drawn.") {
  pending = null;
  aim();
  say(message);
}

// -- the mouse, and the finger while the button "Draw" is on; else a finger pans

function onDown(event) {
  const node = nodeAt(event.target);
  if (pull) endPull(); // a second finger: the two zoom
  if (!node || !event.isPrimary || event.button !== 0 || event.pointerType === "touch" && !isOn || event.shiftKey || pending) return;
  if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId); // a finger's, which ends with a node that is drawn anew
  pull = { source: node.dataset.name, x: event.clientX, y: event.clientY, band: null, left: false };
  for (const [type, action] of PULLS) addEventListener(type, action);
}

function onPull(event) {
  const { clientX: x, clientY: y } = event, from = rectOf(pull.source);
  if (!pull.band && Math.hypot(x - pull.x, y - pull.y) < FAR || !from) return;
  event.preventDefault();
  if (!pull.band) {
    closeBox();
    pull.line = shape("path", { class: "line" });
    pull.band = shape("svg", { class: "band", "aria-hidden": true });
    pull.band.append(pull.line);
    document.body.append(pull.band);
    document.body.classList.add("pulling");
  }
  scrollNear(x, y);
  pull.line.setAttribute("d", `M${from.x + from.width / 2} ${from.y + from.height / 2}L${x} ${y}`);
  const over = nodeAt(document.elementFromPoint(x, y))?.dataset.name;
  pull.left ||= over !== pull.source;
  aim(pull.left ? over : undefined);
}

/** Near its border the card scrolls, to reach what is out of view. */
function scrollNear(x, y) {
  const { left, right, top, bottom } = card().getBoundingClientRect(), by = (at, from, to) => (at < from + NEAR ? -NEAR : at > to - NEAR ? NEAR : 0);
  card().scrollBy(by(x, left, right), by(y, top, bottom));
}

function endPull() {
  for (const [type, action] of PULLS) removeEventListener(type, action);
  pull.band?.remove();
  document.body.classList.remove("pulling");
  aim();
  pull = null;
}

function onDrop({ type, clientX: x, clientY: y }) {
  const { source, band, left } = pull;
  endPull();
  if (!band || type === "pointercancel") return;
  swallowClick();
  const target = nodeAt(document.elementFromPoint(x, y))?.dataset.name;
  if (target === undefined) { say("There is no argument here; let go over one to draw an edge."); return; }
  if (!left) return;
  const there = edges(store.now.graph).filter((each) => each.source === source && each.target === target);
  if (there.length) openEdges(page, there, point(x, y));
  else openNewEdge(page, source, target, point(x, y));
}

const PULLS = [["pointermove", onPull], ["pointerup", onDrop], ["pointercancel", onDrop]];

/** The click that ends a pull is no click. */
function swallowClick() {
  const stop = (event) => event.stopPropagation();
  addEventListener("click", stop, { capture: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }));
}

/** A click chooses a target, or opens an edge; while the button "Draw" is on, it opens an argument too. */
function onClick(event) {
  const node = nodeAt(event.target), edge = node ? null : edgeAt(event.target);
  if (event.shiftKey || !(node && (pending || isOn) || edge)) return;
  event.stopPropagation();
  if (node && pending) finish(node.dataset.name);
  else if (node) editArgument(node.dataset.name);
  else openEdges(page, edgesOf(edge), point(event.clientX, event.clientY));
}

function onDouble(event) {
  const node = nodeAt(event.target);
  if (node) editArgument(node.dataset.name);
  else if (!edgeAt(event.target)) openNewArgument(page, point(event.clientX, event.clientY));
}

const editArgument = (name) => openArgument(page, name, rectOf);

// -- the keyboard

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest argument in a direction; what lies off to the side counts as farther away. */
function nearest(node, [dx, dy]) {
  const centre = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const [x, y] = centre(node);
  const far = (each) => {
    const [a, b] = centre(each), along = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    return along > 4 ? along + 2 * aside : Infinity;
  };
  const [distance, found] = nodes().filter((each) => each !== node).reduce(([least, best], each) => (far(each) < least ? [far(each), each] : [least, best]), [Infinity, null]);
  return distance < Infinity ? found : null;
}

/** Step through the edges of an argument. */
function stepEdges(name, edge = null) {
  const list = [...card().querySelectorAll(".qx-edge[data-source]")].filter(({ dataset: { source, target } }) => source === name || target === name);
  if (!list.length) { say(`${text(name)} has no edges in the picture.`); return; }
  const next = list[(list.indexOf(edge) + 1) % list.length];
  enliven(next);
  next.home = name;
  next.focus();
  say(`${next.getAttribute("aria-label")}. Enter changes it, Delete deletes it, E goes on, Escape goes back.`);
}

function keysOfNode(node) {
  const { name } = node.dataset;
  return { F2: () => editArgument(name), Delete: () => page.deleteArgument(name), Backspace: () => page.deleteArgument(name), a: () => begin("attack", name), s: () => begin("support", name), e: () => stepEdges(name),
    n: () => openNewArgument(page, () => rectOf(name)), ...(isOn ? { Enter: () => editArgument(name) } : {}) };
}

function keysOfEdge(edge) {
  const at = () => edge.isConnected ? edge.getBoundingClientRect() : middle()(), [first] = edgesOf(edge), home = edge.home ?? first?.source ?? null;
  const there = () => { const { x, y, width, height } = at(); return new DOMRect(x + width / 2, y + height / 2, 0, 0); };
  const gone = () => { if (edgesOf(edge).length > 1) openEdges(page, edgesOf(edge), there); else { focus(home); page.deleteEdge(first, refusal(home)); } };
  if (!first) return {};
  return { Enter: () => openEdges(page, edgesOf(edge), there), F2: () => openEdges(page, edgesOf(edge), there), e: () => stepEdges(home, edge), Escape: () => focus(home),
    Delete: gone, Backspace: gone };
}

function keysOfPending(node) {
  const go = (way) => { const next = node && nearest(node, way); if (next) { next.focus(); aim(next.dataset.name); } };
  const keys = Object.fromEntries(Object.entries(WAYS).map(([key, way]) => [key, () => go(way)]));
  return { ...keys, Escape: () => giveUp(), ...(node ? { Enter: () => finish(node.dataset.name), " ": () => finish(node.dataset.name) } : {}) };
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const node = nodeAt(event.target), edge = node ? null : edgeAt(event.target), key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const keys = pending ? keysOfPending(node) : node ? keysOfNode(node) : edge ? keysOfEdge(edge) : { n: () => openNewArgument(page, middle()) };
  if (!Object.hasOwn(keys, key)) return;
  event.preventDefault();
  event.stopPropagation();
  keys[key]();
}

// -- the button

const HINT = "Pull from one argument to another. Click one, or an edge, to change it.";
const KEYS = [["F2", "text and base score"], ["A", "begin an attack"], ["S", "begin a support"], ["Tab, arrows, Enter", "choose its target"], ["E", "go to its edges"],
  ["Enter", "kind and weight of an edge"], ["Delete", "delete the argument or edge"], ["N", "new argument"], ["Escape", "give up"], ["Ctrl+Z", "undo"]];

function makeBar() {
  const keys = KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
  const help = h("details", { className: "keys" }, h("summary", { title: "How to draw with the keyboard" }, "Keys"), h("div", { className: "sheet" }, h("p", {}, "While an argument in the picture has the focus:"), h("dl", {}, ...keys)));
  const add = h("button", { id: "draw-new", onclick: () => openNewArgument(page, middle()) }, "New argument");
  return h("div", { id: "draw-bar", hidden: true }, add, help, h("span", { className: "muted" }, HINT));
}

/** Show or hide the tools; while they are shown, a click on an argument opens it. */
export function toggleDrawing(ofPage) {
  startDrawing(ofPage);
  isOn = !isOn;
  $("draw").setAttribute("aria-pressed", String(isOn));
  $("draw-bar").hidden = !isOn;
  card().classList.toggle("drawn-in", isOn);
  closeBox();
  if (pending) giveUp("");
}

/** Listen to mouse and keyboard in the picture; once is enough. */
export function startDrawing(ofPage) {
  if (store) return;
  store = ofPage;
  dress();
  dress("draw.css");
  card().parentElement.append(h("p", { id: "draw-says", role: "status" }));
  card().parentElement.after(makeBar());
  const listen = [["pointerdown", onDown], ["click", onClick], ["dblclick", onDouble], ["keydown", onKey]];
  for (const [type, action] of listen) card().addEventListener(type, action, true);
  card().addEventListener("touchmove", (event) => { if (pull && event.cancelable) event.preventDefault(); }, { passive: false }); // a finger that pulls does not pan
  document.addEventListener("pointerdown", (event) => { if (!isInBox(event.target)) closeBox(); }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && pending) giveUp(); });
  card().addEventListener("focusin", ({ target }) => { if (pending) aim(nodeAt(target)?.dataset.name); });
  for (const type of ["scroll", "resize"]) addEventListener(type, placeBox, { capture: true, passive: true });
  new MutationObserver(decorate).observe(card(), { childList: true });
  decorate();
  card().dataset.draw = "ready";
}
