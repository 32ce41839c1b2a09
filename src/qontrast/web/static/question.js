// The question as a sentence with two drop-downs, and the answer as a sentence that rewrites itself.

import { $, h } from "./dom.js";
import { label, names } from "./graph.js";

/** Fill both drop-downs: the topics first, then all other arguments. */
export function fillQuestion(state, onPick) {
  const { graph, removed } = state;
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
  $("fact").value = fact ?? "";
  $("foil").value = foil ?? "";
  $("relation").textContent = gap === undefined || gap > 0 ? "above" : gap < 0 ? "below" : "level with";
}

/** A label where it is no part of a longer one. */
const whole = (word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "u");

/** The answer, with the two topics in their colours. */
export function showAnswer(text, graph, fact, foil) {
  const marks = [[fact, "fact"], [foil, "foil"]].filter(([name]) => name).map(([name, role]) => [label(graph, name), role]);
  marks.sort((a, b) => b[0].length - a[0].length); // "zebra crossing" before "zebra"
  const pieces = [];
  let rest = text;
  while (rest) {
    const found = marks.map(([word, role]) => ({ at: rest.search(whole(word)), word, role })).filter(({ at }) => at >= 0);
    const first = found.sort((a, b) => a.at - b.at)[0];
    if (!first) break;
    pieces.push(rest.slice(0, first.at), h("strong", { className: first.role }, first.word));
    rest = rest.slice(first.at + first.word.length);
  }
  $("answer").replaceChildren(...pieces, rest);
}

export function showProblem(message, way = null) {
  $("problem").replaceChildren(message ?? "", ...(way ? [" ", way] : []));
  $("problem").hidden = !message;
}
