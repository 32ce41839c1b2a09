// How sure the order is where base scores are uncertain: the probability in words, and the distribution of the gap.

import { ask, Refused } from "./api.js";
import { $, dress, h, shape } from "./dom.js";
import { label } from "./graph.js";
import { aboutGraph, withScores } from "./state.js";

const SAMPLES = 2048;
const WIDTH = 240, HEIGHT = 36, HEAD = 14; // of the distribution, in pixels
let shownFor = null; // the question whose answer stands there

export async function showSure(state, { fact, foil }, signal) {
  dress();
  const place = $("sure");
  if (!fact || !foil || fact === foil) { shownFor = null; place.replaceChildren(); return; }
  const body = { ...withScores(state, aboutGraph(state)), fact, foil, samples: SAMPLES }, key = JSON.stringify(body);
  if (key === shownFor && place.children.length) return;
  shownFor = null;
  place.setAttribute("aria-busy", "true");
  if (!place.children.length) place.replaceChildren(h("p", { className: "muted" }, "Computing how sure the order is …"));
  try {
    const found = await askQuickly(body, signal);
    place.replaceChildren(draw(found, state.graph), h("p", {}, found.words + (found.samples ? "" : " Estimated from slopes: draws take too long here.")));
    shownFor = key;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.replaceChildren(h("p", { className: "problem" }, error.message));
  }
  place.removeAttribute("aria-busy");
}

/** By draws, or by the delta method where these are too many for the server. */
async function askQuickly(body, signal) {
  try {
    return await ask("uncertainty", body, signal);
  } catch (error) {
    if (error.kind !== "TooLarge" && error.status !== 503) throw error;
    return ask("uncertainty", { ...body, quick: true }, signal);
  }
}

/** A probability as a whole percentage, exactly as `qontrast.show.uncertainty_texts.write_percent` writes it. */
function percent(part) {
  if (part > 0.99 && part < 1) return "more than 99 %";
  return part > 0 && part < 0.01 ? "less than 1 %" : `${Math.round(100 * part)} %`;
}

/** Columns of the gap, each in the colour of the topic that is ahead there, and a line at 0. */
function draw(found, graph) {
  const { histogram: { edges, parts }, probability, behind, tie, undefined: without } = found;
  const first = Math.min(edges[0], 0), last = Math.max(edges.at(-1), 0), unit = WIDTH / (last - first || 1);
  const ties = without < 1 ? tie / (1 - without) : 0, most = Math.max(...parts, ties, 1e-9), x = (gap) => (gap - first) * unit;
  const said = [[probability, found.fact], [behind, found.foil]].map(([part, name]) => `${label(graph, name)} ahead in ${percent(part)}`);
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + HEAD + 1}`, width: WIDTH, height: HEIGHT + HEAD + 1, role: "img",
    "aria-label": `Distribution of the gap from ${edges[0].toFixed(2)} to ${edges.at(-1).toFixed(2)}: ${said.join(", ")}` });
  const column = (from, to, part, role) => shape("rect", { class: `qx-${role}`, x: x(from), y: HEAD + HEIGHT * (1 - part / most), width: Math.max(0.5, x(to) - x(from) - 0.5), height: HEIGHT * part / most });
  parts.forEach((part, k) => { if (part) svg.append(column(edges[k], edges[k + 1], part, (edges[k] + edges[k + 1]) / 2 > 0 ? "fact" : "foil")); });
  const half = (edges[1] - edges[0]) / 2 || 0.01;
  if (ties) svg.append(column(-half, half, ties, "muted"));
  svg.append(shape("path", { class: "zero", d: `M${x(0)} ${HEAD - 2}V${HEAD + HEIGHT}M0 ${HEAD + HEIGHT}H${WIDTH}` }));
  const text = (at, y, anchor, role, words) => { const made = shape("text", { x: at, y, "text-anchor": anchor, class: `qx-${role}` }); made.textContent = words; svg.append(made); };
  if (behind > 0) text(0, 9, "start", "foil-ink", percent(behind));
  if (probability > 0) text(WIDTH, 9, "end", "fact-ink", percent(probability));
  text(Math.min(WIDTH - 75, Math.max(75, x(0))), 9, "middle", "muted", "gap 0");
  return svg;
}
