// A very large picture is sent once; after that only its numbers and colours follow the answers.

import { $, fixed, formatNumber } from "./dom.js";
import { own } from "./graph.js";
import { scoreOf } from "./state.js";

/** The picture is the same as before, but for its numbers. */
export function showStrengths(state, strengths) {
  for (const node of $("graph").querySelectorAll(".qx-node")) {
    const { name } = node.dataset, base = scoreOf(state, name), strength = own(strengths, name) ?? null;
    const said = [...node.querySelectorAll("text")].find((each) => each.textContent.includes(" → ")), title = node.querySelector("title");
    if (said) said.textContent = `${fixed(base, 2)} → ${strength === null ? "⊥" : fixed(strength, 2)}`;
    title.textContent = title.textContent.replace(/base score [^:]*$/, `base score ${formatNumber(base)}, strength ${formatNumber(strength)}`);
    node.querySelector(".qx-fill").setAttribute("fill-opacity", 0.85 * (strength ?? 0));
    node.dataset.base = base;
    node.dataset.strength = strength;
  }
}
