// A button for the obvious next step, where the answer was refused.

import { $, h } from "./dom.js";
import { names } from "./graph.js";

const MANY = 1000; // arguments from which even samples of coalitions may take longer than the server allows

export function offerNext(found, store) {
  const { method, solver } = store.now;
  const offer = (text, part) => $("problem").append(" ", h("button", { onclick: () => store.change(part) }, text));
  if (found.undefined) { if (solver !== "continuous") offer("Follow the continuous semantics", { solver: "continuous" }); }
  else if (found.foil && ["shapley", "owen"].includes(method)) {
    const ways = [["Use sampled Shapley values", { method: "sampled" }], ["Use gradients, which are quick", { method: "gradient" }]];
    for (const way of names(store.now.graph).length > MANY ? ways.reverse() : ways) offer(...way);
  }
}
