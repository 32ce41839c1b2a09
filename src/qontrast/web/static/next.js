// A button for the obvious next step, where the answer was refused.

import { $, h } from "./dom.js";

export function offerNext(found, store) {
  const { method, solver } = store.now;
  const offer = (text, part) => $("problem").append(" ", h("button", { onclick: () => store.change(part) }, text));
  if (found.undefined) { if (solver !== "continuous") offer("Follow the continuous semantics", { solver: "continuous" }); }
  else if (found.foil && ["shapley", "owen"].includes(method)) offer("Use sampled Shapley values", { method: "sampled" });
}
