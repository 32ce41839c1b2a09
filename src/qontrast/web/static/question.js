// The question as a sentence with two drop-downs, the answer as a sentence that rewrites itself, and tabs with more.

import { $, h } from "./dom.js";
import { label, names } from "./graph.js";

let filled = {}; // what the drop-downs were made for

/** Fill both drop-downs: the topics first, then all other arguments. */
export function fillQuestion(state, onPick) {
  const { graph, removed } = state;
  if (filled.graph === graph && filled.removed === removed) return;
  filled = { graph, removed };
  const there = names(graph).filter((name) => !removed.includes(name));
  const topics = (graph.topics ?? []).filter((name) => there.includes(name));
  const others = there.filter((name) => !topics.includes(name));
  for (const which of ["fact", "foil"]) {
    const options = (list) => list.map((name) => h("option", { value: name }, label(graph, name)));
    const groups = topics.length
      ? [h("optgroup", { label: "Topics" }, ...options(topics)), h("optgroup", { label: "Other arguments" }, ...options(others))]
      : options(others);
    $(which).replaceChildren(...groups);
    $(which).onchange = (event) => onPick(which, event.target.value);
  }
}

export function showQuestion(fact, foil, gap) {
  const relation = gap === 0 ? "level with" : gap < 0 ? "below" : "above";
  for (const [which, name] of [["fact", fact ?? ""], ["foil", foil ?? ""]]) if ($(which).value !== name) $(which).value = name; // setting it takes long
  if ($("relation").textContent !== relation) $("relation").textContent = relation;
}

/** The answer, with the two topics in their colours. */
export function showAnswer(pieces) {
  $("answer").replaceChildren(...pieces.map(([text, role]) => (role ? h("strong", { className: role }, text) : text)));
}

export function showProblem(message) {
  $("problem").textContent = message ?? "";
  $("problem").hidden = !message;
}

// -- the tabs under the graph; paths.js, flip.js, reach.js, together.js and compare.js are fetched when they are opened

const TABS = { words: "In words", paths: "Paths", flip: "What would flip it?", reach: "Goal", together: "Together", compare: "Before and after" };
const EXPLAINED = {
  words: "The answer as a paragraph, and how it was computed", paths: "Through which attacks and supports an argument acts on the two",
  flip: "The smallest change that would turn the order", reach: "What it takes to reach a strength or an order of your choice, and how safe the order is",
  together: "Which two contributors work together, and which overlap", compare: "Pin this state, then compare it with a later one",
};
const NAMES = Object.keys(TABS);

export function openTab(name) {
  for (const each of NAMES) {
    $(each).hidden = each !== name;
    $(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    $(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
}

export function startTabs(onOpen) {
  const onkeydown = (event) => {
    const k = NAMES.indexOf(event.target.getAttribute("aria-controls")), by = { ArrowRight: 1, ArrowLeft: -1, Home: -k, End: -k - 1 }[event.key];
    if (!by) return;
    const next = $(`tab-${NAMES.at((k + by) % NAMES.length)}`);
    next.focus();
    next.click();
  };
  for (const [name, text] of Object.entries(TABS)) {
    const onclick = () => { openTab(name); onOpen(); };
    $("tabs").append(h("button", { id: `tab-${name}`, role: "tab", title: EXPLAINED[name], "aria-controls": name, onclick, onkeydown }, text));
    $("tabs").parentElement.append(h("div", { id: name, role: "tabpanel", "aria-labelledby": `tab-${name}`, className: "scroll", tabIndex: 0 }));
  }
  openTab("words");
}

export const openedTab = () => NAMES.find((name) => !$(name).hidden);

/** The answer in a paragraph, and how it was measured. */
export function showWords(found) {
  const lines = found.contrast ? [found.paragraph, `Computed by ${found.way}.`]
    : [found.undefined?.message ?? found.refused ?? ""];
  $("words").replaceChildren(...lines.map((text, k) => h("p", { className: k ? "muted" : "" }, text)));
}
