// Marks on the tracks of sliders: where the order of the two topics turns. They are found while the page is idle, for the
// sliders in view.

import { $, formatNumber } from "./dom.js";
import { findTurns } from "./quick.js";

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
  const line = (at) => `linear-gradient(var(--mark), var(--mark)) calc(7px + (100% - 14px) * ${at}) center / 2px 100% no-repeat`;
  slider.style.background = turns.map(line).join(", ");
  slider.dataset.turns = turns.join(" ");
  const said = turns.length ? `The order turns at ${turns.map((at) => formatNumber(at, false, 2)).join(" and ")}` : "";
  slider.title = said;
  slider.setAttribute("aria-description", said);
}

for (const place of [$("score-rows"), document]) place.addEventListener("scroll", later, { passive: true });
