// How far all base scores may be off before the order of the two topics changes: in words, as a scale, and as bands on their bars.

import { ask } from "./api.js";
import { h, formatNumber } from "./dom.js";
import { aboutGraph, scoreOf } from "./state.js";

/** Ask for the radius, and for the strengths that base scores at its ends give; `bands` is topic → { sure, meet }. */
export async function bound({ state, answer: { fact, foil } }, signal) {
  const about = aboutGraph(state), found = await ask("robustness", { ...about, fact, foil }, signal);
  return { found, bands: found.example && found.found > 0 ? await findBands(about, found, signal) : {} };
}

/** Both topics on the way to the change that was found: as far as the order is certified, and where they are level. */
async function findBands(about, { fact, foil, example, certified, found }, signal) {
  const own = (name) => scoreOf(about, name), part = Math.min(1, certified / found);
  const strengthsAt = async (share) => {
    const moved = Object.entries(example).map(([name, to]) => [name, own(name) + share * (to - own(name))]);
    return (await ask("strengths", { ...about, set: { ...about.set, ...Object.fromEntries(moved) } }, signal)).strengths;
  };
  const [sure, meet] = await Promise.all([part ? strengthsAt(part) : null, strengthsAt(1)]);
  return Object.fromEntries([fact, foil].map((name) => [name, { sure: sure?.[name] ?? null, meet: meet[name] }]));
}

/** The sentence, and beside it a scale of how far base scores may be off. */
export function describeSafety({ found, bands }) {
  const said = h("p", {}, found.words);
  if (!(found.found > 0) && !(found.certified > 0)) return [said]; // a tie, or nothing is known
  const key = Object.keys(bands).length ? [h("p", { className: "muted" }, writeKey(found))] : [];
  return [h("div", { className: `safe ${found.ahead === found.foil ? "foil" : "fact"}` }, drawScale(found), said), ...key];
}

/** A scale from 0: certified as a full band, up to the change that was found as a striped one, which ends at a line. */
function drawScale({ certified, found }) {
  const sure = certified ?? 0, end = found ?? sure, most = Math.min(1, 1.25 * end);
  const part = (className, from, to) => {
    const made = h("i", { className });
    made.style.setProperty("--from", from / most);
    made.style.setProperty("--to", to / most);
    return made;
  };
  const parts = [part("sure", 0, sure), ...(found ? [part("open", Math.min(sure, found), found), part("edge", found, found)] : [])];
  const known = [sure ? `certified up to ${writeBound(sure, Math.floor)}` : "nothing certified", ...(found ? [`a change of ${writeBound(found, Math.ceil)} found`] : [])];
  return h("div", { className: "scale" }, h("span", { className: "muted" }, "base scores off by"),
    h("div", { className: "axis", role: "img", "aria-label": `Base scores may be off: ${known.join(", ")}` }, ...parts),
    h("span", { className: "ends muted" }, h("span", {}, "0"), h("span", {}, found ? writeBound(found, Math.ceil) : writeBound(sure, Math.floor))));
}

function writeKey({ certified, found, exact }) {
  const pale = "Pale ends of the bars: where the strengths go if base scores are off by as much as is certified, in the direction that ends the lead soonest.";
  const line = `Line: off by ${writeBound(found, Math.ceil)}, both are level.`;
  return [...(certified > 0 ? [pale] : []), ...(exact ? [] : ["Striped: not proved."]), line].join(" ");
}

/** Write a bound exactly as `qontrast.show.numbers.write_bound` does: three significant digits, rounded to the safe side. */
function writeBound(value, round) {
  if (value < 1e-5) return formatNumber(value);
  const digits = Math.max(3, 2 - Math.floor(Math.log10(value))), steps = value * 10 ** digits, slack = round === Math.ceil ? -1e-6 : 1e-6;
  return (round(steps + slack) / 10 ** digits).toFixed(digits);
}
