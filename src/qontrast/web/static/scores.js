// Every base score a slider and a number, every argument a tick to remove it. Native inputs, so that keyboard and
// screen reader work. Rows are made once for a graph and never touched by an answer while a hand is on them.

import { $, h, formatNumber } from "./dom.js";
import { baseScore, label, names, own } from "./graph.js";
import { listUncertain, scoreOf, uncertain } from "./state.js";

const MOST = 200; // rows at once; the rest is found by searching
let rows = new Map(), filled = null, shown = {}, spans = false; // whether sliders with two thumbs have been made

/** Rows for the arguments of this graph that match the search. */
export function fillScores(state, change) {
  const words = $("search").value.trim().toLowerCase();
  if (shown.graph === state.graph && shown.words === words) return;
  shown = { graph: state.graph, words };
  const key = JSON.stringify([words, Object.entries(state.graph.arguments).map(([name, e]) => [name, e.argument, e.label])]);
  if (key === filled) return;
  filled = key;
  const all = names(state.graph);
  const found = all.filter((name) => !words || `${label(state.graph, name)} ${name}`.toLowerCase().includes(words));
  $("search").hidden = all.length <= 12;
  rows = new Map(found.slice(0, MOST).map((name, k) => [name, row(name, label(state.graph, name), k, change)]));
  $("score-rows").replaceChildren(...[...rows.values()].map(({ place }) => place));
  const left = found.length - rows.size;
  $("score-more").hidden = !left && found.length > 0;
  $("score-more").textContent = found.length ? `${left.toLocaleString()} more; search for them` : words ? "No argument has these words." : "There are no arguments yet.";
}

function row(name, text, k, change) {
  const tick = h("input", { type: "checkbox", id: `tick-${k}`, title: "Untick to remove the argument", "aria-label": `Keep ${text}`, onchange: () => change.keep(name, tick.checked) });
  const score = { min: 0, max: 1, step: 0.01, title: "Base score, from 0 to 1: how strong the argument is by itself", "aria-label": `Base score of ${text}` };
  const slider = h("input", { ...score, type: "range", oninput: () => { number.value = slider.value; set(); } });
  const number = h("input", { ...score, type: "number", "aria-label": `Base score of ${text}, as a number`, oninput: set, onblur });
  const spread = h("button", { className: "spread", "aria-label": `Uncertain base score of ${text}`, onclick: () => change.spread(name, spread.isOn ? null : around(Number(slider.value))) }, "±");
  const strength = h("span", { className: "strength", title: "strength" });
  const back = h("button", { className: "back", title: "Back to the file's base score", "aria-label": `Reset ${text}`, onclick: () => change.back(name) }, "↺");
  const wrong = h("span", { className: "wrong", role: "alert" });
  function set() {
    made.shown = null; // what the inputs hold is not what was shown
    const value = number.value === "" ? NaN : Number(number.value), fits = value >= 0 && value <= 1;
    say(fits ? "" : "between 0 and 1");
    if (!fits) return;
    slider.value = value;
    change.score(name, value);
  }
  function onblur() { say(""); made.shown = null; change.refresh(); }
  function say(message) {
    wrong.textContent = message;
    number.setAttribute("aria-invalid", String(message !== ""));
  }
  const place = h("div", { className: "row", "data-name": name },
    tick, h("label", { htmlFor: `tick-${k}`, title: text }, text), slider, number, spread, strength, back, wrong);
  const made = { place, tick, slider, number, spread, strength, back, text, change, shown: null };
  return made;
}

const WIDTH = 0.1; // to both sides, of an interval that is new

const around = (value) => ({ interval: [value - WIDTH, value + WIDTH].map((end) => Number(Math.min(1, Math.max(0, end)).toFixed(4))) });

/** Bring every row to the state and the strengths of the answer; a row that shows them already is not touched. */
export function showScores(state, strengths, isDrawn) {
  const gone = new Set(state.removed);
  for (const [name, each] of rows) {
    const value = scoreOf(state, name), there = !gone.has(name), isOut = there && !isDrawn(name), isOn = uncertain(state, name) !== null;
    const isBack = value === baseScore(state.graph, name) && !Object.hasOwn(state.scores, name), strength = strengths === null ? "" : own(strengths, name);
    const shown = [value, there, isOut, isOn, isBack, strength].join();
    if (each.shown === shown) continue;
    each.shown = shown;
    each.tick.checked = there;
    if (Number(each.slider.value) !== value && Math.abs(each.slider.value - value) >= 0.005) each.slider.value = value;
    if (document.activeElement !== each.number && (each.number.value === "" || Number(each.number.value) !== value)) each.number.value = +value.toFixed(4);
    each.slider.disabled = each.number.disabled = each.spread.disabled = !there;
    each.back.hidden = isBack;
    each.spread.isOn = isOn;
    each.spread.setAttribute("aria-pressed", String(isOn));
    each.spread.title = isOn ? "Make this base score certain" : "This base score is uncertain";
    each.strength.textContent = !there ? "gone" : strengths === null ? "" : `→ ${formatNumber(strength)}`;
    each.place.classList.toggle("gone", !there);
    each.place.classList.toggle("undrawn", isOut);
    each.place.title = isOut ? "not in the picture" : "";
  }
  if (listUncertain(state).length || spans) import("./spans.js").then(({ showSpans }) => { spans = true; showSpans(rows, state); });
}
