// Which part of the graph is drawn. A large graph is folded by the server: fact, foil, the strongest contributors and
// their paths, and stubs such as "+7 more" that open. What is drawn stays drawn, at its place, until another question.

import { askFile, newest, telling } from "./api.js";
import { $, h, toast } from "./dom.js";
import { names } from "./graph.js";
import { question } from "./state.js";

const MOST = 30, MOST_ON_A_PHONE = 12; // arguments that are drawn without folding
const LARGE = 300; // arguments of a picture that is sent only when it has changed
const narrow = () => innerWidth < 600;
let look = {}, draw = () => {}, version = 0;
const versions = new WeakMap(); // state → how often one had looked elsewhere when its picture was asked for

/** Whether a state is about the same question as the picture. */
const isSame = (state) => look.name === state.name && [state.fact, state.foil].every((name) => name === undefined || look.topics.includes(name))
  && (state.fact === undefined || state.fact !== state.foil);

const size = () => { const card = $("graph"); return [card.clientWidth - 14, innerWidth < 1000 ? Math.round(0.7 * innerHeight) : card.clientHeight - 6].map((each) => Math.max(100, each)); };

/** How the server draws the graph of a state. */
export function viewOf(state) {
  versions.set(state, version);
  return { ...find(state), drawn: isDrawn(state) || undefined };
}

/** Whether a very large picture shows this state, but for its strengths; then it is not sent again. */
function isDrawn(state) {
  const { shows } = look, same = ["graph", "removed", "fact", "foil"].every((key) => shows?.[key] === state[key]);
  return same && look.whole && shows.whole && shows.palette === document.documentElement.dataset.palette && [state, shows].every(({ players }) => players === "arguments");
}

/** Whether a picture was asked for before one looked at another part of the same graph; then it is drawn anew. */
export function isLate(state) {
  const late = versions.has(state) && versions.get(state) !== version && isSame(state);
  if (late) drawAgain({ state });
  return late;
}

function find(state) {
  if (!isSame(state)) look = { name: state.name, topics: [], whole: look.name === state.name && look.whole, window: innerWidth };
  if (Math.abs(look.window - innerWidth) > 60 && !keeps(state)) look = { ...look, room: null, window: innerWidth };
  look.room ??= size();
  const before = keeps(state) ? look.origin : undefined, placed = before && Object.fromEntries(added(state.graph).map((name) => [name, look.placed.get(name)]));
  return { fold: isFolded(state.graph), shown: isFolded(state.graph) ? look.shown : undefined, room: look.room, before, placed };
}

/** The arguments that were not there when the picture was laid out. */
const added = (graph) => names(graph).filter((name) => !Object.hasOwn(look.origin.arguments, name));

/** Whether an edited graph keeps the places of the picture: a new argument needs one. */
const keeps = ({ graph }) => Boolean(look.origin) && look.origin !== graph && added(graph).every((name) => look.placed?.has(name));

/** A new argument is to stand at a point of the picture. */
export function placeNew(name, { x, y }) { look.placed = new Map(look.placed).set(name, [x, y]); }

const isFolded = (graph) => !look.whole && names(graph).length > (narrow() ? MOST_ON_A_PHONE : MOST);

/** Remember what the picture shows; whether it is one about another question. */
export function remember(state) {
  const inside = (selector, key) => [...$("graph").querySelectorAll(selector)].map((each) => each.dataset[key]);
  const topics = inside(".qx-fact-node, .qx-foil-node", "name"), is = `${state.name} ${[...topics].sort().join(" ")}`, isNew = look.is !== is;
  const origin = !isNew && keeps(state) ? look.origin : state.graph;
  Object.assign(look, { is, name: state.name, topics, origin, shown: [...inside("[data-name]", "name"), ...inside("[data-ghost]", "ghost")] });
  look.shows = names(state.graph).length >= LARGE ? { ...state, whole: look.whole, palette: document.documentElement.dataset.palette } : null;
  for (const stub of $("graph").querySelectorAll("[data-fold]")) openable(stub, state);
  showButtons(state);
  const left = names(state.graph).filter((name) => !state.removed.includes(name)).length - inside("[data-name]", "name").length;
  $("hidden-note").textContent = left > 0 ? `· ${left.toLocaleString()} more in the list` : "";
  return isNew;
}

/** Draw anew what is looked at; the answer stays. */
const drawAgain = newest(async ({ state, opened }) => {
  version += 1;
  const { palette } = document.documentElement.dataset, body = { ...question(state), palette, view: { ...find(state), opened } };
  const refuse = (message) => { look.whole = false; toast(message); };
  await telling(refuse, async () => draw(await (await askFile("draw", body)).text(), state, opened));
});

function openable(stub, state) {
  const open = () => drawAgain({ state, opened: stub.dataset.fold });
  stub.setAttribute("tabindex", "0");
  stub.setAttribute("role", "button");
  stub.onclick = open;
  stub.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } };
}

function showButtons(state) {
  const many = names(state.graph).length > (narrow() ? MOST_ON_A_PHONE : MOST);
  $("whole").hidden = !many;
  $("whole").textContent = look.whole ? "Fold the rest" : "Whole graph";
  $("whole").onclick = () => { look = { ...look, whole: !look.whole, shown: undefined, is: null }; drawAgain({ state }); };
}

/** What is called with a new picture: (its SVG, its state, the argument whose stub was opened). */
export function startLook(action) {
  draw = action;
  $("draw").before(h("button", { id: "whole", hidden: true }));
}
