// Open a file by picking or dropping it, the examples in a menu; save and download.

import { ask, askFile, get, Refused, telling } from "./api.js";
import { $, closeMenus, dress, h, toast } from "./dom.js";
import { aboutGraph, listUncertain, packed, question, withScores } from "./state.js";

let start = () => {}, fail = () => {}, ready = false;

/** Fill both menus once. */
export function prepared({ tables, store, open, fail: onFail }) {
  [start, fail] = [open, onFail];
  dress();
  if (!ready) fillMenus(tables, store);
  ready = true;
  for (const each of $("figures").querySelectorAll('[data-figure="uncertainty"]')) each.hidden = !listUncertain(store.now).length;
  return { openFiles };
}

function fillMenus(tables, store) {
  $("examples").replaceChildren(...Object.entries(tables.examples).map(([name, text]) =>
    h("button", { onclick: whenClicked(() => openExample(name)) }, h("b", {}, name), h("span", { className: "muted" }, ` ${text}`))));
  $("save-menu").append(h("div", { className: "sheet" }, h("div", { id: "saves" }), h("h2", {}, "Figures"), h("div", { id: "figures", className: "choices" }),
    h("h2", {}, "Other formats"), h("div", { id: "formats", className: "choices" })));
  const button = (text, title, action) => h("button", { title, onclick: whenClicked(action) }, text);
  $("figures").replaceChildren(...Object.entries(tables.figures).flatMap(([name, text]) =>
    [h("span", { "data-figure": name }, text), h("span", { "data-figure": name }, ...["svg", "pdf", "png"].map((format) => button(format, `${text}, as ${format}`, () => figure(store, name, format))))]));
  $("formats").replaceChildren(...Object.entries(tables.formats).filter(([name]) => name !== "json").map(([name, { description, suffixes }]) =>
    button(name, description, () => converted(store, name, suffixes[0]))));
  $("saves").replaceChildren(...Object.entries(SAVES).map(([name, [text, action]]) =>
    h("button", { "data-save": name, onclick: whenClicked(() => action(store)) }, text)));
}

/** What a button of a menu does. */
const whenClicked = (action) => () => { closeMenus(); return telling(fail, action); };

const called = (store) => (store.now.name ?? "graph").replace(/\.[^.]*$/, "").replace(/[^\w.-]+/g, "-") || "graph";
const palette = () => document.documentElement.dataset.palette;
const drawn = async (store, picture) => download(`${called(store)}-${picture}.svg`, await askFile("draw", { ...question(store.now), picture, palette: palette() }));

/** Whether nobody else can reach this server. */
const isOwn = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

const SAVES = {
  link: [isOwn() ? "Copy a link to this state (for this computer)" : "Copy a link to this state", copyLink],
  json: ["Graph as JSON", (store) => converted(store, "json", ".json")],
  report: ["Report with sliders, to send or print (HTML)", async (store) => download(`${called(store)}.html`, await askFile("report", { ...withScores(store.now, question(store.now)), palette: palette(), interactive: true }))],
  "graph-svg": ["Picture of the graph (SVG)", (store) => drawn(store, "graph")],
  "bars-svg": ["Picture of the bars (SVG)", (store) => drawn(store, "bars")],
};

/** Hand a file to the user. */
function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copyLink(store) {
  const address = `${location.origin}/#${await packed(store.now)}`;
  history.replaceState(history.state, "", address);
  try {
    await navigator.clipboard.writeText(address);
    toast(`The link is in the clipboard. ${isOwn() ? "It opens on this computer only, while this server runs; to show it to others, save a report or the graph."
      : "It opens wherever this server can be reached."} It holds the graph itself.`);
  } catch {
    toast("The address of this page is the link now; copy it from there.");
  }
}

async function converted(store, format, suffix) {
  const found = await ask("convert", { ...withScores(store.now, aboutGraph(store.now)), format });
  download(`${called(store)}${suffix}`, found.text, "text/plain");
  if (found.warnings.length) toast(found.warnings.join(" "));
}

async function figure(store, name, format) {
  download(`${called(store)}-${name}.${format}`, await askFile("figure", { ...withScores(store.now, question(store.now)), figure: name, format, palette: palette() }));
}

async function openExample(name) {
  start({ graph: await get(`examples/${encodeURIComponent(name)}`), name, example: name });
}

/** One file in any format, or the two tables of a CSV graph. */
function openFiles(list) {
  closeMenus();
  return telling((message) => fail(`The file was not opened. ${message}`), async () => {
    const files = await Promise.all(list.slice(0, 2).map(text));
    const found = await ask("read", { files });
    if (found.warnings.length) toast(found.warnings.join(" "));
    const addresses = Object.keys(found.graphs), name = files[0].name;
    if (addresses.length === 1) start({ graph: found.graphs[addresses[0]], name });
    else choose(found.graphs, name);
  });
}

async function text(file) {
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    throw new Refused(`${file.name} is not UTF-8 text`);
  }
}

/** A file with many graphs: which one? */
function choose(graphs, name) {
  const dialog = h("dialog", { className: "choice", "aria-label": "Which graph?" }, h("h2", {}, `${name} holds ${Object.keys(graphs).length} graphs`),
    h("div", { className: "body" }, ...Object.keys(graphs).map((address) => h("button", { onclick: () => {
      dialog.remove();
      start({ graph: graphs[address], name: `${name}#${address}` });
    } }, address))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
