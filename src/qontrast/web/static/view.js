// How the picture of the graph is looked at: wheel, pinch, buttons and keys zoom it, dragging and scrolling pan it, and
// a small map shows where one is. The picture is as large as its scale says, in a card that scrolls.

import { $, h, shape } from "./dom.js";

const SIZES = [11.5, 12, 13]; // of the type in a picture
const SMALLEST_TYPE = 11; // pixels on the screen
const READABLE = 0.96; // the scale at which all of it can be read
const LARGEST_AT_FIRST = 1.5, SMALLEST = 0.02, LARGEST = 4;
const STEP = 1.25; // of a button or key
let scale = null, home = "", map = null, pinched = null, foot = null;

const picture = () => $("graph").querySelector("svg");

/** The scale at which all of the picture is in the card. */
function fitting(svg) {
  const { width, height } = svg.viewBox.baseVal, card = $("graph");
  const across = (card.clientWidth - 14) / width;
  return innerWidth < 1000 ? across : Math.min(across, (card.clientHeight - 6) / height);
}

/** The scale of the picture when it is opened: all of it where its texts can be read then. */
const first = (svg) => Math.max(READABLE, Math.min(fitting(svg), LARGEST_AT_FIRST));

/** Draw at a scale; the point at (x, y) of the window, the middle of the card if not given, stays where it is. */
export function zoom(to, x, y) {
  const svg = picture(), card = $("graph").getBoundingClientRect();
  if (!svg) return;
  x ??= card.x + card.width / 2;
  y ??= card.y + card.height / 2;
  const before = svg.getBoundingClientRect();
  scale = Math.max(Math.min(SMALLEST, fitting(svg)), Math.min(LARGEST, to));
  resize(svg);
  const after = svg.getBoundingClientRect(), along = before.width ? after.width / before.width : 1;
  $("graph").scrollBy(after.x + (x - before.x) * along - x, after.y + (y - before.y) * along - y);
  showMap();
}

function resize(svg) {
  const { width, height } = svg.viewBox.baseVal;
  svg.style.width = `${Math.floor(width * scale)}px`;
  svg.style.height = `${Math.floor(height * scale)}px`;
  $("graph").dataset.far = SIZES.filter((size) => size * scale < SMALLEST_TYPE).join(" "); // texts that would be too small are not shown
}

/** Where one looks: the scale and the place. */
const look = () => `${scale} ${$("graph").scrollLeft} ${$("graph").scrollTop}`;

/** Bring the picture to its first scale, with fact and foil in view. */
export function goHome() {
  const svg = picture();
  if (!svg) return;
  scale = first(svg);
  resize(svg);
  const card = $("graph").getBoundingClientRect(), topics = ["fact", "foil"].map((role) => svg.querySelector(`.qx-${role}-node`)?.getBoundingClientRect());
  for (const [side, size, by] of [["x", "width", "left"], ["y", "height", "top"]]) {
    const there = topics.filter(Boolean);
    if (!there.length) break;
    const from = Math.min(...there.map((each) => each[side])), to = Math.max(...there.map((each) => each[side] + each[size]));
    // both in the middle; where they are too far apart for the card, the fact
    const [low, high] = to - from <= card[size] ? [from, to] : [there[0][side], there[0][side] + there[0][size]];
    $("graph").scrollBy({ [by]: (low + high) / 2 - card[side] - card[size] / 2 });
  }
  home = look();
  showMap();
}

/** All of the picture, however small. */
function showAll() {
  const svg = picture();
  if (!svg) return;
  zoom(Math.min(fitting(svg), innerWidth < 1000 ? Infinity : LARGEST_AT_FIRST));
}

/** After the picture has been drawn anew: at the same scale and place, or from the beginning for another question. */
export function keepView(isNew, { scrollLeft, scrollTop }) {
  const svg = picture();
  if (!svg) return;
  if (isNew || scale === null) { goHome(); return; }
  resize(svg);
  Object.assign($("graph"), { scrollLeft, scrollTop });
  showMap();
}

/** The card has another size: a picture that nobody has moved is shown as at first. */
export function fitPicture() {
  if (!picture()) return;
  if (look() === home) goHome(); else showMap();
}

// -- the map

const MAP_WIDTH = 150, MAP_HEIGHT = 64; // at most, in pixels
const MOSTLY = 0.4, ALMOST_ALL = 0.55; // of a picture: there is a map where less is in view, until as much is

/** A small map with the part that is in view, where not all of the picture is. */
function showMap() {
  const svg = picture(), card = $("graph");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  map ??= makeMap();
  const part = Math.min(1, card.clientWidth / card.scrollWidth) * Math.min(1, card.clientHeight / card.scrollHeight);
  const isPart = part < (map.place.hasAttribute("hidden") ? MOSTLY : ALMOST_ALL); // the map takes room from the card: it must not flicker
  map.place.toggleAttribute("hidden", !isPart);
  if (!isPart) return;
  if (map.of !== svg) drawMap(svg, Math.min(MAP_WIDTH / width, MAP_HEIGHT / height), width, height);
  const own = svg.getBoundingClientRect(), there = card.getBoundingClientRect(), by = map.size / scale;
  const x = Math.max(0, (there.x - own.x) * by), y = Math.max(0, (there.y - own.y) * by);
  const seen = { x, y, width: Math.min(width * map.size - x, there.width * by), height: Math.min(height * map.size - y, there.height * by) };
  for (const [key, value] of Object.entries(seen)) map.seen.setAttribute(key, Math.max(0, value));
}

function makeMap() {
  const seen = shape("rect", { class: "seen" }), boxes = shape("path", { class: "boxes" }), fact = shape("path", { class: "qx-fact" }), foil = shape("path", { class: "qx-foil" });
  const place = shape("svg", { id: "map", "aria-hidden": true, hidden: "" });
  place.append(boxes, fact, foil, seen);
  const go = (event) => {
    if (!event.buttons) return;
    event.preventDefault();
    const own = place.getBoundingClientRect(), card = $("graph"), part = scale / map.size;
    card.scrollTo((event.clientX - own.x) * part - card.clientWidth / 2, (event.clientY - own.y) * part - card.clientHeight / 2);
  };
  place.onpointerdown = (event) => { place.setPointerCapture(event.pointerId); go(event); };
  place.onpointermove = go;
  foot.prepend(place);
  $("graph").addEventListener("scroll", showMap, { passive: true });
  return { place, seen, boxes, fact, foil };
}

function drawMap(svg, size, width, height) {
  Object.assign(map, { of: svg, size });
  Object.entries({ width: width * size, height: height * size }).forEach(([key, value]) => map.place.setAttribute(key, Math.ceil(value)));
  const { e: dx, f: dy } = svg.querySelector("g[transform]").transform.baseVal.consolidate().matrix;
  const paths = { boxes: "", fact: "", foil: "" };
  for (const node of svg.querySelectorAll(".qx-node")) {
    const [x, y, w, tall] = ["x", "y", "width", "height"].map((key) => Number(node.querySelector("rect").getAttribute(key)));
    const role = ["fact", "foil"].find((each) => node.classList.contains(`qx-${each}-node`)) ?? "boxes";
    const wide = Math.max(1, w * size), high = Math.max(1, tall * size);
    paths[role] += `M${(x + dx) * size} ${(y + dy) * size}h${wide}v${high}h${-wide}z`;
  }
  for (const [key, d] of Object.entries(paths)) map[key].setAttribute("d", d);
}

// -- hands

const isWide = () => matchMedia("(min-width: 1000px) and (min-height: 600px)").matches; // the page itself does not scroll

function onWheel(event) {
  if (!event.ctrlKey && (!isWide() || event.shiftKey)) return; // the page, or the card, scrolls
  event.preventDefault();
  const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
  zoom(scale * 1.0015 ** -Math.max(-400, Math.min(400, event.ctrlKey ? 4 * pixels : pixels)), event.clientX, event.clientY);
}

const spread = ([a, b]) => ({ far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });

/** Two fingers zoom; one pans, which the browser does by itself. */
function onTouch(event) {
  if (event.touches.length !== 2) { pinched = null; return; }
  if (event.cancelable) event.preventDefault(); // not while the browser pans
  const { far, x, y } = spread(event.touches);
  if (pinched) {
    $("graph").scrollBy(pinched.x - x, pinched.y - y);
    zoom(pinched.scale * far / pinched.far, x, y);
    Object.assign(pinched, { x, y });
  } else pinched = { far, x, y, scale };
}

/** A mouse drags the paper; what has an argument or edge under it is left to them. */
function onDrag(event) {
  if (event.pointerType === "touch" || event.button !== 0 || event.target.closest("[data-name], [role=button]")) return;
  const card = $("graph");
  let { clientX: x, clientY: y } = event;
  const move = (now) => {
    card.scrollBy(x - now.clientX, y - now.clientY);
    ({ clientX: x, clientY: y } = now);
    card.classList.add("dragged");
  };
  const end = () => {
    card.classList.remove("dragged");
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const acts = { "+": () => zoom(scale * STEP), "=": () => zoom(scale * STEP), "-": () => zoom(scale / STEP), 0: goHome, 1: showAll };
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
}

/** Buttons and the map below the picture, and what wheel, fingers, mouse and keys do. */
export function startView() {
  const card = $("graph"), button = (id, text, title, onclick) => h("button", { id, title, "aria-label": title, onclick }, text);
  const legend = $("draw").closest("p");
  foot = h("div", { className: "foot" });
  legend.replaceWith(foot);
  foot.append(legend);
  const draw = $("draw"), tools = h("span", { className: "tools" });
  draw.replaceWith(tools);
  tools.append(h("span", { id: "zoom", role: "group", "aria-label": "Zoom" },
    button("zoom-in", "+", "Zoom in (key +)", () => zoom(scale * STEP)),
    button("zoom-out", "−", "Zoom out (key −)", () => zoom(scale / STEP)),
    button("zoom-home", "Fit", "Fact and foil, in readable size (key 0)", goHome),
    button("zoom-all", "All", "All of the picture, however small (key 1)", showAll)), draw);
  card.tabIndex = 0;
  card.setAttribute("role", "group");
  card.setAttribute("aria-label", "Picture of the graph: + and − zoom, arrows pan, 0 brings fact and foil back, 1 fits all of it");
  card.addEventListener("wheel", onWheel, { passive: false });
  for (const type of ["touchstart", "touchmove", "touchend"]) card.addEventListener(type, onTouch, { passive: false });
  card.addEventListener("pointerdown", onDrag);
  card.closest("section").addEventListener("keydown", onKey);
}
