// Where the page has been. Every question is an entry of the browser's history; its state is kept in IndexedDB, so that
// it survives a reload whatever its size. An address holds the state too, where that is short enough for a link.

import { packed } from "./state.js";

const MAX_KEPT = 60; // states, of all pages of this address
const MAX_FRAGMENT = 8000; // characters
const known = new Map(); // states of this page: entry → state
let last = null, turn = 0; // the state of the current entry; how often one was kept or recalled

const newEntry = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
const address = (fragment) => `${location.pathname}${location.search}${fragment && "#"}${fragment}`;

/** Whether a state asks another question than the one before, so that Back leads to that. */
const isNew = (state) => last !== null && state !== last && (state.name !== last.name
  || ["fact", "foil"].some((which) => state[which] !== undefined && last[which] !== undefined && state[which] !== last[which]));

/** Keep a state: in the current entry of the history, or in a new one if it asks another question. */
export async function keep(state) {
  const mine = ++turn, fragment = await packed(state);
  if (mine !== turn) return; // a newer state, or Back
  const shown = address(fragment.length < MAX_FRAGMENT ? fragment : "");
  const push = isNew(state), entry = (!push && history.state?.entry) || newEntry();
  last = state;
  known.set(entry, state);
  history[push ? "pushState" : "replaceState"]({ entry }, "", shown);
  await write(entry, state).catch(() => {}); // a private window may have no storage; the page works without
}

/** The state of the current entry, if it is known. */
export async function recall() {
  turn += 1;
  const { entry } = history.state ?? {};
  if (!entry) return null;
  const found = known.get(entry) ?? (await read(entry).catch(() => undefined));
  last = found ?? last;
  return found ?? null;
}

// -- IndexedDB

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

let opened = null;

async function states(mode) {
  opened ??= (() => {
    const request = indexedDB.open("qontrast", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("states");
    return done(request);
  })();
  return (await opened).transaction("states", mode).objectStore("states");
}

async function write(entry, state) {
  const place = await states("readwrite");
  const keys = await done(place.getAllKeys()); // in the order of their times
  for (const key of keys.filter((each) => each !== entry).slice(0, -MAX_KEPT)) place.delete(key);
  await done(place.put(state, entry));
}

const read = async (entry) => done((await states("readonly")).get(entry));
