// Buttons for the ways out that the server names where it has no answer.

import { h } from "./dom.js";
import { names } from "./graph.js";

const MANY = 1000; // arguments from which even samples of coalitions may take longer than the server allows

/** Methods that are quicker: beside samples also gradients, which come first on a large graph. */
function listMethods(values, { graph }) {
  const all = values.includes("sampled") ? [...new Set([...values, "gradient"])] : values;
  return names(graph).length > MANY ? all.toSorted((a, b) => (b === "gradient") - (a === "gradient")) : all;
}

/** Add a button for each value of each setting; one that is chosen already is no way out. */
export function offerWays(place, ways, store, tables) {
  const { players } = store.now;
  const said = {
    method: (value) => (value === "gradient" ? "Use gradients, which are quick" : `Use ${tables.methods[value]?.titles[players]} (${value})`),
    solver: (value) => `Solve cycles ${tables.solver_titles[value]} (${value})`,
    players: (value) => `Let ${value} contribute`,
    semantics: (value) => `Use ${tables.semantics[value]?.title} (${value})`,
  };
  const fits = (setting, value) => store.now[setting] !== value && (setting !== "method" || tables.methods[value]?.players.includes(players));
  for (const { setting, values } of ways.filter((each) => said[each.setting])) {
    const list = setting === "method" ? listMethods(values, store.now) : values;
    for (const value of list.filter((each) => fits(setting, each))) {
      place.append(" ", h("button", { onclick: () => store.change({ [setting]: value }) }, said[setting](value)));
    }
  }
}
