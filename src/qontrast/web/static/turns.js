// Marks on the tracks of sliders: where the order of the two topics turns. They are found while the page is idle, for the
// sliders in view.

import { $, formatNumber, h } from "./dom.js";
import { ancestors, baseScores, budget, solve, TIE } from "./engine.js";
import { compiled, MOST } from "./quick.js";

const SLICE = 12; // milliseconds of work at a time
let asked = null, waiting = 0;

/** Find the marks for this state; those of the state before stay until then. */
export function showTurns(state, fact, foil) {
  asked = { state, fact, foil, done: new WeakSet() };
  later();
}

function later() {
  clearTimeout(waiting);
  waiting = setTimeout(work, 30);
}

function work() {
  const began = performance.now(), { state, fact, foil, done } = asked;
  for (const slider of listSliders()) {
    if (done.has(slider)) continue;
    if (performance.now() - began > SLICE) { later(); return; }
    done.add(slider);
    mark(slider, findTurns(state, slider.closest(".row").dataset.name, fact, foil));
  }
}

/** The sliders in view. */
function listSliders() {
  const { top, bottom } = $("score-rows").getBoundingClientRect(), last = Math.min(bottom, innerHeight);
  return [...$("score-rows").querySelectorAll(".row > [type=range]")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.height && box.bottom >= Math.max(0, top) && box.top <= last;
  });
}

function mark(slider, turns) {
  const row = slider.closest(".row"), { offsetLeft, offsetTop, offsetWidth, offsetHeight } = slider;
  for (const each of row.querySelectorAll(".turn")) each.remove();
  row.append(...turns.map((at) => { // the middle of the thumb goes from 8 pixels to 8 before the end
    const line = h("span", { className: "turn", "aria-hidden": "true" });
    Object.assign(line.style, { left: `${offsetLeft + 7 + (offsetWidth - 16) * at}px`, top: `${offsetTop + offsetHeight / 2 - 8}px` });
    return line;
  }));
  slider.dataset.turns = turns.join(" ");
  const said = turns.length ? `The order turns at ${turns.map((at) => formatNumber(at, false, 2)).join(" and ")}` : "";
  slider.explained ??= slider.title;
  slider.title = said || slider.explained;
  slider.setAttribute("aria-description", said);
}


/** The base scores of an argument at which the order of the two turns; none where only the server knows. */
function findTurns(state, name, fact, foil) {
  const g = compiled(state), [mover, one, other] = [name, fact, foil].map((each) => g?.index.get(each));
  return [mover, one, other].includes(undefined) ? [] : turns(g, baseScores(g, state.set), mover, one, other, { spend: budget(MOST) });
}

/** The base scores of one argument at which the order of two others turns, up to 1e-4; what is undefined has no order. */
function turns(g, base, mover, fact, foil, { points = 32, spend = budget() } = {}) {
  const among = ancestors(g, [fact, foil]), scores = base.slice(), found = [];
  if (!among[mover]) return found;
  const side = (value) => {
    scores[mover] = value;
    spend.left -= g.parents.length;
    const { strengths } = solve(g, scores, { among, spend }), gap = strengths ? strengths[fact] - strengths[foil] : NaN;
    return Math.abs(gap) <= TIE ? 0 : Math.sign(gap);
  };
  for (let k = 1, low = 0, before = side(0); k <= points && spend.left > 0; k++) {
    const high = k / points, after = side(high);
    if (before * after < 0) found.push(bisect(low, high, before, side));
    if (after) [low, before] = [high, after]; // a tie between two orders is part of the turn
  }
  return found;
}

function bisect(low, high, before, side) {
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (side(middle) === before) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

addEventListener("resize", () => { asked.done = new WeakSet(); later(); });
for (const place of [$("score-rows"), document]) place.addEventListener("scroll", later, { passive: true });
