// A goal for a topic, what may not move, and the cheapest change that reaches it; and how safe the order is.

import { ask, Refused } from "./api.js";
import { $, dress, h, formatNumber } from "./dom.js";
import { label, names } from "./graph.js";
import { aboutGraph } from "./state.js";

const MOST_LOCKS = 200; // buttons at once
let now = null; // { state, answer, apply } of the last answer
let made = null; // for which arguments the form was made, and the name of their graph
let goal = null, locks = new Set(); // what the user chose
let found = null; // { key } of the state for which the result was found
let safeFor = null; // the question whose words stand there
const running = {}; // place → the controller of the question that is being answered for it

/** The form with the present strengths; results that belong to another state say so. */
export function showReach(state, answer, apply) {
  dress();
  now = { state, answer, apply };
  const there = names(state.graph).filter((name) => !state.removed.includes(name));
  const key = JSON.stringify([state.name, ...there.map((name) => [name, label(state.graph, name)])]);
  if (key !== made?.key || !$("reach").children.length) {
    if (made?.name !== state.name) { locks.clear(); goal = null; }
    made = { key, name: state.name };
    locks = new Set([...locks].filter((name) => there.includes(name)));
    if (!there.includes(goal?.topic)) goal = propose(there, answer);
    build(there);
  }
  showPresent();
  markOld();
}

const strengthOf = (name) => now.answer.strengths?.strengths?.[name];

/** To begin with: the weaker of the two topics shall be as strong as the other. */
function propose(there, { fact, foil }) {
  const [a, b] = [fact ?? there[0], foil ?? fact ?? there[0]], behind = strengthOf(b) > strengthOf(a) ? a : b;
  const highest = Math.max(strengthOf(a) ?? 0.5, strengthOf(b) ?? 0.5);
  return { topic: behind, relation: ">=", target: Math.min(1, Math.ceil(100 * highest) / 100) };
}

function build(there) {
  for (const control of Object.values(running)) control.abort(); // their answers belong to the form before
  const { graph } = now.state, options = there.map((name) => h("option", { value: name, selected: name === goal.topic }, label(graph, name)));
  const topic = h("select", { id: "goal-topic", "aria-label": "Argument that shall change", onchange: () => { goal.topic = topic.value; showPresent(); } }, ...options);
  const relation = h("select", { id: "goal-relation", "aria-label": "At least or at most", onchange: () => { goal.relation = relation.value; } },
    ...[[">=", "≥"], ["<=", "≤"]].map(([value, text]) => h("option", { value, selected: value === goal.relation }, text)));
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.01, value: goal.target, "aria-label": "Target strength", oninput: () => { number.value = slider.value; take(); } });
  const number = h("input", { type: "number", id: "goal-target", step: "any", value: goal.target, "aria-label": "Target strength, as a number", oninput: take });
  function take() {
    goal.target = number.value === "" ? NaN : Number(number.value);
    number.setAttribute("aria-invalid", String(Number.isNaN(goal.target)));
    if (!Number.isNaN(goal.target)) slider.value = goal.target;
  }
  const onsubmit = (event) => { event.preventDefault(); find(); };
  const form = h("form", { className: "goal", onsubmit }, topic, relation, number,
    h("span", { className: "line" }, slider, h("i", { id: "goal-line" })), h("button", { className: "main", id: "find" }, "Find"),
    h("span", { id: "goal-now", className: "muted" }), lockList(there));
  $("reach").replaceChildren(h("h3", {}, "What would it take?"), form, h("div", { id: "reached", "aria-live": "polite" }),
    h("p", {}, h("button", { id: "safe", onclick: showSafety }, "How safe is the order?")), h("div", { id: "safety", "aria-live": "polite" }));
  found = safeFor = null;
}

/** A lock for every argument: what is locked keeps its base score. */
function lockList(there) {
  const title = h("summary", {}), write = () => { title.textContent = `Locks (${locks.size})`; };
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

/** The present strength of the topic, in words and as a line on the slider. */
function showPresent() {
  const strength = strengthOf(goal.topic);
  $("goal-now").textContent = `now ${formatNumber(strength)}`;
  $("goal-line").hidden = typeof strength !== "number";
  $("goal-line").style.setProperty("--at", strength ?? 0);
}

const stateKey = () => JSON.stringify(aboutGraph(now.state));

/** A result that was found for another state cannot be applied. */
function markOld() {
  const isOld = found !== null && found.key !== stateKey();
  if ($("apply-reach")) $("apply-reach").disabled = isOld;
  if ($("reach-old")) $("reach-old").hidden = !isOld;
  if (safeFor !== null && safeFor !== safetyKey()) {
    running.safety?.abort();
    $("safety").replaceChildren();
    $("safety").removeAttribute("aria-busy");
    safeFor = null;
  }
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

const quoted = (name) => (name.includes('"') ? `'${name}'` : `"${name}"`);

async function find() {
  found = null;
  const key = stateKey(), { state, apply } = now;
  const body = { ...aboutGraph(state), goal: [`${quoted(goal.topic)} ${goal.relation} ${goal.target}`], fixed: [...locks] };
  await answerInto("reached", "Searching … Find again to search for something else.", async (signal) => {
    if (Number.isNaN(goal.target)) throw new Refused("Enter a number as the target.");
    const result = await ask("reach", body, signal);
    found = { key };
    return describe(result, state.graph, apply);
  });
  markOld();
}

function describe(result, graph, apply) {
  const words = h("p", {}, result.words), moves = Object.entries(result.change?.base_scores ?? {});
  if (!moves.length) return [words];
  const rows = Object.entries(result.moves).map(([name, texts]) => h("tr", {}, h("th", { scope: "row" }, label(graph, name)), ...texts.map((text) => h("td", {}, text))));
  const head = h("tr", {}, h("th"), ...["base score", "new"].map((text) => h("th", { scope: "col" }, text)));
  const proof = result.proved ? "proved to be the cheapest" : `not proved to be the cheapest${result.lower > 0 ? `; at least ${formatNumber(result.lower)} is needed` : ""}`;
  const set = Object.fromEntries(moves.map(([name, { to }]) => [name, to]));
  return [words, h("p", {}, h("button", { className: "main", id: "apply-reach", onclick: () => apply({ set }) }, "Apply these base scores"),
    h("span", { id: "reach-old", className: "muted", hidden: true }, " The graph is not the one that this was found for.")),
  h("p", { id: "reach-cost", className: "muted" }, `Cost ${formatNumber(result.cost)} (the sum of all changes): ${proof}.`),
  h("table", { className: "compare" }, h("thead", {}, head), h("tbody", {}, ...rows))];
}

const safetyKey = () => JSON.stringify([aboutGraph(now.state), now.answer.fact, now.answer.foil]);

/** How far base scores may be off, and which arguments decide the order, in words. */
async function showSafety() {
  const { state, answer: { fact, foil } } = now;
  if (!fact || !foil || fact === foil) { $("safety").replaceChildren(h("p", { className: "muted" }, "Choose two different arguments.")); return; }
  safeFor = safetyKey();
  await answerInto("safety", "Computing …", (signal) => Promise.all(["robustness", "reasons"].map((question) =>
    ask(question, { ...aboutGraph(state), fact, foil }, signal).then(({ words }) => h("p", {}, words), (error) => {
      if (!(error instanceof Refused)) throw error;
      return h("p", { className: "problem" }, error.message);
    }))));
}
