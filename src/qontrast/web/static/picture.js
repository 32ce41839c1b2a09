// The graph and the bars. Python draws them; here they only learn to be hovered, clicked and reached by keyboard.

import { $, drawing, h } from "./dom.js";
import { reach } from "./graph.js";

let hovered = null, current = null, asked = null, pick = () => {};

export function onPickArgument(action) { pick = action; }

export function showPictures(svg, state, pinned) {
  current = { state, pinned };
  const focused = document.activeElement?.dataset?.name;
  const within = document.activeElement?.closest?.("#graph, #bars")?.id;
  const { scrollLeft, scrollTop } = $("graph");
  if (svg.graph) $("graph").replaceChildren(drawing(svg.graph));
  fitPicture();
  Object.assign($("graph"), { scrollLeft, scrollTop });
  if (asked !== `${state.name} ${state.fact} ${state.foil}`) { // another question: its topics come into view
    asked = `${state.name} ${state.fact} ${state.foil}`;
    const topic = $("graph").querySelector(".qx-fact-node")?.getBoundingClientRect(), card = $("graph").getBoundingClientRect();
    if (topic) $("graph").scrollBy(topic.x - card.x - card.width / 3, topic.y - card.y - card.height / 2);
  }
  const none = h("p", { className: "muted note" }, "No contributions to show: see the message beside the question.");
  $("bars").replaceChildren(svg.bars ? drawing(svg.bars) : none);
  for (const place of ["graph", "bars"]) {
    for (const each of $(place).querySelectorAll("[data-name]")) alive(each, place);
    if (within === place && focused !== undefined) nodes(place, focused)[0]?.focus({ preventScroll: true });
  }
  light();
}

const SMALLEST = 0.75; // a picture that would have to be smaller than this scrolls instead, unless the whole is wanted
let whole = false;

/** As large as the card allows; a large graph stays readable and scrolls. */
export function fitPicture() {
  const svg = $("graph").querySelector("svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal, card = $("graph");
  const across = (card.clientWidth - 14) / width;
  const fit = innerWidth < 1000 ? across : Math.min(across, (card.clientHeight - 6) / height);
  const small = fit < SMALLEST;
  const scale = small && !whole ? Math.max(SMALLEST, Math.min(across, 0.85)) : Math.min(fit, 1.5);
  svg.style.width = `${Math.floor(width * scale)}px`;
  svg.style.height = `${Math.floor(height * scale)}px`;
  $("whole").hidden = !small;
  $("whole").setAttribute("aria-pressed", String(whole));
  $("whole").onclick = () => { whole = !whole; fitPicture(); };
}

function alive(each, place) {
  each.setAttribute("tabindex", "0");
  each.setAttribute("role", "button");
  const { name } = each.dataset;
  each.onpointerenter = each.onfocus = () => { hovered = name; light(); };
  each.onpointerleave = each.onblur = () => { hovered = null; light(); };
  each.onclick = (event) => pick(name, place, event);
  each.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(name, place, event); }
  };
  if (place === "bars") openable(each);
}

/** A bar that open.js opens: the whole row can be clicked, and a mark says so. */
function openable(bar) {
  const top = Number(bar.querySelector("rect").getAttribute("y")) - 6, made = (tag) => document.createElementNS(bar.namespaceURI, tag);
  const area = made("rect"), mark = made("text");
  for (const [key, value] of Object.entries({ y: top, width: "100%", height: 42, class: "area" })) area.setAttribute(key, value);
  for (const [key, value] of Object.entries({ x: 3, y: top + 24, class: "mark qx-muted", "aria-hidden": true })) mark.setAttribute(key, value);
  mark.textContent = "▸";
  bar.prepend(area);
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

/** Light up what the hovered (else the kept) argument can reach; everything else fades. */
function light() {
  const { state, pinned } = current;
  const name = hovered ?? pinned;
  const lit = name === null || name === undefined || !(name in state.graph.arguments) ? null : reach(state.graph, name, state.removed);
  for (const each of $("graph").querySelectorAll(".qx-node, .qx-edge, .qx-number")) {
    const { name: own, source, target } = each.dataset;
    const there = lit === null || (own !== undefined ? lit.has(own) : lit.has(source) && lit.has(target));
    each.classList.toggle("dim", !there);
    each.classList.toggle("held", own !== undefined && own === pinned);
    if (own !== undefined) each.setAttribute("aria-pressed", String(own === pinned));
  }
  for (const each of $("bars").querySelectorAll("[data-name]")) each.classList.toggle("held", each.dataset.name === name);
  for (const row of document.querySelectorAll(".row[data-name]")) row.classList.toggle("held", row.dataset.name === name);
}

/** Whether an argument is in the picture. */
export const drawn = (name) => nodes("graph", name).length > 0;
