// What the page shows while a slider moves, computed by engine.js: strengths, order, sentence and quick contributions.
// The bars and the picture of the last answer stay, and only their numbers and lengths move.

import { $, fixed, formatNumber, shape } from "./dom.js";
import { baseScores, budget, compile, contrast, edgePlayers, groupPlayers, sortBySize, TIE } from "./engine.js";
import { label } from "./graph.js";
import { playersOf } from "./state.js";

export const MOST = 1_500_000; // edges to look at for one move; about 20 ms
const ROWS = 12; // bars, where there are none yet

let made = {}; // the compiled graph of the last state

/** A state as arrays, ready to be solved; null where only the server can. */
export function compiled({ graph, semantics, solver, removed }) {
  const same = made.graph === graph && made.semantics === semantics && made.solver === solver && made.removed === removed;
  if (!same) made = { graph, semantics, solver, removed, model: compile(graph, { semantics, solver, removed }) };
  return made.model;
}

/** The answer for a state that can be given at once; null where only the server can. */
export function computeQuick(state, fact, foil) {
  const g = compiled(state);
  if (!g || !g.index.has(fact) || !g.index.has(foil) || fact === foil) return null;
  const base = baseScores(g, state.set), [one, other] = [g.index.get(fact), g.index.get(foil)], who = makePlayers(g, { ...state, fact, foil });
  const method = state.method === "gradient" || made.slow?.has(state.players) ? "gradient" : "removal";
  const found = contrast(g, base, one, other, { method, spend: budget(MOST), players: who.players });
  if (!found.strengths) return null;
  if (method !== found.method) made.slow = new Set(made.slow).add(state.players); // removals take too long: not tried again
  const strengths = Object.create(null);
  g.names.forEach((name, x) => { strengths[name] = found.strengths[x]; });
  return { ...found, ...who, fact, foil, state, strengths, g, base, own: found.strengths[one], other: found.strengths[other] };
}

/** Who contributes: the players of the engine, null for all arguments; how to name them as bars do, and to find them. */
function makePlayers(g, state) {
  const { graph, players: kind, fact, foil } = state, text = ({ name, source, target }) => (source === undefined ? label(graph, name) : `${label(graph, source)} → ${label(graph, target)}`);
  if (kind === "arguments") return { players: null, text, nameOf: (x) => ({ name: g.names[x] }), find: ({ name }) => g.index.get(name) ?? -1 };
  if (kind === "groups") {
    const here = Object.entries(playersOf(state)).map(([name, members]) => [name, members.map((each) => g.index.get(each)).filter((x) => x !== undefined)]).filter(([, members]) => members.length);
    const players = groupPlayers(g, here.map(([, members]) => members)), names = players.map(({ members: [x] }, p) => here[p]?.[0] ?? g.names[x]);
    return { players, text, nameOf: (p) => ({ name: names[p] }), find: ({ name }) => names.indexOf(name) };
  }
  const players = edgePlayers(g, kind === "direct" ? [fact, foil].map((name) => g.index.get(name)) : null);
  const nameOf = (p) => ({ source: g.names[g.parents[players[p].entry]], target: g.names[g.targets[players[p].entry]] });
  return { players, text, nameOf, find: ({ source, target }) => {
    const [from, to] = [g.index.get(source), g.index.get(target)];
    return players.findIndex(({ entry }) => g.parents[entry] === from && g.targets[entry] === to);
  } };
}

// -- the sentence: the phrases are the server's

/** The order of two strengths in pieces, as the server writes it before the reasons. */
export function writeOrder({ own, other }, names, phrases) {
  const gap = Math.abs(own - other), relation = own > other ? "ahead" : "behind";
  const key = gap <= TIE ? "rated.tied" : gap < 1e-5 ? `rated.close.${relation}` : `rated.${relation}`;
  const [low, apart, high] = gap < 1e-5 ? [formatNumber(own), formatNumber(gap), formatNumber(own)] : addUp(Math.min(own, other), gap, Math.max(own, other));
  const [first, second] = own > other ? [high, low] : [low, high];
  const parts = { fact: [names.fact, "fact"], foil: [names.foil, "foil"], own: [first, null], other: [second, null], gap: [apart, null] };
  const pieces = phrases[key].split(/\{(\w+)\}/).map((text, k) => (k % 2 ? parts[text] : [text, null]));
  return [...pieces, [".", null]];
}

/** Two numbers and their sum with as many digits, from 3 to 5, as it takes to add up as printed. */
function addUp(...values) {
  const small = values.filter((value) => value > 0 && value < 5e-4).map((value) => 1 - Math.floor(Math.log10(value)));
  const least = Math.max(3, ...small.filter((digits) => digits <= 6));
  for (let digits = least; ; digits++) {
    const texts = values.map((value) => fixed(value, digits)), [low, gap, high] = texts.map((text) => Math.round(Number(text) * 10 ** digits));
    if (low + gap === high || digits >= Math.max(least, Math.min(least + 2, 6))) return [texts[0], ((high - low) / 10 ** digits).toFixed(digits), texts[2]];
  }
}

// -- bars

const BARS = ".qx-bar:is([data-name], [data-source])";

/** Bars of the quick contributions: those of the last answer at their places, or the strongest if there are none. */
export function showBars(found) {
  let svg = $("bars").querySelector("svg");
  if (![...svg?.querySelectorAll(BARS) ?? []].some((place) => found.find(place.dataset) >= 0)) { // none yet, or of other players
    svg = drawRows(found);
    $("bars").replaceChildren(svg);
  }
  const axis = svg.querySelector(".qx-axis"), [left, right] = [Number(axis.dataset.left), Number(axis.dataset.right)];
  const rows = [...svg.querySelectorAll(BARS)].map((place) => ({ place, values: valuesOf(found, place.dataset) }));
  const all = rows.flatMap(({ values }) => values).filter(Number.isFinite), room = 0.12 * (Math.max(0, ...all) - Math.min(0, ...all)) || 1;
  const low = Math.min(-room, ...all), unit = (right - left) / (Math.max(room, ...all) - low), zero = left - low * unit;
  for (const { place, values } of rows) showRow(place, values, zero, unit, found);
  axis.setAttribute("d", axis.getAttribute("d").replace(/^M[\d.]+/, `M${zero.toFixed(2)}`));
  axis.dataset.unit = unit;
  placeGhosts(svg);
  const [foil, fact] = svg.querySelectorAll(":scope > text");
  foil.setAttribute("x", zero - 8);
  fact.setAttribute("x", zero + 8);
  svg.classList.add("quick");
}

/** The hollow bars of a pinned state, in the scale of the others and no longer than the place for them. */
export function placeGhosts(svg) {
  const axis = svg.querySelector(".qx-axis"), zero = parseFloat(axis.getAttribute("d").slice(1)), [unit, left, right] = ["unit", "left", "right"].map((key) => Number(axis.dataset[key]));
  for (const ghost of svg.querySelectorAll(".ghost")) {
    const end = Math.max(left, Math.min(right, zero + ghost.dataset.value * unit));
    ghost.setAttribute("x", Math.min(zero, end));
    ghost.setAttribute("width", Math.max(1, Math.abs(end - zero)));
  }
}

/** The contribution of a player to the contrast, to the fact, to the foil; NaN if it is not there. */
function valuesOf({ find, contributions, individual }, name) {
  const p = find(name);
  return p < 0 ? [NaN, NaN, NaN] : [contributions[p], individual[0][p], individual[1][p]];
}

function showRow(place, values, zero, unit, found) {
  const bars = [...place.querySelectorAll("rect:not(.area, .ghost)")], [value] = values, favoured = value > 0 ? "fact" : "foil";
  const shown = bars.length === 3 ? values : [value, ...bars.slice(1).map(() => NaN)];
  bars.forEach((bar, k) => {
    const end = Number.isFinite(shown[k]) ? zero + shown[k] * unit : zero;
    bar.setAttribute("x", Math.min(zero, end).toFixed(2));
    bar.setAttribute("width", Math.abs(end - zero).toFixed(2));
  });
  bars[0]?.setAttribute("class", `qx-${favoured}`);
  const number = [...place.querySelectorAll("text:not(.mark)")].at(-1), text = Number.isFinite(value) ? formatNumber(value, true) : "?";
  number.textContent = text;
  number.setAttribute("class", value ? `qx-${favoured}-ink` : "qx-ink");
  place.dataset.value = value;
  const said = `${found.text(place.dataset)}: ${text} (quick, by ${found.method})`;
  place.setAttribute("aria-label", said);
  const title = place.querySelector("title");
  if (title) title.textContent = said;
}

/** Empty rows for the strongest players. */
function drawRows(found) {
  const width = Math.max(280, $("bars").clientWidth || 480), left = 16 + 0.32 * width, right = width - 76;
  const named = Array.from(found.contributions.keys()).filter((p) => found.contributions[p]);
  const order = sortBySize(named, (p) => Math.abs(found.contributions[p]), (p) => Object.values(found.nameOf(p)).join("', '"));
  const names = order.slice(0, ROWS).map(found.nameOf), height = 40 + 42 * names.length, { graph } = found.state;
  const text = (words, attributes) => Object.assign(shape("text", { "font-size": 13, class: "qx-ink", ...attributes }), { textContent: words });
  const cut = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: "qx-bars", role: "group", "aria-label": "Quick contributions as bars" });
  svg.append(text(`◂ ${cut(label(graph, found.foil), 24)}`, { y: 18, "text-anchor": "end", "font-size": 11.5, "font-weight": 700, class: "qx-foil-ink" }),
    text(`${cut(label(graph, found.fact), 24)} ▸`, { y: 18, "font-size": 11.5, "font-weight": 700, class: "qx-fact-ink" }));
  names.forEach((name, k) => {
    const top = 34 + 42 * k, row = shape("g", { class: "qx-bar", role: "img" });
    const bar = (y, tall, colour) => shape("rect", { y: top + y, height: tall, rx: 1.5, class: `qx-${colour}` });
    Object.assign(row.dataset, name);
    row.append(text(cut(found.text(name), Math.floor(left / 8)), { x: 16, y: top + 24 }), bar(6, 15, "fact"), bar(23, 5.5, "fact-soft"),
      bar(29.5, 5.5, "foil-soft"), text("", { x: width - 16, y: top + 24, "text-anchor": "end", "font-weight": 600 }));
    svg.append(row);
  });
  svg.append(shape("path", { d: `M0 28V${height - 6}`, class: "qx-ink-line qx-axis", "data-left": left, "data-right": right }));
  return svg;
}

// -- the picture and the matrix

/** The gaps of these topics, row − column. */
export const findGaps = (topics, strengths) => topics.map((a) => topics.map((b) => {
  const gap = strengths[a] - strengths[b];
  return Math.abs(gap) <= TIE ? 0 : gap;
}));

/** The strengths in the picture of the last answer. */
export function showStrengths({ strengths, g, base }) {
  for (const node of $("graph").querySelectorAll(".qx-node[data-name]")) {
    const { name } = node.dataset, x = g.index.get(name);
    if (x === undefined || Number(node.dataset.strength) === strengths[name] && Number(node.dataset.base) === base[x]) continue;
    const numbers = [...node.querySelectorAll("text")].find((each) => each.textContent.includes(" → "));
    if (numbers) numbers.textContent = `${fixed(base[x], 2)} → ${fixed(strengths[name], 2)}`;
    const track = node.querySelector(".qx-track"), bar = track?.nextElementSibling;
    if (bar?.localName === "rect") bar.setAttribute("width", (strengths[name] * track.getAttribute("width")).toFixed(2));
    node.dataset.base = base[x];
    node.dataset.strength = strengths[name];
    node.setAttribute("aria-label", `${label(made.graph, name)}: base score ${formatNumber(base[x])}, strength ${formatNumber(strengths[name])}`);
  }
}
