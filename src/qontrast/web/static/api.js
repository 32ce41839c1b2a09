// Questions to the server. All exact reasoning happens there.

/** The server gave no answer; `again` says whether the same question may be answered later. */
export class Refused extends Error {
  constructor(message, more = {}) { super(message); Object.assign(this, { again: false }, more); }
}

const MAX_SECONDS = 90; // without an answer; the server itself gives up much earlier

async function checked(response) {
  if (response.ok) return response;
  const { status, headers } = response, said = await response.json().catch(() => ({}));
  const again = status >= 500 && (status !== 503 || headers.has("Retry-After"));
  throw new Refused(said.error ?? `the server answered with an error (${status})`, { kind: said.kind, ways: said.ways, status, again });
}

/** Fetch and read; a server that is gone, or silent for long, refuses like one that says so. */
async function fetched(path, request, read) {
  const silent = AbortSignal.timeout(1000 * MAX_SECONDS), { signal } = request;
  try {
    return await read(await checked(await fetch(path, { ...request, signal: signal ? AbortSignal.any([signal, silent]) : silent })));
  } catch (error) {
    if (error.name === "TimeoutError") throw new Refused(`the server has not answered for ${MAX_SECONDS} seconds`, { again: true });
    if (error instanceof TypeError) throw new Refused("the server does not answer; is it still running?", { again: true });
    throw error;
  }
}

const sent = (question, body, signal, read) => fetched(`/api/${question}`,
  { method: "POST", headers: { "Content-Type": "application/json", "X-Qontrast-Page": PAGE }, body: JSON.stringify(body), signal }, read);

const PAGE = Math.random().toString(36).slice(2); // the server shares its time fairly among pages

/** Do something; what the server refuses is told, any other error is a mistake of ours. */
export async function telling(tell, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return tell(error.message, error);
  }
}

export const ask = (question, body, signal) => sent(question, body, signal, (response) => response.json());
export const askFile = (question, body) => sent(question, body, undefined, (response) => response.blob());
export const get = (path) => fetched(`/api/${path}`, {}, (response) => response.json());

const PATIENCE = 400; // milliseconds after which a newer state ends the question that it replaces

/** Work on the newest input only: what comes while it is busy replaces what waits, so there is never a queue. */
export function newest(work) {
  let waiting = null, busy = null;
  return async function submit(input) {
    waiting = { input };
    if (busy) {
      if (performance.now() - busy.since > PATIENCE) busy.control.abort();
      return;
    }
    while (waiting) {
      const { input: next } = waiting;
      waiting = null;
      busy = { since: performance.now(), control: new AbortController() };
      const mine = busy;
      // a slow question must not keep a newer one waiting: look again once the patience is over
      const timer = setInterval(() => { if (waiting) mine.control.abort(); }, PATIENCE);
      try {
        await work(next, mine.control.signal);
      } catch (error) {
        if (error.name !== "AbortError") throw error;
      } finally {
        clearInterval(timer);
        busy = null;
      }
    }
  };
}
