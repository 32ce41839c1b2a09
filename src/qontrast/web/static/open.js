// A bar opens into what stands behind it: the edges that an argument acts through, or the members of a group.

import { ask, newest, Refused } from "./api.js";
import { $, dress, formatNumber, h, onResize, shape, visible } from "./dom.js";
import { edges, has, label, own } from "./graph.js";
import { hoverable } from "./picture.js";
import { question } from "./state.js";

/** Close the bar that is open; then open the one of this name, if any. */
export function showInside(shown, name, byHand) {
  dress();
  close();
  const bar = name === null ? null : [...$("bars").querySelectorAll("[data-name]")].find((each) => each.dataset.name === name);
  if (!bar) return;
  const { state } = shown, isGroup = !has(state.graph, name);
  const rows = isGroup ? listMembers(state, name) : listEdges(state, name);
  const note = h("p", { role: "status" }, rows.length ? "Computing …" : "It has no edges, so it acts on nothing.");
  const what = isGroup ? `The members of ${visible(name)}` : `The edges of ${label(state.graph, name)}`;
  const list = h("div", { role: "list", "aria-label": what }, ...rows.map(({ place }) => place));
  const place = h("div", { className: "inside", "aria-busy": String(rows.length > 0) }, list, note);
  makeRoom(bar, place);
  if (byHand) place.scrollIntoView({ block: "nearest" });
  if (rows.length) fill({ shown, isGroup, bar, rows, note, place });
}

// -- the place under the bar

function close() {
  const svg = $("bars").querySelector("svg"), open = svg?.querySelector("foreignObject");
  if (!open) return;
  const bar = svg.querySelector('[aria-expanded="true"]');
  if (open.contains(document.activeElement)) bar.focus({ preventScroll: true });
  open.remove();
  setOpen(bar, false);
  moveBelow(svg, null, 0);
}

function setOpen(bar, isOpen) {
  bar.setAttribute("aria-expanded", String(isOpen));
  bar.querySelector(".mark").textContent = isOpen ? "▾" : "▸";
}

/** Put an element under a bar, and move all that is below. */
function makeRoom(bar, place) {
  const svg = bar.ownerSVGElement, { width } = svg.viewBox.baseVal, area = bar.querySelector(".area");
  const frame = shape("foreignObject", { y: Number(area.getAttribute("y")) + Number(area.getAttribute("height")), width, height: 1 });
  frame.append(place);
  bar.after(frame);
  setOpen(bar, true);
  svg.querySelector("title").after(svg.querySelector(".qx-axis")); // behind the note
  const { left, right } = measure(bar);
  place.style.setProperty("--columns", `${left}px ${right - left}px ${width - right}px`);
  const fit = () => {
    frame.setAttribute("height", place.offsetHeight);
    moveBelow(svg, frame, place.offsetHeight);
  };
  onResize(place, fit); // the note below the rows may wrap
  fit();
}

/** Move all that comes after the frame down by this much; the axis grows instead. */
function moveBelow(svg, frame, by) {
  const { width, height } = svg.viewBox.baseVal;
  const before = Number(svg.dataset.grown ?? 0);
  svg.setAttribute("viewBox", `0 0 ${width} ${height - before + by}`);
  svg.setAttribute("height", height - before + by);
  svg.dataset.grown = by;
  const after = frame ? [...svg.children].slice([...svg.children].indexOf(frame) + 1) : [...svg.children];
  for (const each of after) if (!each.matches(".qx-axis")) each.setAttribute("transform", `translate(0 ${by})`);
  const axis = svg.querySelector(".qx-axis");
  axis.setAttribute("d", axis.getAttribute("d").replace(/V(.*)/, (_, end) => `V${Number(end) - before + by}`));
}

// -- the rows

/** A row for each edge of an argument, in the order of the file. */
function listEdges({ graph, removed }, name) {
  return edges(graph).filter(({ source, target }) => source === name && !removed.includes(target)).map(({ kind, target }) => {
    const text = label(graph, target), does = kind === "attack" ? "attacks " : "supports ";
    const parts = [h("span", { className: `key ${kind}` }), h("span", { className: "text", title: does + text }, h("span", { className: "sr" }, does), text)];
    return row({ source: name, target }, parts,
      ({ contributions }) => contributions.find((each) => each.source === name && each.target === target)?.value);
  });
}

/** A row for each member of a group. */
function listMembers({ graph, removed, fact, foil }, group) {
  const there = (own(graph.groups, group) ?? []).filter((name) => ![...removed, fact, foil].includes(name));
  return there.map((name) => row({ name }, [h("span", { className: "text" }, label(graph, name))], ({ contributions }) => contributions[name]));
}

/** A row that lights up an edge or an argument in the graph; `find` takes its value from an answer. */
function row(data, parts, find) {
  const bar = h("span", { className: "bar" }), value = h("span", { className: "value" }, "…");
  const place = h("div", { role: "listitem", className: "part" }, h("span", { className: "name" }, ...parts), h("span", { className: "track" }, bar), value);
  hoverable(place, data);
  return { find, bar, value, place };
}

/** Where the picture has its zero and the ends of its bars, and how many pixels a unit has. */
function measure(bar) {
  const { unit, left, right } = bar.ownerSVGElement.querySelector(".qx-axis").dataset;
  const zero = /M([^ ]+)/.exec(bar.ownerSVGElement.querySelector(".qx-axis").getAttribute("d"))[1];
  return { zero: Number(zero), unit: Number(unit), left: Number(left), right: Number(right) };
}

/** Draw the values on the scale of the picture; on a smaller one where they would not fit. */
function draw(bar, rows, values) {
  const { zero, unit, left, right } = measure(bar);
  const room = (value) => (value > 0 ? right - zero : zero - left);
  const scale = Math.min(unit, ...values.filter(Boolean).map((value) => room(value) / Math.abs(value)));
  rows.forEach(({ bar: own, value }, k) => {
    const size = Math.abs(values[k] ?? 0) * scale;
    own.className = `bar ${values[k] > 0 ? "fact" : "foil"}`;
    own.style.width = `${values[k] ? Math.max(0.75, size) : 0}px`;
    own.style.marginLeft = `${zero - left - (values[k] > 0 ? 0 : size)}px`;
    value.textContent = values[k] === null ? "kink" : formatNumber(values[k], true);
    value.className = `value ${values[k] > 0 ? "up" : values[k] < 0 ? "down" : ""}`;
  });
  return scale < 0.999 * unit;
}

// -- the numbers

const WORDS = {
  edges: {
    removal: "What would be lost without each edge.",
    gradient: "Slopes per unit of each edge's weight.",
    sampled: "Shapley values among all edges, estimated.",
  },
  arguments: {
    removal: "What would be lost without each member alone.",
    gradient: "Slopes per unit of each member's base score.",
    intrinsic: "What would be lost without each member alone, cut off from its parents.",
    sampled: "Shapley values among all arguments, estimated.",
  },
};

/** Which methods to try, the best first: those of Owen divide a Shapley value. */
function methodsFor(method, kind, tables) {
  const own = tables.methods[method].players.includes(kind) ? method : "removal";
  return { shapley: ["owen", "removal"], owen: ["owen", "removal"], sampled: ["owen", "sampled"] }[method] ?? [own];
}

let kept = null; // the last answer, which has the edges of all arguments

async function contrastOf(body, signal) {
  const key = JSON.stringify(body);
  if (kept?.key !== key) kept = { key, found: await ask("contrast", body, signal) };
  return kept.found;
}

/** Try one method after the other while the question is too large for it. */
async function askFirst({ state, answer, tables }, kind, signal) {
  const methods = methodsFor(state.method, kind, tables), asked = question({ ...state, fact: answer.fact, foil: answer.foil });
  for (const method of methods) {
    try {
      const body = { ...asked, players: kind === "arguments" && method === "owen" ? asked.players : kind, method };
      return { method, found: await contrastOf(body, signal) };
    } catch (error) {
      const isLast = method === methods.at(-1), tooLong = error.kind === "TooLarge" || error.status === 503;
      if (!(error instanceof Refused) || isLast || !tooLong) throw error;
    }
  }
}

const fill = newest(async ({ shown, isGroup, bar, rows, note, place }, signal) => {
  if (!place.isConnected) return;
  const kind = isGroup ? "arguments" : "edges";
  try {
    const { method, found } = await askFirst(shown, kind, signal);
    if (!place.isConnected) return;
    const values = rows.map(({ find }) => find(found) ?? null);
    const smaller = draw(bar, rows, values) ? " Drawn on a smaller scale than the other bars." : "";
    note.textContent = writeNote(shown.state, kind, method, values, Number(bar.dataset.value)) + smaller;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    note.className = "problem";
    note.textContent = error.message;
  }
  place.setAttribute("aria-busy", "false");
});

function writeNote(state, kind, method, values, bar) {
  const sum = formatNumber(values.reduce((a, b) => a + b, 0), true), adds = Math.abs(values.reduce((a, b) => a + b, 0) - bar) < 1e-6;
  if (method === "owen" && adds) return `Shares of the bar (Owen values). They add up to ${sum}.`;
  if (method === "owen" && state.players === "groups" && kind === "edges") return `Shares (Owen values) if every argument plays alone. They add up to ${sum}.`;
  if (method === "owen") return `Exact shares (Owen values). They add up to ${sum}, of which the bar is an estimate.`;
  const why = ["shapley", "owen", "sampled"].includes(state.method) ? "Exact shares need more evaluations than this server allows. "
    : method !== state.method ? `The method ${state.method} is not defined for ${kind}. ` : "";
  return `${why}${WORDS[kind][method]} These do not add up to the bar.`;
}
