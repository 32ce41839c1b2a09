// What a control is for, also without a mouse: its title appears when it gets the focus by keyboard, or a touch.

import { h } from "./dom.js";

const SECONDS = 4; // after a touch
const tip = h("div", { className: "tip", hidden: true, "aria-hidden": "true" }); // a screen reader reads the title itself
let timer = null, owner = null; // the element that is explained

function show(element, seconds = null) {
  owner = element.closest?.("[title]:not([title=''])");
  clearTimeout(timer);
  timer = null;
  tip.hidden = !owner;
  if (!owner) return;
  tip.textContent = owner.title;
  (owner.closest("dialog") ?? document.body).append(tip); // above an open dialog
  const { left, bottom, top } = owner.getBoundingClientRect(), { width, height } = tip.getBoundingClientRect();
  const below = bottom + 6 + height <= innerHeight;
  tip.style.left = `${Math.max(6, Math.min(left, innerWidth - width - 6))}px`;
  tip.style.top = `${below ? bottom + 6 : Math.max(6, top - height - 6)}px`;
  if (seconds) timer = setTimeout(() => { [timer, tip.hidden] = [null, true]; }, 1000 * seconds);
}

export function startTips() {
  const hide = () => { tip.hidden = true; };
  document.addEventListener("focusin", ({ target }) => { if (target.matches(":focus-visible")) show(target.labels?.[0]?.title ? target.labels[0] : target); });
  document.addEventListener("focusout", () => { if (timer === null) hide(); }); // a touch moves the focus, too
  document.addEventListener("pointerdown", ({ target, pointerType }) => { if (pointerType === "mouse") hide(); else show(target, SECONDS); });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  addEventListener("scroll", ({ target }) => { if (target.contains(owner)) hide(); }, true);
  addEventListener("toggle", hide, true); // an open menu explains itself
}
