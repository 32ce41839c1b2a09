// Questions to the server. All reasoning happens there.

export class Refused extends Error {}

async function checked(response) {
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw Object.assign(new Refused(said.error ?? `the server answered ${response.status}`), { kind: said.kind, status: response.status });
}

async function sent(question, body, signal) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  try {
    return await checked(await fetch(`/api/${question}`, request));
  } catch (error) {
    if (error instanceof TypeError) throw new Refused("the server does not answer; is it still running?");
    throw error;
  }
}

/** Do something; what the server refuses is told, any other error is a mistake of ours. */
export async function telling(tell, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return tell(error.message);
  }
}

export const ask = async (question, body, signal) => (await sent(question, body, signal)).json();
export const askFile = async (question, body) => (await sent(question, body)).blob();
export const get = async (path) => (await checked(await fetch(`/api/${path}`))).json();

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
