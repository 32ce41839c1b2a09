// Marks on the tracks of sliders: where the order of the two topics turns. They are found while the page is idle, for the
// sliders in view.

import { $, formatNumber, h } from "./dom.js";
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

addEventListener("resize", () => { asked.done = new WeakSet(); later(); });
for (const place of [$("score-rows"), document]) place.addEventListener("scroll", later, { passive: true });
