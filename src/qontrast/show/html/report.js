// The controls of a report: base scores, removals, topics and quick methods. The text of engine.js stands before this
// one in the same inline module. Without scripts the page is the report as Python wrote it.

const data = JSON.parse(document.getElementById("qx-data").textContent);
const { texts, labels } = data, count = labels.length;
const graph = {
  arguments: Object.fromEntries(data.base.map((score, x) => [x, { initial_weight: score }])),
  attacks: data.attacks.map(([a, b]) => [`${a}`, `${b}`]),
  supports: data.supports.map(([a, b]) => [`${a}`, `${b}`]),
  edge_weights: ["attack", "support"].flatMap((kind) => data[`${kind}s`].filter(([, , w]) => w !== undefined).map(([a, b, w]) => [kind, `${a}`, `${b}`, w])),
};
const MAX_EDGES_PER_ANSWER = 3e6, MAX_BARS = 12, STEP = 0.01;
const state = { base: [...data.base], removed: new Set(), fact: data.fact, foil: data.foil, method: "removal" };
let compiled = null, waiting = false;

// -- words, filled in as Python does

const fill = (key, fields = {}) => texts[key].replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
const isolated = (x) => `\u2068${data.names[x]}\u2069`;
const join = (parts) => (parts.length < 2 ? parts.join("") : fill("and", { first: parts.slice(0, -1).join(", "), last: parts.at(-1) }));
const mark = (text) => text.replace("-", "−").replace(".", data.decimal);

function number(value, sign = "", digits = 3) {
  if (Number.isNaN(value)) return texts["number.undefined"];
  if (value === 0) return "0";
  const size = Math.abs(value), plus = value < 0 ? "−" : sign;
  if (size >= 0.5 * 10 ** -digits) return plus + mark(size.toFixed(digits));
  if (size >= 1e-5) return plus + mark(size.toFixed(1 - Math.floor(Math.log10(size))));
  const [mantissa, power] = size.toExponential(1).split("e");
  return `${plus}${mark(mantissa)}·10${[...power.replace("+", "")].map((each) => (each === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[each])).join("")}`;
}

/** Who is ahead, with numbers that add up. */
function order(own, other) {
  const gap = Math.abs(own - other), names = { fact: isolated(state.fact), foil: isolated(state.foil) };
  if (state.fact === state.foil) return fill("same", names);
  if (gap <= TIE) return fill("tied", { ...names, own: number(own) });
  const relation = own > other ? "ahead" : "behind";
  if (gap < 1e-5) return fill(`close.${relation}`, { ...names, own: number(own), gap: number(gap) });
  let digits = 3;
  const round = (value) => Math.round(value * 10 ** digits), apart = () => Math.abs(round(own) - round(other));
  while (digits < 6 && (apart() !== round(gap) || apart() === 0)) digits += 1;
  const text = (value) => mark((value / 10 ** digits).toFixed(digits));
  return fill(relation, { ...names, own: text(round(own)), other: text(round(other)), gap: text(apart()) });
}

/** The strongest reasons on both sides, the side that is ahead first. */
function reasons(found, ranked) {
  if (state.fact === state.foil) return "";
  const least = Math.max(5e-4, data.share * Math.abs(ranked[0]?.[1] ?? 0));
  const sides = [1, -1].map((sign) => ranked.filter(([, value]) => value * sign > 0));
  if (!sides.flat().length) return fill("no reason");
  const [one, other] = sides.map((side, k) => {
    const strong = side.filter(([, value]) => Math.abs(value) >= least).slice(0, 3);
    const named = (strong.length ? strong : side.slice(0, 1)).map(([x, value]) => fill("amount", { who: isolated(x), value: number(value, "+") }));
    return fill("favour", { topic: isolated(k ? state.foil : state.fact), reasons: join(named) || fill("none") });
  });
  return fill("reasons", { lead: fill(`lead.${found.method}`), one: found.gap < -TIE ? other : one, other: found.gap < -TIE ? one : other });
}

// -- the page

function h(name, attributes = {}, ...inside) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...inside);
  return made;
}
const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const named = (x) => h("bdi", {}, labels[x]);

const all = [...new Set([...data.topics, ...data.order, ...labels.keys()])];
const choose = (key) => h("select", { ariaLabel: texts[`live.${key}`], onchange: (event) => { state[key] = Number(event.target.value); changed(); } },
  ...all.map((x) => h("option", { value: x, selected: x === state[key] }, labels[x])));
const pickers = { fact: choose("fact"), foil: choose("foil") };
const method = h("select", { ariaLabel: texts["live.method"], onchange: () => { state.method = method.value; changed(); } },
  ...["removal", "gradient"].map((each) => h("option", { value: each }, texts[`live.${each}`])));
const answer = h("p", { className: "answer quick", ariaLive: "polite" }), because = h("p"), note = h("p", { className: "note" }), bars = h("div", { className: "rows" });
const reset = h("button", { type: "button", onclick: restore }, texts["live.reset"]);

const rows = new Map(all.map((x) => [x, makeRow(x)]));
const list = h("div", { className: "sliders" }, ...[...rows.values()].map(({ row }) => row));
const find = h("input", { type: "search", placeholder: texts["live.find"], ariaLabel: texts["live.find"], oninput: () => {
  const wanted = find.value.toLowerCase();
  for (const [x, { row }] of rows) row.hidden = !labels[x].toLowerCase().includes(wanted);
} });

function makeRow(x) {
  const range = h("input", { type: "range", min: 0, max: 1, step: STEP, ariaLabel: labels[x] }), shown = h("span"), strength = h("span");
  range.dataset.argument = x;
  range.oninput = () => { state.base[x] = Number(range.value); changed(); };
  const tick = h("input", { type: "checkbox", ariaLabel: fill("live.remove.name", { name: labels[x] }), onchange: () => {
    if (tick.checked) state.removed.add(x); else state.removed.delete(x);
    compiled = null;
    changed();
  } });
  tick.dataset.remove = x;
  strength.dataset.strength = x;
  const row = h("div", { className: "slider" }, named(x), h("span", { className: "numbers" }, shown, " → ", strength), range, h("label", {}, tick, ` ${texts["live.remove"]}`));
  return { row, range, shown, strength, tick };
}

function restore() {
  Object.assign(state, { base: [...data.base], fact: data.fact, foil: data.foil });
  state.removed.clear();
  compiled = null;
  changed();
}

const isOriginal = () => state.fact === data.fact && state.foil === data.foil && !state.removed.size && state.base.every((score, x) => score === data.base[x]);

/** Answer once before the next picture, however often something moved. */
function changed() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; show(); });
}

function show() {
  const original = isOriginal();
  for (const key of ["fact", "foil"]) pickers[key].value = state[key];
  compiled ??= compile(graph, { semantics: data.semantics, solver: data.solver, removed: [...state.removed].map(String) });
  const at = (x) => compiled.index.get(`${x}`);
  const base = baseScores(compiled, Object.fromEntries(state.base.map((score, x) => [x, score])));
  const found = contrast(compiled, base, at(state.fact), at(state.foil), { method: state.method, spend: budget(MAX_EDGES_PER_ANSWER) });
  for (const [x, { row, range, shown, strength, tick }] of rows) {
    const gone = state.removed.has(x), value = gone || !found.strengths ? NaN : found.strengths[at(x)];
    range.value = state.base[x];
    range.disabled = tick.checked = gone;
    tick.disabled = x === state.fact || x === state.foil;
    row.classList.toggle("moved", gone || state.base[x] !== data.base[x]);
    shown.textContent = mark(state.base[x].toFixed(2));
    strength.textContent = gone ? "–" : number(value);
    strength.dataset.value = value;
  }
  const known = [...(found.contributions ?? [])].map((value, k) => [Number(compiled.names[k]), value]).filter(([, value]) => value);
  const ranked = sortBySize(known, ([, value]) => Math.abs(value), ([x]) => data.alphabet.indexOf(x));
  document.body.classList.toggle("moved", !original);
  answer.hidden = because.hidden = bars.hidden = original;
  reset.disabled = original;
  answer.textContent = found.strengths ? order(found.strengths[at(state.fact)], found.strengths[at(state.foil)]) : texts[found.moving ? "live.undefined" : "live.unknown"];
  because.textContent = found.strengths ? reasons(found, ranked) : "";
  note.textContent = original ? texts["live.start"] : fill("live.quick", { value: texts[`live.${found.method ?? state.method}`] });
  drawBars(ranked.slice(0, MAX_BARS));
  drawGraph(original ? null : (x) => found.strengths?.[at(x)] ?? NaN);
  document.body.dataset.shown = Number(document.body.dataset.shown ?? 0) + 1;
}

// -- the pictures of the graph: they follow the controls; a box that does not change is as Python drew it

const MAX_FILL = 0.85; // opacity of a box of strength 1, as in Python
const roleIn = (x, { fact, foil }) => (x === fact ? "fact" : x === foil ? "foil" : data.topics.includes(x) ? "topic" : "");
const pictures = [...document.querySelectorAll("svg.qx-graph")].map((picture) => {
  const nodes = [...picture.querySelectorAll(".qx-node")].map((now) => ({ x: Number(now.id.split("-").at(-1)), now, home: now.cloneNode(true), key: "" }));
  const place = new Map(nodes.map(({ x, home }) => [home.dataset.name, x]));
  const lines = [...picture.querySelectorAll(".qx-edge,.qx-number")].map((line) => [line, place.get(line.dataset.source), place.get(line.dataset.target)]);
  return { nodes, lines };
});

/** Draw strengths, NaN where they are undefined; null brings back what Python drew. */
function drawGraph(strength) {
  for (const { nodes, lines } of pictures) {
    for (const node of nodes) {
      const { x, home } = node, gone = state.removed.has(x), value = strength && !gone ? strength(x) : NaN, role = roleIn(x, state);
      const same = !strength || !gone && state.base[x] === data.base[x] && role === roleIn(x, data) && Math.abs(value - Number(home.dataset.strength)) < 1e-9;
      const key = same ? "" : [gone, state.base[x], role, value].join();
      if (key === node.key) continue;
      node.key = key;
      const made = home.cloneNode(true);
      if (!same) redraw(made, nodes, x, role, value, gone);
      node.now.replaceWith(made);
      node.now = made;
    }
    for (const [line, ...ends] of lines) line.classList.toggle("gone", Boolean(strength) && ends.some((x) => state.removed.has(x)));
  }
}

function redraw(made, nodes, x, role, value, gone) {
  if (role !== roleIn(x, data)) dress(made, nodes, role);
  const set = (each, attributes) => { for (const [key, to] of Object.entries(attributes)) each.setAttribute(key, to); };
  const box = made.querySelectorAll("rect")[1], numbers = made.querySelector("text:not([font-weight])"), unknown = Number.isNaN(value);
  const [track, bar] = made.querySelectorAll('rect[height="3.5"]'), notch = made.querySelector('rect[height="7.5"]');
  const start = Number(track.getAttribute("x")), length = Number(track.getAttribute("width"));
  set(box, unknown ? { "fill-opacity": 0, "stroke-dasharray": "5 4" } : { "fill-opacity": MAX_FILL * value });
  if (bar) set(bar, { width: unknown ? 0 : length * value });
  if (notch) set(notch, { x: start + length * state.base[x] - 0.8 });
  const node = role ? fill(`graph.role.${role}`, { label: labels[x] }) : labels[x], base = number(state.base[x]);
  const words = gone ? fill("graph.ghost", { label: labels[x] }) : fill("graph.node", { node, base, strength: number(value) });
  numbers.textContent = gone ? texts["live.gone"] : `${mark(state.base[x].toFixed(2))} → ${unknown ? "⊥" : mark(value.toFixed(2))}`;
  if (gone) for (const each of [track, bar, notch]) each?.remove();
  made.classList.add(gone ? "removed" : state.base[x] === data.base[x] ? "followed" : "edited");
  made.dataset.strength = value;
  made.querySelector("title").textContent = words;
  made.setAttribute("aria-label", words);
}

/** Give a box the look of its new role, which is that of a box that has it in the picture as computed. */
function dress(made, nodes, role) {
  const tag = (node) => node.querySelectorAll('rect[height="15"],text[font-weight="700"]'), frame = (node) => node.querySelectorAll("rect")[1];
  for (const each of tag(made)) each.remove();
  const like = (nodes.find(({ x }) => roleIn(x, data) === role) ?? nodes.find(({ x }) => x !== data.fact && x !== data.foil))?.home;
  if (!like) return;
  const copy = (from, to, names) => { for (const name of names) if (from && to && from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name)); };
  copy(frame(like), frame(made), ["class", "stroke", "stroke-width"]);
  copy(...[like, made].map((node) => node.querySelectorAll('rect[height="3.5"]')[1]), ["class", "fill"]);
  const [dx, dy] = ["x", "y"].map((side) => frame(made).getAttribute(side) - frame(like).getAttribute(side));
  for (const each of tag(like)) {
    const moved = each.cloneNode(true);
    moved.setAttribute("x", Number(each.getAttribute("x")) + dx);
    moved.setAttribute("y", Number(each.getAttribute("y")) + dy);
    made.append(moved);
  }
}

function drawBars(ranked) {
  const values = [0, ...ranked.map(([, value]) => value)], low = Math.min(...values), high = Math.max(...values);
  const scale = (value) => 100 * (value - low) / (high - low || 1);
  bars.replaceChildren(...ranked.map(([x, value]) => {
    const [from, to] = [scale(0), scale(value)].sort((a, b) => a - b), side = value > 0 ? "fact" : "foil";
    const picture = svg("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(svg("rect", { class: "zero", x: scale(0) - 0.1, width: 0.2, y: 0, height: 20 }), svg("rect", { class: side, x: from, width: to - from, y: 4, height: 12 }));
    return h("div", {}, h("p", {}, named(x), h("b", { className: `for-${side}` }, number(value, "+"))), picture);
  }));
}

const live = h("section", { className: "live" }, h("h2", {}, texts["live.heading"]),
  h("p", { className: "ask" }, pickers.fact, ` ${texts["live.rather"]} `, pickers.foil, " ", method, " ", reset),
  answer, because, note, ...(count > 12 ? [find] : []), h("div", { className: "try" }, list, bars));
const [first, second] = document.querySelectorAll("main > section"), valued = document.querySelector(".qx-graph [data-value],.qx-graph .qx-group");
first.before(live);
first.querySelector(".picture").before(h("p", { className: "note follows" }, texts["live.picture"], valued ? ` ${texts["live.picture.values"]}` : ""));
second.before(h("p", { className: "note exact" }, texts["live.exact"]));
// paper shows what was computed
addEventListener("beforeprint", () => drawGraph(null));
addEventListener("afterprint", show);
show();
