// Uncertain base scores in the list: a slider with two thumbs for an interval, words for a distribution of a file.

import { dress, formatNumber, h } from "./dom.js";
import { scoreOf, uncertain } from "./state.js";

/** Bring every row to what its base score may be. */
export function showSpans(rows, state) {
  dress();
  for (const [name, row] of rows) {
    const may = uncertain(state, name), ends = may?.interval;
    if (!may && !row.span) continue;
    row.span ??= makeSpan(name, row);
    const { place, low, high, words } = row.span;
    place.hidden = !ends;
    words.textContent = may ? write(may) : "";
    words.classList.toggle("ends", Boolean(ends));
    if (!ends) continue;
    for (const [input, value] of [[low, ends[0]], [high, ends[1]]]) if (Number(input.value) !== value) input.value = value;
    low.disabled = high.disabled = state.removed.includes(name);
    low.style.zIndex = ends[0] > 0.5 ? 2 : 1; // the one that can still be moved lies above the other
    for (const [key, value] of [["--low", ends[0]], ["--high", ends[1]], ["--own", scoreOf(state, name)]]) place.style.setProperty(key, value);
  }
}

function makeSpan(name, { text, change, place: row }) {
  const end = (what) => h("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": `${what} base score of ${text}` });
  const low = end("Lowest"), high = end("Highest"), words = h("span", { className: "may muted" });
  low.oninput = () => { if (Number(low.value) > Number(high.value)) low.value = high.value; take(); };
  high.oninput = () => { if (Number(high.value) < Number(low.value)) high.value = low.value; take(); };
  const take = () => change.spread(name, { interval: [Number(low.value), Number(high.value)] }, `spread ${name}`);
  const place = h("span", { className: "span" }, h("i"), low, high);
  row.append(place, words);
  return { place, low, high, words };
}

/** A distribution in words. */
function write(may) {
  const [[kind, values]] = Object.entries(may), texts = values.map((value) => formatNumber(value));
  if (kind === "interval") return `${texts[0]} to ${texts[1]}`;
  if (kind === "samples") return values.length === 1 ? "one sample" : `${values.length.toLocaleString()} samples from ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}`;
  return kind === "normal" ? `normal with mean ${texts[0]} and standard deviation ${texts[1]}` : `${kind}(${values.join(", ")})`;
}
