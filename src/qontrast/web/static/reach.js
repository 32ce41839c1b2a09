// Goals for topics, what may not move, and the cheapest change that reaches them; and how safe the order is.

import { ask, Refused } from "./api.js";
import { $, dress, h, formatNumber } from "./dom.js";
import { label, names, own } from "./graph.js";
import { makeLevels } from "./levels.js";
import { aboutGraph } from "./state.js";

const MOST_LOCKS = 200; // buttons at once
const MOST_GOALS = 5; // that hold together
const RELATIONS = { ">=": "≥", "<=": "≤", ">": "≥ that of" }; // the last one compares with another argument
let now = null; // { state, answer, apply } of the last answer
let made = null; // for which arguments the form was made, and the name of their graph
let goals = [], locks = new Set(); // what the user chose; a goal is { topic, relation, target, other }
let levels = null; // the bars, and the arguments that they are for
let found = null; // { key, strengths } of the state for which the result was found
let safe = null; // { key, bands } of the question about safety whose answer stands there
const running = {}; // place → the controller of the question that is being answered for it

/** The form with the present strengths; results that belong to another state say so. */
export function showReach(state, answer, apply) {
  dress();
  now = { state, answer, apply };
  const there = names(state.graph).filter((name) => !state.removed.includes(name));
  const key = JSON.stringify([state.name, ...there.map((name) => [name, label(state.graph, name)])]);
  if (key !== made?.key || !$("reach").children.length) {
    if (made?.name !== state.name) { locks.clear(); goals = []; }
    made = { key, name: state.name };
    locks = new Set([...locks].filter((name) => there.includes(name)));
    goals = goals.filter(({ topic, relation, other }) => there.includes(topic) && (relation !== ">" || there.includes(other)));
    if (!goals.length && there.length) goals = [propose(there, answer)];
    build(there);
  }
  showLevels();
  markOld();
}

const strengthOf = (name) => own(now.answer.strengths?.strengths, name);

/** To begin with: the weaker of the two topics shall be as strong as the other. */
function propose(there, { fact, foil }) {
  const [a, b] = [fact ?? there[0], foil ?? fact ?? there[0]], behind = strengthOf(b) > strengthOf(a) ? a : b;
  const highest = Math.max(strengthOf(a) ?? 0.5, strengthOf(b) ?? 0.5);
  return { topic: behind, relation: ">=", target: Math.min(1, Math.ceil(100 * highest) / 100), other: behind === a ? b : a };
}

function build(there) {
  for (const control of Object.values(running)) control.abort(); // their answers belong to the form before
  const onsubmit = (event) => { event.preventDefault(); find(); };
  const form = h("form", { className: "goal", onsubmit }, h("div", { id: "goals" }),
    h("button", { className: "main", id: "find", title: "Find the smallest change of base scores that reaches the goal" }, "Reach"), h("button", { type: "button", id: "add-goal", title: "Ask for one more thing at the same time", onclick: () => addGoal(there) }, "Add a goal"),
    h("button", { type: "button", id: "safe", title: "How far all base scores may be off before the order of the two changes", onclick: showSafety }, "How safe is the order?"), lockList(there));
  $("reach").replaceChildren(h("div", { id: "levels" }), form, h("div", { id: "reached", "aria-live": "polite" }), 
    h("div", { id: "safety", "aria-live": "polite" }, h("div", { id: "robust" }), h("div", { id: "deciding" })));
  found = safe = levels = null;
  fillGoals(there);
}

/** A line of the form for each goal. */
function fillGoals(there) {
  $("goals").replaceChildren(...goals.map((goal, k) => goalLine(there, goal, k)));
  $("add-goal").hidden = goals.length >= MOST_GOALS;
}

function goalLine(there, goal, k) {
  const { graph } = now.state, id = (part) => `goal-${part}${k ? `-${k + 1}` : ""}`, which = k ? ` of goal ${k + 1}` : "";
  const choose = (part, text, onchange) => h("select", { id: id(part), "aria-label": text + which, onchange },
    ...there.map((name) => h("option", { value: name, selected: name === goal[part] }, label(graph, name))));
  const topic = choose("topic", "Argument that shall change", () => { goal.topic = topic.value; showLevels(); });
  const other = choose("other", "Argument to compare with", () => { goal.other = other.value; showLevels(); });
  const relation = h("select", { id: id("relation"), "aria-label": "At least, at most, or at least as strong as another argument" + which, onchange: () => { goal.relation = relation.value; show(); showLevels(); } },
    ...Object.entries(RELATIONS).map(([value, text]) => h("option", { value }, text)));
  const number = h("input", { type: "number", id: id("target"), step: "any", value: goal.target, "aria-label": "Target strength" + which, oninput: () => {
    goal.target = number.value === "" ? NaN : Number(number.value);
    show();
    showLevels();
  } });
  const gone = h("button", { type: "button", className: "gone", hidden: goals.length === 1, "aria-label": `Remove goal ${k + 1}`, onclick: () => { goals.splice(k, 1); fillGoals(there); showLevels(); } }, "×");
  /** The line as the goal is now, which may have been dragged. */
  function show() {
    [topic.value, relation.value, number.hidden, other.hidden] = [goal.topic, goal.relation, goal.relation === ">", goal.relation !== ">"];
    if (document.activeElement !== number) number.value = goal.target;
    number.setAttribute("aria-invalid", String(Number.isNaN(goal.target)));
  }
  goal.show = show;
  show();
  return h("div", { className: "one" }, topic, relation, number, other, gone);
}

/** One more goal: of the topic that has none yet. */
function addGoal(there) {
  const { fact, foil } = now.answer, taken = goals.map(({ topic }) => topic);
  const topic = [fact, foil, ...there].find((name) => name !== undefined && !taken.includes(name)) ?? there[0];
  goals.push({ ...propose(there, { fact: topic, foil: topic }), other: goals[0].topic });
  fillGoals(there);
  showLevels();
  $(`goal-topic-${goals.length}`).focus();
}

// -- the bars with the goal lines

/** The strengths of the two topics and of all that goals are about, with a line for each target. */
function showLevels() {
  const { state: { graph }, answer: { fact, foil } } = now, roleOf = (name) => (name === fact ? "fact" : name === foil ? "foil" : undefined);
  const about = goals.flatMap(({ topic, relation, other }) => (relation === ">" ? [topic, other] : [topic]));
  const listed = [...new Set([fact, foil, ...about])].filter((name) => name !== undefined && name !== null);
  const key = JSON.stringify(listed);
  if (levels?.key !== key) {
    levels = { key, ...makeLevels(listed.map((name) => ({ name, text: label(graph, name), role: roleOf(name) })), aim, turn) };
    $("levels").replaceChildren(levels.root);
  }
  levels.show(listed.map((name) => ({ name, strength: strengthOf(name), after: found?.key === stateKey() ? own(found.strengths, name)?.to : null, band: own(safe?.bands, name),
    goals: goals.filter(({ topic, relation }) => topic === name && relation !== ">") })));
}

/** A line was dragged: on the far side of the present strength it asks for at least that much, below it for at most. */
function aim(goal, target) {
  const strength = strengthOf(goal.topic);
  Object.assign(goal, { target, relation: typeof strength === "number" && target < strength ? "<=" : ">=" });
  goal.show();
  showLevels();
}

/** A bar without a line was pressed: the only goal is about its argument now. */
function turn(topic, target) {
  if (goals.length > 1) return;
  goals[0].topic = topic;
  aim(goals[0], target);
}

/** A lock for every argument: what is locked keeps its base score. */
function lockList(there) {
  const title = h("summary", { title: "Choose arguments that keep their base scores" }), write = () => { title.textContent = `Locks (${locks.size})`; };
  const lock = (name) => {
    const text = label(now.state.graph, name), toggle = () => { if (!locks.delete(name)) locks.add(name); show(); write(); };
    const button = h("button", { type: "button", className: "lock", "data-lock": name, "aria-label": `Lock ${text}`, onclick: toggle }, h("i"), text);
    const show = () => button.setAttribute("aria-pressed", String(locks.has(name)));
    show();
    return button;
  };
  write();
  return h("details", { className: "locks" }, title, h("p", { className: "muted" }, "A locked argument keeps its base score."), ...there.slice(0, MOST_LOCKS).map(lock));
}

const stateKey = () => JSON.stringify(aboutGraph(now.state));

/** A result that was found for another state cannot be applied. */
function markOld() {
  const isOld = found !== null && found.key !== stateKey();
  if ($("apply-reach")) $("apply-reach").disabled = isOld;
  if ($("reach-old")) $("reach-old").hidden = !isOld;
  if (safe !== null && safe.key !== safetyKey()) { clearSafety(); showLevels(); }
}

/** Ask, and show what comes of it; asking again for the same place cancels what is still being answered. */
async function answerInto(place, waiting, work) {
  running[place]?.abort();
  const control = running[place] = new AbortController();
  $(place).setAttribute("aria-busy", "true");
  $(place).replaceChildren(h("p", { className: "muted" }, waiting));
  let shown;
  try {
    shown = await work(control.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refused)) throw error;
    shown = [h("p", { className: "problem" }, error.message)];
  }
  if (running[place] !== control) return;
  $(place)?.replaceChildren(...shown);
  $(place)?.removeAttribute("aria-busy");
}

/** Scroll the tab so that a place begins right below the bars, which stay. */
const uncover = (place) => { $("reach").scrollTop += place.getBoundingClientRect().top - $("levels").getBoundingClientRect().bottom; };

const quoted = (name) => (name.includes('"') ? `'${name}'` : `"${name}"`);

/** A goal as the server reads it. */
const write = ({ topic, relation, target, other }) => `${quoted(topic)} ${relation} ${relation === ">" ? quoted(other) : target}`;

async function find() {
  found = null;
  const key = stateKey(), { state, apply } = now;
  const body = { ...aboutGraph(state), goal: goals.map(write), fixed: [...locks] };
  await answerInto("reached", "Searching … Press Reach again to search for something else.", async (signal) => {
    if (goals.some(({ relation, target }) => relation !== ">" && Number.isNaN(target))) throw new Refused("Enter a number as the target.");
    const result = await ask("reach", body, signal);
    found = { key, strengths: result.strengths };
    return describe(result, state.graph, apply);
  });
  markOld();
  showLevels();
  if (found) uncover($("reached"));
}

function describe(result, graph, apply) {
  const words = h("p", {}, result.words), moves = Object.entries(result.change?.base_scores ?? {});
  if (!moves.length) return [words];
  const rows = Object.entries(result.moves).map(([name, texts]) => h("tr", {}, h("th", { scope: "row" }, label(graph, name)), ...texts.map((text) => h("td", {}, text))));
  const head = h("tr", {}, h("th"), ...["base score", "new"].map((text) => h("th", { scope: "col" }, text)));
  const proof = result.proved ? `proved to be the cheapest, up to ${result.tolerance}` : `not proved to be the cheapest${result.lower > 0 ? `; at least ${formatNumber(result.lower)} is needed` : ""}`;
  const set = Object.fromEntries(moves.map(([name, { to }]) => [name, to]));
  return [h("p", {}, h("button", { className: "main", id: "apply-reach", onclick: () => apply({ set }) }, "Apply these base scores"),
    h("span", { id: "reach-old", className: "muted", hidden: true }, " The graph is not the one that this was found for.")), words,
  h("p", { id: "reach-cost", className: "muted" }, `Cost ${formatNumber(result.cost)} (the sum of all changes): ${proof}.`),
  h("table", { className: "compare" }, h("thead", {}, head), h("tbody", {}, ...rows))];
}

const safetyKey = () => JSON.stringify([aboutGraph(now.state), now.answer.fact, now.answer.foil]);

/** How far base scores may be off, and which arguments decide the order. */
async function showSafety() {
  const { state, answer: { fact, foil } } = now;
  clearSafety();
  if (!fact || !foil || fact === foil) { $("robust").replaceChildren(h("p", { className: "muted" }, "Choose two different arguments.")); return; }
  const key = safetyKey(), about = { state, answer: now.answer };
  safe = { key, bands: {} };
  const { bound, describeSafety } = await import("./safety.js");
  if (safe?.key !== key) return;
  const robust = answerInto("robust", "Computing …", async (signal) => {
    const known = await bound(about, signal);
    if (safe?.key === key) safe.bands = known.bands;
    return describeSafety(known);
  }).then(() => { showLevels(); uncover($("robust")); });
  const deciding = answerInto("deciding", "Computing …", async (signal) => [h("p", {}, (await ask("reasons", { ...aboutGraph(state), fact, foil }, signal)).words)]);
  await Promise.all([robust, deciding]);
}

/** Forget what was said about another state. */
function clearSafety() {
  for (const place of ["robust", "deciding"]) {
    running[place]?.abort();
    $(place).replaceChildren();
    $(place).removeAttribute("aria-busy");
  }
  safe = null;
}
