// The state in the address: JSON, deflated, in base64; restore.js reads it.

/** Bytes through a stream that packs or unpacks them. */
export async function through(data, Transform) {
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new Transform("deflate-raw"))).arrayBuffer());
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
