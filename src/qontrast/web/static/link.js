// The state in the address: JSON, deflated, in base64. What comes out of it is data; the server checks it like any file.

const bytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

async function through(data, Transform) {
  return bytes(new Blob([data]).stream().pipeThrough(new Transform("deflate-raw")));
}

/** The fragment for a state. */
export async function packed(state) {
  const { example, graph, name, fact, foil, method, semantics, solver, set, removed } = state;
  const kept = { v: 1, name, fact, foil, method, semantics, solver, set, removed, ...(example ? { example } : { graph }) };
  const data = await through(new TextEncoder().encode(JSON.stringify(kept)), CompressionStream);
  let text = "";
  for (const each of data) text += String.fromCharCode(each);
  return "s=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const MOST = 4 * 2 ** 20; // what the server would take

/** The state in a fragment: null where there is none, an error where it is damaged. */
export async function unpacked(fragment) {
  const found = /^#?s=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const data = await through(Uint8Array.from(text, (char) => char.charCodeAt(0)), DecompressionStream);
    if (data.length > MOST) throw new Error("too long");
    const state = JSON.parse(new TextDecoder().decode(data));
    if (state?.v !== 1) throw new Error("another version");
    return sane(state);
  } catch {
    throw new Error("the link is damaged, so the page starts afresh");
  }
}

const text = (value) => (typeof value === "string" ? value : undefined);
const plain = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : undefined);

/** Only fields that we know, each of its own type. */
function sane(state) {
  const set = Object.entries(plain(state.set) ?? {}).filter(([, score]) => typeof score === "number");
  const removed = Array.isArray(state.removed) ? state.removed.filter((name) => typeof name === "string") : [];
  const made = { set: Object.fromEntries(set), removed };
  for (const key of ["name", "fact", "foil", "method", "semantics", "solver", "example"]) made[key] = text(state[key]);
  if (!made.example && !plain(state.graph)) throw new Error("no graph");
  return { ...made, graph: plain(state.graph) };
}
