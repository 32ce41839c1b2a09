// The page: one state, one question at a time to the server, one answer shown everywhere.

import { ask, get, newest, Refused, telling } from "./api.js";
import { clearTrouble, showTrouble } from "./banner.js";
import { showChoices, startChoices } from "./choices.js";
import { $, closeMenus, h, onResize, toast } from "./dom.js";
import { baseScore, has, label, names, own } from "./graph.js";
import { showPairs } from "./pairs.js";
import { keep, recall } from "./past.js";
import { drawn, fitPicture, keepLit, onPickArgument, showPictures, viewOf } from "./picture.js";
import * as quick from "./quick.js";
import { fillQuestion, openedTab, openTab, showAnswer, showProblem, showQuestion, showWords, startTabs } from "./question.js";
import { fillScores, showScores } from "./scores.js";
import { startTips } from "./tips.js";
import { listUncertain, question, scoreOf, Store, uncertain } from "./state.js";

const store = new Store();
let tables = null, answer = null, answered = null, held = null, opened = null, pinned = null, groups = null;
let changes = 0, moving = false, rest = 0; // of the state so far; whether a hand is on a slider; the timer that notices that it rests

// -- asking and showing

const width = () => Math.max(280, Math.min(2000, Math.round($("bars").clientWidth || 480)));
const REST = 120; // milliseconds without a move after which a hand rests
const LARGE = 40; // arguments from which strengths and picture come before the contributions
const solveNewest = newest(solve);
const refresh = () => { clearTimeout(rest); solveNewest({ state: store.now, mine: changes }); };

async function solve({ state, mine }, signal) {
  const { palette } = document.documentElement.dataset, stop = new AbortController(), began = performance.now();
  const either = AbortSignal.any([signal, stop.signal]), body = { ...question(state), palette, width: width(), view: viewOf(state) };
  const tell = () => {
    document.body.dataset.busy = "true";
    const { quick: by } = document.body.dataset, spent = Math.floor((performance.now() - began) / 1000);
    showStatus(`${by && by !== state.method ? "Quick values so far; computing" : "Computing"}: ${titleOf(state)} … ${spent} s`, () => stop.abort());
  };
  // what is known without contributions comes first: at once for a large graph, else if they take long
  const begin = () => { if (answer === null) ask("explain", { ...body, contributions: false }, either).then((found) => { if (answer === null && mine === changes && !found.undefined) show(found, state, true); }, () => {}); };
  const isLarge = names(state.graph).length >= LARGE;
  const slow = setTimeout(() => { tell(); if (!isLarge) begin(); }, 250), clock = setInterval(tell, 1000);
  try {
    if (isLarge) begin();
    await telling((message, error) => keepLast(message, error, state), async () => {
      const found = await ask("explain", body, either);
      if (mine === changes || !document.body.dataset.quick) show(found, state); // else a hand has moved on
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    stopped(state, mine === changes);
  } finally {
    stop.abort(); // of what was asked first
    clearTimeout(slow);
    clearInterval(clock);
    delete document.body.dataset.busy;
  }
}

/** There is no answer: the last one stays, dimmed, under the reason, and is asked for again where that may help. */
function keepLast(message, { again, ways }, state) {
  document.body.dataset.stale = "true";
  if (!answered) $("answer").textContent = "No answer yet.";
  showTrouble(message, again ? refresh : null);
  if (ways) import("./next.js").then(({ offerWays }) => offerWays($("banner").firstElementChild, ways, store, tables));
  keepState(state);
}

/** What is known without the server stays on the page. */
function stopped(state, isNewest) {
  if (!answer) forgetAnswer("Stopped.");
  else if (isNewest) showQuick(state);
  showStatus(document.body.dataset.quick ? "Stopped: quick values only." : "Stopped.", refresh, "Compute");
  document.body.dataset.ready = "true";
}

/** A line about the contributions, with a button that stops or starts their computation. */
function showStatus(text, onclick = null, name = "Stop") {
  if ($("status-text").textContent !== text) $("status-text").title = $("status-text").textContent = text;
  $("stop").hidden = !onclick;
  $("stop").textContent = name;
  $("stop").onclick = onclick;
}

/** The method in words. */
const titleOf = ({ method, players }) => tables.methods[method].titles[players];
const pick = (part) => store.change(part);
const askPair = (fact, foil) => store.change({ fact, foil });

/** Show at once what needs no server; whether that could be done. */
function showQuick(state) {
  if (!answer || answered.graph !== state.graph || answer.undefined) return false;
  const { fact, foil } = answer;
  if ((state.fact ?? fact) !== fact || (state.foil ?? foil) !== foil) return false;
  const found = quick.computeQuick(state, fact, foil);
  if (!found) return false;
  if (!document.body.dataset.quick) $("answer").style.minHeight = `${$("answer").offsetHeight}px`; // nothing below it jumps
  const called = (role, name) => answer.pieces.find(([, each]) => each === role)?.[0] ?? `“${label(state.graph, name)}”`;
  showAnswer(quick.writeOrder(found, { fact: called("fact", fact), foil: called("foil", foil) }, tables.phrases));
  showQuestion(fact, foil, Math.abs(found.gap) <= 1e-10 ? 0 : found.gap);
  showScores(state, found.strengths, isDrawn);
  quick.showStrengths(found);
  quick.showBars(found);
  const { topics } = answer.pairs ?? {};
  if (topics?.length <= 8) showPairs({ topics, gaps: quick.findGaps(topics, found.strengths) }, state, fact, foil, askPair);
  document.body.dataset.quick = found.method;
  showStatus(state.method === found.method ? "Computed in the page." : `Quick: ${titleOf({ ...state, method: found.method })}, then ${titleOf(state)}.`);
  return true;
}

/** Where contributions are refused, show those that need no server, and say so. */
function showQuickBars(state) {
  const found = quick.computeQuick(state, answer.fact, answer.foil);
  if (!found) return;
  quick.showBars(found);
  showStatus(`Quick values instead: ${titleOf({ ...state, method: found.method })}.`);
}

/** Show an answer; a part of one, without contributions, is completed by quick ones until the rest comes. */
function show(found, state, isPart = false) {
  delete document.body.dataset.stale;
  for (const place of PLACES) $(place).inert = false;
  clearTrouble();
  delete document.body.dataset.quick;
  clearTimeout(rest);
  $("answer").style.minHeight = "";
  answer = found;
  answered = state;
  const { fact, foil } = found;
  const { now } = store;
  // a question that named no pair is about the one answered from now on, even when their order changes
  if (now.graph === state.graph && now.fact === undefined && now.foil === undefined) store.settle({ fact, foil });
  showProblem(found.undefined?.message ?? found.refused);
  if (found.ways.length) import("./next.js").then(({ offerWays }) => answer === found && offerWays($("problem"), found.ways, store, tables));
  showAnswer(found.pieces);
  const strengths = found.strengths?.strengths;
  showQuestion(fact, foil, strengths && strengths[fact] - strengths[foil]);
  showPictures(found.svg, { ...state, fact, foil }, held, strengths); // of the pair that is answered, which a question may leave open
  if (opened !== null) showOpened();
  $("solver").hidden = found.strengths?.solver === "one pass"; // no cycles
  showScores(store.now, strengths, drawn); // of the newest state: a hand may have moved on since the question
  // painted with the rest, but built after the sentence is out
  requestAnimationFrame(() => {
    if (answer !== found) return;
    showWords(found);
    showPairs(found.pairs, state, fact, foil, askPair);
  });
  if (isPart) {
    if (!showQuick(state)) document.body.dataset.quick = ""; // nothing is known of them yet
    return;
  }
  showStatus(found.contrast ? `Computed by ${found.way}.` : "");
  if (found.refused) showQuickBars(state);
  if (!document.body.dataset.ready) performance.mark("ready");
  document.body.dataset.ready = "true";
  later(state);
}

/** What may come a moment after the answer: paths, flip, comparison, the address. */
const showMore = newest(async (state, signal) => {
  if (!answer) return;
  if (openedTab() === "paths") await (await import("./paths.js")).showPaths(state, has(state.graph, held) ? held : null, answer.fact, answer.foil, signal);
  if (openedTab() === "flip") await (await import("./flip.js")).showFlip(state, answer, apply, signal);
  if (openedTab() === "reach") (await import("./reach.js")).showReach(state, answer, apply);
  if (openedTab() === "together") await (await import("./together.js")).showTogether(state, answer, signal);
  if (openedTab() === "compare" || pinned) await compare(signal);
});

/** How sure the order is, where base scores are uncertain. */
const showSure = newest(async (state, signal) => {
  $("sure").hidden = !listUncertain(state).length;
  if ($("sure").hidden) $("sure").replaceChildren();
  if (!$("sure").hidden && answer) await (await import("./sure.js")).showSure(state, answer, signal);
});

async function compare(signal) {
  if (answer) await (await import("./compare.js")).showCompare(pinned, { state: answered, answer }, pin, unpin, signal);
}

function later(state) {
  if (pinned) compare();
  clearTimeout(later.timer);
  later.timer = setTimeout(async () => {
    showMore(state);
    showSure(state);
    if (answered === state && answer) import("./turns.js").then(({ showTurns }) => showTurns(store.now, answer?.fact, answer?.foil));
    await keepState(state);
  }, 150);
}

const SOON = 300; // milliseconds after a change in which its state is kept, whether or not there is an answer by then
let keeping = 0;

/** Keep the newest state for a reload, a link, and Back; `asked` is the one that was asked about. */
async function keepState(asked) {
  const { now } = store;
  await keep(now);
  if (now === store.now && (!answer || answered === asked)) delete document.body.dataset.behind;
}

// -- what the user does

const asked = () => ({ fact: store.now.fact ?? answer?.fact, foil: store.now.foil ?? answer?.foil });
const isDrawn = (name) => !answer || drawn(name); // nothing is said of a picture that is not there yet
const change = {
  score(name, value) {
    const set = { ...store.now.set, [name]: value }, { scores } = store.now, ends = uncertain(store.now, name)?.interval;
    if (value === baseScore(store.now.graph, name)) delete set[name];
    const wider = ends && { interval: [Math.min(value, ends[0]), Math.max(value, ends[1])] };
    moving = true;
    store.change({ set, scores: wider ? { ...scores, [name]: wider } : scores }, `score ${name}`);
    moving = false;
  },
  /** What a base score may be; null makes it certain. One that is outside of the interval is moved into it. */
  spread(name, value, key = null) {
    const { set } = store.now, scores = { ...store.now.scores, [name]: value }, [low, high] = value?.interval ?? [0, 1];
    const before = scoreOf(store.now, name), score = Math.min(high, Math.max(low, before));
    store.change({ set: score === before ? set : { ...set, [name]: score }, scores }, key);
  },
  keep(name, there) {
    const removed = store.now.removed.filter((each) => each !== name);
    store.change({ removed: there ? removed : [...removed, name] });
  },
  back(name) {
    const set = { ...store.now.set }, scores = { ...store.now.scores };
    delete set[name];
    delete scores[name];
    store.change({ set, scores });
  },
  refresh: () => answer && showScores(store.now, answer.strengths?.strengths, isDrawn),
};

function apply({ set = {}, remove = [] }) {
  const scores = Object.fromEntries(Object.entries(store.now.scores).filter(([name]) => !Object.hasOwn(set, name))); // one that is set is certain
  store.change({ set: { ...store.now.set, ...set }, scores, removed: [...new Set([...store.now.removed, ...remove])] });
}

function pin() { pinned = { state: answered, answer }; compare(); }
function unpin() { pinned = null; compare(); }

/** Show what stands behind the bar that is open; with another name, or none, open that one instead. */
async function showOpened(name = opened) {
  const byHand = name !== opened;
  opened = name;
  const { showInside } = await import("./open.js");
  if (answer) showInside({ state: answered, answer, tables }, opened, byHand);
}

function hold(name) {
  held = name;
  keepLit(held);
  showMore(store.now);
}

/** The groups, which are fetched when they are needed. */
async function grouping() {
  groups ??= await import("./groups.js");
  groups.showGroups({ store, asked });
  return groups;
}

onPickArgument((name, place, event) => {
  if (place === "graph" && (event.shiftKey || groups?.isChoosing())) { grouping().then(({ choose }) => choose(name)); return; }
  const inBars = place === "bars", isOn = inBars ? opened === name : held === name;
  if (has(store.now.graph, name)) openTab("paths");
  hold(isOn ? null : name);
  if (inBars) showOpened(isOn ? null : name);
  else if (innerWidth < 1000) toast("Its paths are listed below.");
});

/** A graph to begin with: nothing of the old one is kept but the method. */
function open({ graph, name, example, ...rest }) {
  held = opened = pinned = null;
  $("pinned").hidden = true;
  $("search").value = "";
  const method = store.now?.method ?? tables.defaults.method;
  store.change({ graph, name, example, fact: undefined, foil: undefined, players: "arguments", method, solver: "discrete", set: {}, scores: {}, removed: [],
    ...rest, semantics: rest.semantics ?? graph.semantics ?? tables.defaults.semantics });
}

store.addEventListener("change", () => {
  changes += 1;
  const state = tidy(store.now);
  clearTimeout(keeping);
  keeping = setTimeout(() => keep(store.now), SOON);
  document.body.dataset.behind = "true"; // the history does not hold the state yet
  if (!has(state.graph, held) && !(state.players === "groups" && own(state.graph.groups, held))) held = null;
  $("title").textContent = state.name ?? "";
  $("undo").disabled = !store.canUndo;
  $("redo").disabled = !store.canRedo;
  $("reset").disabled = ![state.set, state.scores].some((each) => Object.keys(each).length) && !state.removed.length;
  showChoices(tables, state, pick);
  document.body.dataset.players = state.players;
  if (state.players === "groups") grouping();
  else $("groups").hidden = true;
  fillQuestion(state, (which, name) => store.change({ ...asked(), [which]: name }));
  if (answer && answered.graph !== state.graph && answered.name !== state.name) setAside();
  const [fact, foil] = [answer?.fact, answer?.foil].map((name, k) => name ?? (state.graph.topics ?? names(state.graph))[k]);
  showQuestion(state.fact ?? fact, state.foil ?? foil, answer?.contrast?.gap);
  fillScores(state, change);
  if ($("editor").open) editor().then(({ refreshEditor }) => refreshEditor());
  clearTimeout(rest);
  if (moving && showQuick(state)) { rest = setTimeout(refresh, REST); return; }
  showScores(state, answer ? answer.strengths?.strengths : null, isDrawn);
  refresh();
});

const PLACES = ["graph", "bars", "pairs", "words"];

/** Another graph: the old answer stays, dimmed, until there is a new one; nothing in it can be clicked. */
function setAside() {
  answer = null;
  document.body.dataset.stale = "true";
  delete document.body.dataset.quick;
  showStatus("");
  $("sure").hidden = true;
  $("sure").replaceChildren();
  for (const place of PLACES) $(place).inert = true;
  for (const place of ["paths", "flip", "reach", "together"]) $(place).replaceChildren();
  showProblem(null);
}

/** The answer to another question goes. */
function forgetAnswer(text) {
  setAside();
  delete document.body.dataset.stale;
  $("answer").textContent = text;
  for (const place of PLACES) $(place).replaceChildren();
}

/** A question about an argument that is not there any more asks for the strongest instead. */
function tidy(state) {
  if (!tables.methods[state.method].players.includes(state.players)) state.method = tables.defaults.method;
  for (const which of ["fact", "foil"]) {
    const name = state[which];
    if (name !== undefined && (!has(state.graph, name) || state.removed.includes(name))) state[which] = undefined;
  }
  return state;
}

// -- the start

function startSwitches() {
  startChoices(tables, pick, async (kind) => (await grouping()).choosePlayers(kind));
  const fill = (id, list, before) => $(id).replaceChildren(...list.map((name) => h("option", { value: name }, before + name)));
  fill("palette", tables.palettes, "Colours: ");
  fill("theme", ["auto", "light", "dark"], "Theme: ");
  for (const id of ["palette", "theme"]) {
    const kept = localStorage.getItem(id);
    if ([...$(id).options].some((option) => option.value === kept)) $(id).value = kept;
    const keep = () => { document.documentElement.dataset[id] = $(id).value; localStorage.setItem(id, $(id).value); };
    $(id).onchange = keep;
    keep();
  }
}

function startButtons() {
  $("undo").onclick = () => store.undo();
  $("redo").onclick = () => store.redo();
  $("reset").onclick = () => store.change({ set: {}, scores: {}, removed: [] });
  $("swap").onclick = () => { const { fact, foil } = asked(); if (fact && foil) store.change({ fact: foil, foil: fact }); };
  $("edit").onclick = async () => (await editor()).openEditor(store);
  $("search").oninput = () => { fillScores(store.now, change); change.refresh(); };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !$("editor").open) {
      document.querySelector("details.menu[open] summary")?.focus();
      closeMenus();
      if (held !== null) hold(null);
      if (opened !== null) showOpened(null);
    }
    const typing = event.target.matches?.("input[type=search], input:not([type]), input[type=text]");
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || typing) return;
    event.preventDefault();
    if (event.shiftKey) store.redo(); else store.undo();
  });
  for (const type of ["click", "focusin"]) document.addEventListener(type, (event) => closeMenus(event.target));
  onResize($("graph"), fitPicture);
  let last = width();
  onResize($("bars"), () => { if (Math.abs(width() - last) > 24 && store.now) { last = width(); refresh(); } });
}

const editor = () => import("./edit.js");
const drawing = () => import("./draw.js");

/** Drawing in the picture is fetched when a hand or the focus comes to it. */
function startDrawing() {
  const start = async () => (await drawing()).startDrawing(store);
  for (const type of ["pointerenter", "focusin"]) $("graph").addEventListener(type, start, { once: true });
  $("draw").onclick = async () => (await drawing()).toggleDrawing(store);
}

const files = async () => (await import("./files.js")).prepared({ tables, store, open, fail: showProblem });

/** What a menu holds is fetched when it is opened, or when a file hovers over the page. */
function startFiles() {
  for (const menu of document.querySelectorAll("nav details.menu")) menu.addEventListener("toggle", files);
  $("open-file").onclick = () => $("file").click();
  $("file").onchange = async () => { await (await files()).openFiles([...$("file").files]); $("file").value = ""; };
  document.addEventListener("dragover", (event) => { event.preventDefault(); $("drop").hidden = false; });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("drop").hidden = true; });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const list = [...event.dataTransfer.files]; // gone after the event, so taken before anything is awaited
    if (list.length) (await files()).openFiles(list);
  });
}

/** The state of the address, or of this entry of the history, if there is one. */
async function findState() {
  const kept = await recall();
  if (!kept && !location.hash) return null;
  const { fitting, restored } = await import("./restore.js");
  return kept ? fitting(kept, tables) : restored(tables).catch((error) => { toast(error.message); });
}

/** Back, Forward, or another link in the address. */
async function step() {
  clearTimeout(keeping);
  clearTimeout(later.timer);
  const state = await findState();
  if (state?.graph === store.now.graph) store.change(state); // what is pinned stays
  else if (state) open(state);
  else keepState(answered); // a damaged link
}

async function main() {
  const beginning = get("start");
  tables = await get("tables");
  startSwitches();
  startButtons();
  startTips();
  if (!localStorage.getItem("steps")) $("steps").hidden = false;
  $("steps-done").onclick = () => { localStorage.setItem("steps", "done"); $("steps").hidden = true; };
  startTabs(() => showMore(store.now));
  startFiles();
  startDrawing();
  const linked = await findState();
  const first = await beginning;
  open(linked ?? { graph: first.graph, name: first.name, example: first.example ?? undefined });
  addEventListener("popstate", step);
}

main().catch(function start(error) {
  if (!(error instanceof Refused)) throw error;
  showTrouble(error.message, error.again ? () => get("tables").then(() => location.reload(), start) : null);
});
