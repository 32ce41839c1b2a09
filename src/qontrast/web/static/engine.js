// Strengths, removals and slopes of a graph, computed in the page: what can be shown while a slider moves.
//
//   σ(a) = ι(τ(a), E(a)),  E(a) = α(w·σ of the attackers of a, w·σ of its supporters)
//
// The numbers are those of qontrast in Python to 1e-12, for its built-in semantics. Nothing is imported and no
// document is touched, so that a page without a server can hold this text in an inline module.
//
// Arguments are numbers here: `compile` gives a graph its arrays, with `names` and `index` to go back and forth.

const TOLERANCE = 1e-12; // of strengths on graphs with cycles
const MAX_STEPS = 10_000;
const KINK = 1e-9; // one-sided slopes that differ by less are equal
export const TIE = 1e-10; // strengths closer than this are equal

// -- aggregations: E = sign · (fold of the supporters − fold of the attackers), where k runs over entries of `parents`

const add = {
  sign: 1,
  fold(g, s, k, end) { let y = 0; for (; k < end; k++) y += g.weights[k] * s[g.parents[k]]; return y; },
  slopes(g, s, k, end, out) { out.fill(1, k, end); },
};
const multiply = {
  sign: -1, maxWeight: 1,
  fold(g, s, k, end) { let y = 1; for (; k < end; k++) y *= 1 - g.weights[k] * s[g.parents[k]]; return y; },
  slopes(g, s, k, end, out) {
    multiplyOthers(g, s, k, end, out, (factor) => factor);
    for (; k < end; k++) out[k] = -out[k];
  },
};
const multiplySquares = {
  sign: -1, maxWeight: 1, steepest: 2,
  fold(g, s, k, end) { let y = 1; for (; k < end; k++) y *= (1 - g.weights[k] * s[g.parents[k]]) ** 2; return y; },
  slopes(g, s, k, end, out) {
    multiplyOthers(g, s, k, end, out, (factor) => factor * factor);
    for (; k < end; k++) out[k] *= -2 * (1 - g.weights[k] * s[g.parents[k]]);
  },
};
const top = {
  sign: 1,
  fold(g, s, k, end) { let y = 0; for (; k < end; k++) y = Math.max(y, g.weights[k] * s[g.parents[k]]); return y; },
  slopes(g, s, k, end, out) { // 1 at the first largest entry
    let first = k;
    for (let j = k; j < end; j++) if (g.weights[j] * s[g.parents[j]] > g.weights[first] * s[g.parents[first]]) first = j;
    for (let j = k; j < end; j++) out[j] = j === first ? 1 : 0;
  },
  /** The entries that share the maximum. */
  tied(g, s, k, end) {
    const most = this.fold(g, s, k, end), found = [];
    for (; k < end; k++) if (Math.abs(g.weights[k] * s[g.parents[k]] - most) <= 1e-11) found.push(k);
    return found;
  },
  /** The one-sided derivative of the maximum, where the entry j changes by d(j); max(0, ·) counts as one more entry. */
  push(g, s, d, k, end) {
    const rate = Math.max(-Infinity, ...this.tied(g, s, k, end).map(d));
    return this.fold(g, s, k, end) <= 0 ? Math.max(rate, 0) : rate;
  },
};

/** For each entry the product of all other factors, from both sides, so that a factor of 0 divides nothing. */
function multiplyOthers(g, s, from, end, out, power) {
  const factor = (k) => power(1 - g.weights[k] * s[g.parents[k]]);
  for (let k = from, before = 1; k < end; k++) { out[k] = before; before *= factor(k); }
  for (let k = end - 1, after = 1; k >= from; k--) { out[k] *= after; after *= factor(k); }
}

// -- influences: ι(b, e), its slopes [∂ι/∂b, ∂ι/∂e from below, ∂ι/∂e from above], and the largest ∂ι/∂e for a b

const expit = (x) => 1 / (1 + Math.exp(-x));
const addLogs = (x, y) => Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y))); // ln(eˣ + eʸ)
const clip = (e, most) => Math.max(Math.min(e, most), -most); // energies whose powers are numbers still

/** Move b towards 1 by the share h(e) if e > 0, towards 0 by h(|e|) else. */
const towards = (share, slope) => ({
  strength: (b, e) => b + share(Math.abs(e)) * ((e > 0 ? 1 : 0) - b),
  steepest: (b) => Math.max(b, 1 - b),
  slopes(b, e) {
    const x = Math.abs(e), rate = slope(x);
    return [1 - share(x), rate * (e > 0 ? 1 - b : b), rate * (e >= 0 ? 1 - b : b)];
  },
});
const linear = towards((x) => x, () => 1);
const oneMax = towards((x) => x / (1 + x), (x) => 1 / (1 + x) ** 2);
const twoMax = { // h(x) = x²/(1 + x²), as one fraction
  strength(b, e) { e = clip(e, 1e150); return (b + (e > 0 ? e * e : 0)) / (1 + e * e); },
  steepest: (b) => 0.65 * Math.max(b, 1 - b), // at e² = 1/3
  slopes(b, e) {
    const near = clip(e, 1e75), rate = (Math.max(near, 0) - b * near) * 2 / (1 + near * near) ** 2;
    return [1 / (1 + clip(e, 1e150) ** 2), rate, rate];
  },
};
const euler = {
  strength: (b, e) => 1 - (1 - b * b) * expit(-(Math.log(b) + e)),
  steepest: (b) => (1 - b * b) / 4,
  slopes(b, e) {
    const x = Math.log(b) + e, rate = (1 - b * b) * expit(x) * expit(-x);
    return [2 * b * expit(-x) + (1 - b * b) * Math.exp(e - 2 * addLogs(0, x)), rate, rate];
  },
};
const logistic = {
  strength: (b, e) => expit(Math.log(b / (1 - b)) + e),
  steepest: () => 0.25,
  slopes(b, e) {
    const x = Math.log(b / (1 - b)) + e, rate = expit(x) * expit(-x);
    return [Math.exp(e - 2 * addLogs(Math.log(1 - b), Math.log(b) + e)), rate, rate];
  },
};

/** The semantics that are known here; a server computes the others. */
export const SEMANTICS = {
  "df-quad": [multiply, linear],
  qe: [add, twoMax],
  reb: [add, euler],
  ebt: [top, euler],
  mlp: [add, logistic],
  "df-quad-squared-product": [multiplySquares, linear],
  "df-quad-1-max": [multiply, oneMax],
};

// -- the graph as arrays

/** A graph in native JSON, ready to be solved; null if its semantics, or a weight under it, is not for us. */
export function compile(graph, { semantics = graph.semantics ?? "qe", solver = "discrete", removed = [] } = {}) {
  if (!Object.hasOwn(SEMANTICS, semantics)) return null;
  const [alpha, iota] = SEMANTICS[semantics], gone = new Set(removed);
  const names = Object.keys(graph.arguments).filter((name) => !gone.has(name)), n = names.length;
  const index = new Map(names.map((name, x) => [name, x]));
  const base = Float64Array.from(names, (name) => graph.arguments[name].initial_weight);
  const given = new Map((graph.edge_weights ?? []).map(([kind, a, b, w]) => [JSON.stringify([kind, a, b]), w]));
  const attackers = names.map(() => []), supporters = names.map(() => []), children = names.map(() => []);
  for (const [kind, lists] of [["attack", attackers], ["support", supporters]]) {
    for (const [a, b] of graph[`${kind}s`] ?? []) {
      const source = index.get(a), target = index.get(b), weight = given.get(JSON.stringify([kind, a, b])) ?? 1;
      if (source === undefined || target === undefined) continue;
      if (weight > (alpha.maxWeight ?? Infinity)) return null;
      lists[target].push([source, weight]);
      children[source].push(target);
    }
  }
  const start = new Int32Array(n + 1), split = new Int32Array(n);
  for (let x = 0; x < n; x++) {
    split[x] = start[x] + attackers[x].length;
    start[x + 1] = split[x] + supporters[x].length;
  }
  const entries = names.flatMap((_, x) => [...attackers[x], ...supporters[x]]), targets = new Int32Array(entries.length);
  for (let x = 0; x < n; x++) targets.fill(x, start[x], start[x + 1]);
  const g = { names, index, base, children, start, split, targets, alpha, iota, solver,
    parents: Int32Array.from(entries, ([source]) => source), weights: Float64Array.from(entries, ([, weight]) => weight) };
  return Object.assign(g, sort(g), { reach: magnify(g) });
}

/** An order of evaluation of all that has no cycle before it, how deep it is, and the rest. */
function sort(g) {
  const n = g.names.length, left = Int32Array.from(g.names, (_, x) => g.start[x + 1] - g.start[x]), level = new Int32Array(n);
  const order = Array.from(left.keys()).filter((x) => !left[x]), place = new Int32Array(n).fill(-1);
  for (let k = 0; k < order.length; k++) {
    place[order[k]] = k;
    for (const y of g.children[order[k]]) {
      level[y] = Math.max(level[y], level[order[k]] + 1);
      if (--left[y] === 0) order.push(y);
    }
  }
  const acyclic = order.length === n, deepest = order.reduce((most, x) => Math.max(most, level[x] + 1), 0);
  return { order, place, acyclic, deepest, late: Array.from(left.keys()).filter((x) => left[x] > 0), rounding: acyclic ? 1e-14 : 1e-11 };
}

/** By how much a change of an argument is magnified on its way to its children: its largest weight, at least 1. */
function magnify(g) {
  const reach = new Float64Array(g.names.length).fill(1);
  g.parents.forEach((y, k) => { reach[y] = Math.max(reach[y], g.weights[k]); });
  return reach;
}

/** The base scores of a graph, with some that were set by name. */
export function baseScores(g, set = {}) {
  const base = g.base.slice();
  for (const [name, value] of Object.entries(set)) if (g.index.has(name)) base[g.index.get(name)] = value;
  return base;
}

/** These arguments and all that have a path to them, as marks. */
export function ancestors(g, starts) {
  const marks = new Uint8Array(g.names.length), list = [...starts];
  for (const x of list) marks[x] = 1;
  for (let x; (x = list.pop()) !== undefined;) {
    for (let k = g.start[x]; k < g.start[x + 1]; k++) if (!marks[g.parents[k]]) { marks[g.parents[k]] = 1; list.push(g.parents[k]); }
  }
  return marks;
}

// -- strengths

const energy = (g, s, x) => g.alpha.sign * (g.alpha.fold(g, s, g.split[x], g.start[x + 1]) - g.alpha.fold(g, s, g.start[x], g.split[x]));
const update = (g, base, s, x) => (g.start[x] === g.start[x + 1] ? base[x] : g.iota.strength(base[x], energy(g, s, x)));

/** A count of the edges that were looked at; beyond the limit a computation gives up, and its result is unknown. */
export const budget = (limit = Infinity) => ({ left: limit });

/**
 * The strengths for these base scores: { strengths }, or { moving } with the arguments that come to no rest where they
 * are undefined, or { unknown: true }. What `gone` marks has the strength 0; `among` restricts it to arguments closed under parents.
 */
export function solve(g, base = g.base, { gone = null, among = null, spend = budget() } = {}) {
  const found = g.acyclic ? pass(g, base, gone) : follow(g, base, gone, among, spend);
  if (found.strengths) found.strengths.forEach((value, x, all) => { all[x] = Math.min(1, Math.max(0, value)); }); // rounding
  return found;
}

function pass(g, base, gone) {
  const s = new Float64Array(base.length);
  for (const x of g.order) s[x] = gone?.[x] ? 0 : update(g, base, s, x);
  return { strengths: s };
}

const DRIFT = 4e-11; // by which neighbours are moved: σ becomes σ ± d σ (1 − σ), far less than anybody means
const APART = 1e-6; // how far they may come from each other

/** Follow a graph with cycles to its end. Where only an exact balance keeps it there, rounding would decide: undefined. */
function follow(g, base, gone, among, spend) {
  const run = g.solver === "continuous" ? flow : iterate, found = run(g, base, gone, among, spend);
  if (!found.strengths || contracts(g, base)) return found;
  const apart = new Float64Array(base.length);
  for (const side of [DRIFT, -DRIFT]) { // no two arguments move alike: multiples of the golden ratio spread evenly
    const drift = base.map((_, x) => side * (2 * ((x + 1) * 0.6180339887498949 % 1) - 1));
    const end = run(g, base, gone, among, spend, Math.min(MAX_STEPS, 4 * found.steps + 200), drift);
    if (end.unknown) return end;
    end.state.forEach((value, x) => { apart[x] = Math.max(apart[x], Math.abs(value - found.state[x])); });
  }
  const moving = Array.from(apart.keys()).filter((x) => apart[x] > APART);
  return moving.length ? { moving } : found;
}

/** Whether F contracts wherever the strengths are: |F′| v ≤ r v for some v > 0 and r < 1. Then nothing leads apart. */
function contracts(g, base) {
  let v = new Float64Array(base.length).fill(1);
  for (let k = 0; k < 6; k++) {
    const image = new Float64Array(base.length);
    for (const x of g.late) {
      for (let k = g.start[x]; k < g.start[x + 1]; k++) image[x] += g.weights[k] * v[g.parents[k]];
      image[x] *= (g.alpha.steepest ?? 1) * g.iota.steepest(base[x]);
    }
    if (g.late.every((x) => image[x] <= 0.999 * v[x])) return true;
    const most = Math.max(...g.late.map((x) => image[x]));
    v = v.map((_, x) => Math.max(image[x] / most, 0.01));
  }
  return false;
}

const nudgeBy = (drift) => (drift ? (value, x) => value + drift[x] * value * (1 - value) : (value) => value);

/** All arguments at once, step by step, until the estimated error is below the tolerance, or a state comes back. */
function iterate(g, base, gone, among, spend, limit = MAX_STEPS, drift = null) {
  const n = base.length, keep = (x) => !gone?.[x] && (!among || among[x]);
  const all = Array.from(base.keys()).filter(keep), late = g.late.filter(keep), last = Array.from({ length: 8 }, () => new Float64Array(n));
  let now = new Float64Array(n), next = new Float64Array(n), change = 0, before = Infinity, earlier = Infinity;
  const nudge = nudgeBy(drift);
  let mark = null, marked = 0, atMark = Infinity, most = 0; // a state that is kept, and what moved since
  for (const x of all) now[x] = base[x];
  let step = 1;
  for (; step <= limit; step++) {
    const list = step > g.deepest ? late : all, moved = last[step % 8].fill(0);
    if (step === g.deepest + 1) next.set(now); // what is before all cycles is at rest
    change = 0;
    for (const x of list) {
      next[x] = nudge(update(g, base, now, x), x);
      moved[x] = Math.abs(next[x] - now[x]);
      change = Math.max(change, moved[x] * g.reach[x]);
    }
    [now, next] = [next, now];
    if ((spend.left -= list.length + g.parents.length) < 0) return { unknown: true };
    // the error that is left after a step d that shrinks by the rate r each time is d·r/(1 − r)
    const rates = [before > 0 ? change / before : 0, earlier === Infinity ? 1 : earlier > 0 ? before / earlier : 0];
    const worst = Math.max(...rates, mark ? (change / atMark) ** (1 / (step - marked)) : 0);
    if (change === 0 || change <= TOLERANCE && worst < 1 && change * Math.max(1, worst / (1 - worst)) <= TOLERANCE) return { strengths: now, state: now, steps: step };
    [earlier, before, most] = [before, change, Math.max(most, change)];
    if (mark && step % 4 === 0 && list.every((x) => now[x] === mark[x])) {
      if (most <= TOLERANCE) return { strengths: now, state: now, steps: step };
      break; // it goes round for ever
    }
    if ((step & (step - 1)) === 0) [mark, marked, atMark, most] = [now.slice(), step, change, 0];
  }
  return { moving: all.filter((x) => last.some((moved) => moved[x] > TOLERANCE)), state: now };
}

// Dormand and Prince (1980): the weights of the earlier stages in each stage, and of all in the estimate of the error
const STAGES = [
  [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];
const ERRORS = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];

/** The equilibrium of dσ/dt = F(σ) − σ that is reached from the base scores, unknown if it takes long. */
function flow(g, base, gone, among, spend, limit = MAX_STEPS, drift = null) {
  const n = base.length, all = Array.from(base.keys()).filter((x) => !gone?.[x] && (!among || among[x]));
  const nudge = nudgeBy(drift);
  let steps = 0, state = new Float64Array(n), span = 0.05, nextTry = 0;
  for (const x of all) state[x] = base[x];
  const move = (s) => {
    const out = new Float64Array(n);
    for (const x of all) out[x] = nudge(update(g, base, s, x), x) - s[x];
    steps += 1;
    spend.left -= all.length + g.parents.length;
    return out;
  };
  const size = (v) => v.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const mix = (weights, stages) => stages[0].map((_, x) => weights.reduce((sum, weight, k) => sum + weight * stages[k][x], 0));
  const walk = (s, pace, moves) => s.map((value, x) => value + pace * moves[x]);
  let first = move(state);
  while (steps < limit && spend.left > 0) {
    if (size(first) <= 1e-5 && steps >= nextTry) {
      const rest = creep(state, first);
      if (rest) return { strengths: rest, state: rest, steps };
      nextTry = 2 * steps; // it only passes by, or is not near enough
    }
    const stages = [first];
    let then = state;
    for (const weights of STAGES) {
      then = walk(state, span, mix(weights, stages));
      stages.push(move(then));
    }
    const parts = mix(ERRORS, stages).map((each, x) => each / (1 + Math.max(Math.abs(state[x]), Math.abs(then[x]))));
    const error = span * size(parts) / 1e-8;
    if (error <= 1) [state, first] = [then, stages[6]];
    span *= Math.min(5, Math.max(0.2, 0.9 * Math.max(error, 1e-10) ** -0.2));
  }
  if (limit === MAX_STEPS || spend.left <= 0) return { unknown: true }; // what takes long is left to a server
  return { state: creep(state, first, true) }; // a neighbour may drift along a line of equilibria for ever

  /** Small steps along the flow up to the last digits; null where they lead away, unless wherever they lead is asked for. */
  function creep(near, moves, anywhere = false) {
    let now = near, pace = 0.5, at = size(moves);
    for (let k = 0; k < 2000 && at > 2e-16 && pace > 1e-4; k++) {
      const trial = walk(now, pace, moves), after = move(trial);
      if (size(after) > at) pace /= 2;
      else [now, moves, at] = [trial, after, size(after)];
    }
    return anywhere || at <= 1e-14 && size(walk(now, -1, near)) <= 1e-2 ? now : null;
  }
}

// -- players: an argument or a group is { members }, an edge is { entry }, its place in `parents`. A `direct` edge
// contributes to its target alone.

/** The groups, each a list of arguments, then all arguments that are in none. */
export function groupPlayers(g, groups = []) {
  const taken = new Set(groups.flat());
  return [...groups, ...g.names.map((_, x) => [x]).filter(([x]) => !taken.has(x))].map((members) => ({ members }));
}

/** All edges; only those into some arguments if these are given. */
export const edgePlayers = (g, into = null) => Array.from(g.targets, (y, entry) => ({ entry, direct: into !== null })).filter(({ entry }) => !into || into.includes(g.targets[entry]));

// -- contributions of players: one array of numbers for each topic

/** φ_t(x) = σ(t) − σ(t) without x, NaN where that is undefined; null if it takes more than may be spent. */
export function removals(g, base, strengths, topics, spend = budget(), players = groupPlayers(g)) {
  const found = topics.map(() => new Float64Array(players.length)), own = topics.map((t) => ancestors(g, [t]));
  const among = ancestors(g, topics), without = g.acyclic ? leaveOne(g, base, strengths, among, spend) : (player, gone) => {
    const { strengths: rest, unknown } = solve(g, base, { gone, among, spend });
    return unknown ? null : rest ?? new Float64Array(base.length).fill(NaN);
  };
  for (let p = 0; p < players.length; p++) {
    const { members, entry, direct } = players[p], y = g.targets[entry];
    const acts = (t, k) => (members ? members.some((x) => own[k][x]) : direct ? y === t : own[k][y]);
    if (!topics.some((t, k) => members?.[0] !== t && acts(t, k))) continue; // it acts on no other topic
    const rest = leave(g, players[p], without);
    if (!rest || spend.left < 0) return null;
    topics.forEach((t, k) => { if (acts(t, k)) found[k][p] = strengths[t] - rest[t]; });
  }
  return found;
}

/** Solve while a player is gone: its members are marked, its edge has no weight. */
function leave(g, player, without) {
  const { members = [], entry = -1 } = player, gone = new Uint8Array(g.names.length), weight = g.weights[entry];
  for (const x of members) gone[x] = 1;
  if (entry >= 0) g.weights[entry] = 0;
  const found = without(player, gone);
  if (entry >= 0) g.weights[entry] = weight;
  return found;
}

/** Solve an acyclic graph without one player: only what lies between it and the topics changes. */
function leaveOne(g, base, strengths, among, spend) {
  const s = strengths.slice(), dirty = new Uint8Array(s.length);
  let changed = [];
  return ({ members = [], entry = -1 }, gone) => {
    for (const y of changed) s[y] = strengths[y];
    changed = [...members];
    let waiting = 0, first = g.order.length;
    const touch = (y) => { for (const z of g.children[y]) if (among[z] && !dirty[z] && !gone[z]) { dirty[z] = 1; waiting += 1; } };
    for (const x of members) { s[x] = 0; first = Math.min(first, g.place[x]); }
    for (const x of members) touch(x);
    if (entry >= 0) { first = g.place[g.targets[entry]]; dirty[g.order[first]] = waiting = 1; }
    for (let k = first; waiting; k++) {
      const y = g.order[k];
      if (!dirty[y]) continue;
      dirty[y] = 0;
      waiting -= 1;
      spend.left -= 1 + g.start[y + 1] - g.start[y];
      const value = Math.min(1, Math.max(0, update(g, base, s, y)));
      if (value === s[y]) continue;
      s[y] = value;
      changed.push(y);
      touch(y);
    }
    return s;
  };
}

/** The derivatives of F: by the base score, by the energy from below and above; of the energy by each parent, and by each weight. */
function differentiate(g, base, s) {
  const n = base.length, byBase = new Float64Array(n).fill(1), below = new Float64Array(n), above = new Float64Array(n);
  const by = new Float64Array(g.parents.length), byWeight = new Float64Array(g.parents.length);
  for (let x = 0; x < n; x++) {
    const [from, split, end] = [g.start[x], g.split[x], g.start[x + 1]];
    if (from === end) continue;
    g.alpha.slopes(g, s, from, split, by);
    g.alpha.slopes(g, s, split, end, by);
    for (let k = from; k < end; k++) {
      by[k] *= g.alpha.sign * (k < split ? -1 : 1);
      byWeight[k] = by[k] * s[g.parents[k]];
      by[k] *= g.weights[k];
    }
    const e = energy(g, s, x);
    [byBase[x], below[x], above[x]] = g.iota.slopes(base[x], Math.abs(e) <= g.rounding ? 0 : e);
  }
  return { byBase, below, above, by, byWeight };
}

/**
 * φ_t(x) = ∂σ(t)/∂τ(x), from the topics back to the sources; of a group when all members move together, of an edge
 * by its weight. NaN where the slopes from below and above differ.
 */
export function slopes(g, base, strengths, topics, spend = budget(), players = null) {
  const d = differentiate(g, base, strengths), shares = topics.map((t) => (g.acyclic ? sweep : series)(g, d, t));
  const found = shares.map((share) => share.map((each, x) => each * d.byBase[x]));
  const bent = g.names.map((_, x) => x).filter((x) => shares.some((share) => share[x]) && isBent(g, d, strengths, x));
  const movers = bent.length ? ancestors(g, bent) : [];
  if (players?.every(({ members }) => !members)) return slopesOfEdges(g, d, strengths, topics, spend, players, shares, movers);
  for (let x = 0; x < movers.length && spend.left > 0; x++) {
    if (!movers[x]) continue;
    const [up, down] = [1, -1].map((sign) => push(g, d, strengths, [x], sign, spend));
    topics.forEach((t, k) => { found[k][x] = base[x] === 1 ? -down[t] : base[x] > 0 ? either(up[t], -down[t]) : up[t]; });
  }
  return players ? slopesOfGroups(g, d, strengths, topics, spend, players, found) : found;
}

/** The slope from above; NaN where that from below differs. */
const either = (above, below) => (Math.abs(above - below) > KINK * Math.max(1, Math.abs(above)) ? NaN : above);

function slopesOfGroups(g, d, s, topics, spend, players, slopesOf) {
  const found = slopesOf.map((own) => Float64Array.from(players, ({ members }) => members.reduce((sum, x) => sum + own[x], 0)));
  players.forEach(({ members }, p) => {
    if (members.length === 1 || spend.left <= 0 || found.every((own) => !Number.isNaN(own[p]))) return;
    const [up, down] = [1, -1].map((sign) => push(g, d, s, members, sign, spend));
    topics.forEach((t, k) => { found[k][p] = either(up[t], -down[t]); });
  });
  return found;
}

function slopesOfEdges(g, d, s, topics, spend, players, shares, movers) {
  const rates = new Map(); // a target → what all strengths change by when its energy rises, and when it falls
  const found = topics.map(() => new Float64Array(players.length));
  players.forEach(({ entry, direct }, p) => {
    const y = g.targets[entry], own = topics.map((t, k) => [t, k]).filter(([t]) => !direct || t === y);
    if (!movers[y] || spend.left <= 0) { for (const [, k] of own) found[k][p] = shares[k][y] * d.above[y] * d.byWeight[entry]; return; }
    if (!rates.has(y)) rates.set(y, [1, -1].map((sign) => push(g, d, s, [y], sign, spend, true)));
    const [rise, fall] = rates.get(y), [up, down] = [1, -1].map((sign) => pushWeight(g, d, s, entry, sign));
    const along = (t, by) => (by > 0 ? rise[t] * by : by < 0 ? fall[t] * -by : 0);
    for (const [t, k] of own) found[k][p] = g.weights[entry] > 0 ? either(along(t, up), -along(t, down)) : along(t, up);
  });
  return found;
}

/** What the energy of an edge's target changes by when its weight rises, or falls. */
function pushWeight(g, d, s, entry, sign) {
  if (!g.alpha.push) return sign * d.byWeight[entry];
  const y = g.targets[entry], move = (j) => (j === entry ? sign * s[g.parents[j]] : 0);
  return entry < g.split[y] ? -g.alpha.push(g, s, move, g.start[y], g.split[y]) : g.alpha.push(g, s, move, g.split[y], g.start[y + 1]);
}

/** ∂σ(t)/∂σ of all arguments of an acyclic graph. */
function sweep(g, d, t) {
  const share = new Float64Array(g.names.length);
  share[t] = 1;
  for (let k = g.place[t]; k >= 0; k--) {
    const x = g.order[k], rate = share[x] * d.above[x];
    if (rate) for (let j = g.start[x]; j < g.start[x + 1]; j++) share[g.parents[j]] += rate * d.by[j];
  }
  return share;
}

/** The same with cycles: a = Σ (F_σᵀ)ᵏ e; by elimination where that does not converge, NaN where it would take long. */
function series(g, d, t) {
  const n = g.names.length, share = new Float64Array(n);
  let wave = new Float64Array(n), most = 1;
  share[t] = wave[t] = 1;
  for (let step = 0; step < 2000 && most < 1e6; step++) {
    const next = new Float64Array(n);
    for (let x = 0; x < n; x++) {
      const rate = wave[x] * d.above[x];
      if (rate) for (let k = g.start[x]; k < g.start[x + 1]; k++) next[g.parents[k]] += rate * d.by[k];
    }
    most = 0;
    for (let x = 0; x < n; x++) { share[x] += next[x]; most = Math.max(most, Math.abs(next[x])); }
    if (most <= 1e-17) return share;
    wave = next;
  }
  return n > MAX_DENSE ? share.fill(NaN) : eliminate(g, d, t);
}

const MAX_DENSE = 300; // arguments

/** The solution of (I − F_σ)ᵀ a = e, row by row with pivots. */
function eliminate(g, d, t) {
  const n = g.names.length, rows = g.names.map((_, x) => { const row = new Float64Array(n + 1); row[x] = 1; row[n] = x === t ? 1 : 0; return row; });
  for (let x = 0; x < n; x++) for (let k = g.start[x]; k < g.start[x + 1]; k++) rows[g.parents[k]][x] -= d.above[x] * d.by[k];
  for (let j = 0; j < n; j++) {
    let best = j;
    for (let i = j + 1; i < n; i++) if (Math.abs(rows[i][j]) > Math.abs(rows[best][j])) best = i;
    [rows[j], rows[best]] = [rows[best], rows[j]];
    for (let i = j + 1; i < n; i++) {
      const factor = rows[i][j] / rows[j][j];
      if (factor) for (let k = j; k <= n; k++) rows[i][k] -= factor * rows[j][k];
    }
  }
  const share = new Float64Array(n);
  for (let j = n - 1; j >= 0; j--) {
    let left = rows[j][n];
    for (let k = j + 1; k < n; k++) left -= rows[j][k] * share[k];
    share[j] = left / rows[j][j]; // NaN or infinite if the equation is singular
  }
  return share;
}

function isBent(g, d, s, x) {
  if (Math.abs(d.above[x] - d.below[x]) > KINK) return true;
  return Boolean(g.alpha.tied) && [[g.start[x], g.split[x]], [g.split[x], g.start[x + 1]]].some(([from, end]) => g.alpha.tied(g, s, from, end).length > 1);
}

/** The one-sided derivative of all strengths when the base scores of some arguments, or their energies, move to one side. */
function push(g, d, s, movers, sign, spend, byEnergy = false) {
  const n = s.length, moved = new Int8Array(n);
  for (const x of movers) moved[x] = sign;
  let now = new Float64Array(n);
  const step = (then, out, x) => {
    const [from, split, end] = [g.start[x], g.split[x], g.start[x + 1]];
    let by = byEnergy ? moved[x] : 0;
    const change = (k) => g.weights[k] * then[g.parents[k]];
    if (g.alpha.push) by += from === end ? 0 : (split < end ? g.alpha.push(g, s, change, split, end) : 0) - (from < split ? g.alpha.push(g, s, change, from, split) : 0);
    else for (let k = from; k < end; k++) by += d.by[k] * then[g.parents[k]];
    out[x] = (byEnergy ? 0 : moved[x] * d.byBase[x]) + (by > 0 ? d.above[x] : d.below[x]) * by;
  };
  spend.left -= g.parents.length;
  if (g.acyclic) {
    for (let k = Math.min(...movers.map((x) => g.place[x])); k < n; k++) step(now, now, g.order[k]);
    return now;
  }
  for (let k = 0; k < MAX_STEPS && spend.left > 0; k++) {
    const next = new Float64Array(n);
    for (let x = 0; x < n; x++) step(now, next, x);
    spend.left -= g.parents.length;
    const moves = next.reduce((most, each, x) => Math.max(most, Math.abs(each - now[x])), 0);
    now = next;
    if (moves <= TOLERANCE * Math.max(1, now.reduce((most, each) => Math.max(most, Math.abs(each)), 0))) return now;
  }
  return now.fill(NaN);
}

// -- two topics

/**
 * Why one of two arguments is rated above the other: { strengths, gap, method, contributions, individual, cross }, or
 * { moving } or { unknown } as in `solve`. Contributions are removals, or slopes if `method` is "gradient" or removals
 * take more than may be spent; NaN at the topics. They are those of `players`, or of all arguments.
 */
export function contrast(g, base, fact, foil, { method = "removal", spend = budget(), players = null } = {}) {
  const solved = solve(g, base, { spend }), { strengths } = solved;
  if (!strengths) return solved;
  const byRemoval = method === "gradient" ? null : removals(g, base, strengths, [fact, foil], spend, players ?? undefined);
  const individual = byRemoval ?? slopes(g, base, strengths, [fact, foil], budget(Math.max(0, spend.left)), players);
  const [own, other] = [fact, foil].map((t) => (players ? players.findIndex(({ members }) => members?.[0] === t) : t)); // a topic is in no group
  const contributions = individual[0].map((value, p) => (p === own || p === other ? NaN : value - individual[1][p]));
  const cross = fact === foil || own < 0 ? 0 : individual[0][other] - individual[1][own];
  return { strengths, gap: strengths[fact] - strengths[foil], method: byRemoval ? "removal" : "gradient", contributions, individual, cross };
}

/** These items, the largest size first; sizes within TIE are tied, and come in the order of their names. */
export function sortBySize(items, size, name) {
  const rough = [...items].sort((a, b) => size(b) - size(a)), group = new Map();
  let largest = Infinity;
  for (const each of rough) {
    if (!(largest - size(each) <= TIE)) largest = size(each);
    group.set(each, largest);
  }
  const compare = (one, other) => Number(one > other) - Number(one < other);
  return rough.sort((a, b) => group.get(b) - group.get(a) || compare(name(a), name(b)));
}
