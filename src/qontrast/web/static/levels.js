// Strengths as bars from 0 to 1, with goal lines that are dragged by mouse, finger or keyboard.

import { h, formatNumber } from "./dom.js";

const STEP = 0.01, LEAP = 0.1; // of a key press
const inside = (value) => Math.min(1, Math.max(0, value));
const rounded = (value) => Math.round(inside(value) / STEP) * STEP;
const written = (value) => Number(value.toFixed(2));

/** Bars for these rows ({ name, text, role }); `move(goal, target)` is called while a line is dragged, `place(name, target)` where a bar without a line is pressed. */
export function makeLevels(rows, move, place) {
  const made = new Map(rows.map((row) => [row.name, makeRow(row, move, place)]));
  const root = h("div", { className: "levels" }, ...[...made.values()].map(({ root: each }) => each));
  return { root, show: (states) => states.forEach((state) => showRow(made.get(state.name), state)) };
}

function makeRow({ name, text, role }, move, place) {
  const bar = h("i", { className: `bar ${role ?? ""}` }), after = h("i", { className: "after", hidden: true });
  const [sure, open, edge] = ["sure", "open", "edge"].map((className) => h("i", { className, hidden: true }));
  const axis = h("span", { className: `axis ${role ?? ""}` }, bar, sure, open, edge, after), value = h("span", { className: "value" });
  const row = { axis, bar, band: { sure, open, edge }, after, value, text, lines: [], move };
  const take = (event) => {
    if (event.button || event.target.closest(".line")) return;
    event.preventDefault();
    const first = row.lines[0];
    if (first) { first.focus({ preventScroll: true }); drag(row, first, event); }
    else place(name, targetAt(axis, event));
  };
  axis.addEventListener("pointerdown", take);
  row.root = h("div", { className: "level", "data-level": name }, h("span", { className: "text", title: text }, text), axis, value);
  return row;
}

const targetAt = (axis, { clientX }) => {
  const { left, width } = axis.getBoundingClientRect();
  return written(rounded((clientX - left) / width));
};

/** Follow the pointer until it is let go. */
function drag(row, line, event) {
  event.preventDefault();
  event.stopPropagation();
  const follow = (moved) => row.move(line.goal, targetAt(row.axis, moved));
  const stop = () => { for (const [type, action] of ends) line.removeEventListener(type, action); };
  const ends = [["pointermove", follow], ["pointerup", stop], ["pointercancel", stop]];
  for (const [type, action] of ends) line.addEventListener(type, action);
  line.setPointerCapture(event.pointerId);
  line.focus({ preventScroll: true });
  if (event.currentTarget === row.axis) follow(event);
}

function makeLine(row) {
  const line = h("b", { className: "line", role: "slider", tabIndex: 0, "aria-valuemin": 0, "aria-valuemax": 1 });
  line.addEventListener("pointerdown", (event) => { if (!event.button) drag(row, line, event); });
  line.addEventListener("keydown", (event) => {
    const { target } = line.goal, now = Number.isNaN(target) ? 0 : target;
    const to = { ArrowRight: now + STEP, ArrowUp: now + STEP, ArrowLeft: now - STEP, ArrowDown: now - STEP,
      PageUp: now + LEAP, PageDown: now - LEAP, Home: 0, End: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    row.move(line.goal, written(rounded(to)));
  });
  return line;
}

const WORDS = { ">=": "at least", "<=": "at most" };

/** A band from the strength to where it is certified to stay ahead or behind, a striped one from there to the line where both are level. */
function showBand({ sure, open, edge }, strength, band) {
  const reached = band?.sure ?? strength;
  const spread = (part, from, to) => {
    part.hidden = !band || (part !== edge && Math.abs(from - to) < 1e-4);
    part.style.setProperty("--from", inside(Math.min(from, to)));
    part.style.setProperty("--to", inside(Math.max(from, to)));
  };
  spread(sure, strength, reached);
  spread(open, reached, band?.meet ?? 0);
  spread(edge, band?.meet ?? 0, band?.meet ?? 0);
}

/** Bring a row to a strength, the goals of its argument, and the strength that a change would bring. */
function showRow(row, { strength, goals = [], after, band }) {
  const known = typeof strength === "number";
  row.value.textContent = formatNumber(strength);
  row.bar.style.setProperty("--to", known ? inside(strength) : 0);
  showBand(row.band, strength, known ? band : undefined);
  row.after.hidden = typeof after !== "number";
  row.after.style.setProperty("--at", inside(after ?? 0));
  row.after.title = row.after.hidden ? "" : `after the change ${formatNumber(after)}`;
  while (row.lines.length > goals.length) row.lines.pop().remove();
  while (row.lines.length < goals.length) { row.lines.push(makeLine(row)); row.axis.append(row.lines.at(-1)); }
  goals.forEach((goal, k) => {
    const line = row.lines[k], target = Number.isNaN(goal.target) ? 0 : goal.target;
    line.goal = goal;
    line.className = `line ${goal.relation === ">=" ? "least" : "most"}`;
    line.style.setProperty("--at", inside(target));
    line.setAttribute("aria-label", `Goal for ${row.text}`);
    line.setAttribute("aria-valuenow", target);
    line.setAttribute("aria-valuetext", `${WORDS[goal.relation]} ${target}`);
    line.title = `Goal: ${WORDS[goal.relation]} ${target}. Drag it, or use the arrow keys.`;
  });
}
