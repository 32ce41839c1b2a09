// The graph and the bars. Python draws them; here they only learn to be hovered, clicked and reached by keyboard.

import { $, drawing, h, shape } from "./dom.js";
import { has, own, reach } from "./graph.js";
import { isLate, remember, startLook, viewOf } from "./look.js";
import { fitPicture, keepView, startView } from "./view.js";

export { fitPicture, viewOf };

let hovered = null, current = null, started = false, chosen = null, pick = () => {};

export function onPickArgument(action) { pick = action; }

export function showPictures(svg, state, pinned, strengths) {
  current = { state, pinned };
  if (!started) { startView(); startLook((graph, about, opened) => { showGraph(graph, about, opened); light(); }); }
  started = true;
  if (svg.graph && !isLate(state)) showGraph(svg.graph, state);
  if (!svg.graph) import("./large.js").then(({ showStrengths }) => { if (current.state === state) showStrengths(state, strengths); });
  const none = h("p", { className: "muted note" }, "No contributions to show: see the message beside the question.");
  redraw("bars", svg.bars ? drawing(svg.bars) : none);
  for (const each of $("bars").querySelectorAll("[data-source]")) { hoverable(each); widen(each); }
  light();
}

/** The picture at the same place as before, unless it is about another question; an argument whose stub was opened stays where it is. */
function showGraph(text, state, opened) {
  const { scrollLeft, scrollTop } = $("graph"), before = nodes("graph", opened)[0]?.getBoundingClientRect();
  redraw("graph", drawing(text));
  keepView(remember(state), { scrollLeft, scrollTop }); // another question: its topics come into view
  const kept = nodes("graph", opened)[0], after = kept?.getBoundingClientRect();
  if (before && after) { $("graph").scrollBy(after.x - before.x, after.y - before.y); kept.focus({ preventScroll: true }); }
}

/** Put a picture in its place; what had the focus has it again. */
function redraw(place, picture) {
  const focused = document.activeElement?.closest?.(`#${place}`) && document.activeElement.dataset.name;
  $(place).replaceChildren(picture);
  for (const each of $(place).querySelectorAll("[data-name]")) alive(each, place);
  if (focused) nodes(place, focused)[0]?.focus({ preventScroll: true });
}

function alive(each, place) {
  each.setAttribute("role", "button");
  const { name } = each.dataset;
  hoverable(each);
  each.onclick = (event) => pick(name, place, event);
  each.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(name, place, event); }
  };
  if (place === "bars") openable(each);
}

/** Light up an argument, a group or an edge while something that stands for it is pointed at. */
export function hoverable(each, data = each.dataset) {
  each.setAttribute("tabindex", "0");
  each.onpointerenter = each.onfocus = () => { hovered = data; light(); };
  each.onpointerleave = each.onblur = () => { hovered = null; light(); };
}

/** The whole row of a bar can be pointed at. */
function widen(bar) {
  const y = Number(bar.querySelector("rect").getAttribute("y")) - 6;
  bar.prepend(shape("rect", { class: "area", y, width: "100%", height: 42 }));
  return y;
}

/** A bar that open.js opens has a mark that says so. */
function openable(bar) {
  const mark = shape("text", { class: "mark qx-muted", x: 3, y: widen(bar) + 24, "aria-hidden": true });
  mark.textContent = "▸";
  bar.append(mark);
  bar.setAttribute("aria-expanded", "false");
}

const nodes = (place, name) => [...$(place).querySelectorAll("[data-name]")].filter((each) => each.dataset.name === name);

/** Keep an argument lit, or none; it comes into view. */
export function keepLit(name) {
  if (current) current.pinned = name;
  nodes("graph", name)[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  light();
}

/** Arguments that are selected for a group, or none. */
export function showChosen(names) {
  chosen = names;
  if (current) light();
}

/** The arguments from which light spreads: an argument, the members of a group, or the target of an edge. */
function startsOf({ graph }, { name, target }) {
  if (target !== undefined) return [target];
  if (name === null || name === undefined) return null;
  if (has(graph, name)) return [name];
  return own(graph.groups, name) ?? null;
}

/** Light up what the hovered (else the kept) argument, group or edge can reach; everything else fades. */
function light() {
  const { state, pinned } = current, shown = hovered ?? { name: pinned }, { name, source: from, target: to } = shown;
  const starts = startsOf(state, shown), lit = starts && !chosen && reach(state.graph, starts, state.removed);
  for (const each of $("graph").querySelectorAll(".qx-node, .qx-edge, .qx-number")) {
    const { name: own, source, target } = each.dataset;
    const there = !lit || (own !== undefined ? lit.has(own) || own === from : lit.has(source) && lit.has(target) || source === from && target === to);
    each.classList.toggle("dim", !there);
    each.classList.toggle("held", own !== undefined && own === pinned);
    each.classList.toggle("chosen", own !== undefined && Boolean(chosen?.has(own)));
    if (own !== undefined) each.setAttribute("aria-pressed", String(chosen ? chosen.has(own) : own === pinned));
  }
  for (const each of $("bars").querySelectorAll("[data-name]")) each.classList.toggle("held", each.dataset.name === name);
  for (const row of document.querySelectorAll(".row[data-name]")) row.classList.toggle("held", row.dataset.name === name);
}

let seen = { picture: null, names: new Set() }; // the arguments of a picture

/** Whether an argument is in the picture. */
export function drawn(name) {
  const picture = $("graph").firstElementChild;
  if (seen.picture !== picture) seen = { picture, names: new Set([...$("graph").querySelectorAll("[data-name]")].map((each) => each.dataset.name)) };
  return seen.names.has(name);
}
