// The few helpers that touch the document. Text is always text: nothing here takes markup, except `drawing`, which
// parses the SVG of our own server as XML and takes no element that could run anything.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. A control is explained by its title, else by its label. */
export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list" && key !== "form") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  if (made.matches("button, input, select") && !made.title) made.title = props["aria-label"] ?? "";
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element of SVG with attributes. */
export function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const INERT = new Set(["svg", "g", "path", "rect", "text", "tspan", "title", "desc", "circle", "line", "polygon", "defs"]);

/** The SVG in a text, as an element of this document. */
export function drawing(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("the picture could not be read");
  for (const each of [...root.querySelectorAll("*")]) {
    if (!INERT.has(each.localName)) each.remove();
    for (const { name } of [...each.attributes]) if (/^on|href$/i.test(name)) each.removeAttribute(name);
  }
  return document.importNode(root, true);
}

const raised = (power) => power.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

/** Write a number exactly as `qontrast.show.numbers.number` does; null, which stands for undefined, is ⊥. */
export function formatNumber(value, sign = false, digits = 3) {
  if (value === null || value === undefined) return "⊥";
  if (value === 0) return "0";
  const size = Math.abs(value), before = value < 0 ? "−" : sign ? "+" : "";
  if (size >= 0.5 * 10 ** -digits) return before + fixed(size, digits);
  if (size >= 1e-5) return before + fixed(size, 1 - Math.floor(Math.log10(size)));
  return before + size.toExponential(1).replace("e-", "·10⁻").replace(/⁻.*/, raised);
}

const GOOD_DIGITS = 12; // of a computed number: its last bit does not choose 0.062 or 0.063

/** So many decimals of a number that is 0 or more, exactly as `qontrast.show.numbers.fixed` writes them. */
export const fixed = (size, digits) => roundToEven(Number(roundToEven(size, Math.max(digits, GOOD_DIGITS))), digits);

/** Like toFixed, but a tie is rounded to the even digit, as Python does. */
function roundToEven(size, digits) {
  const exact = size.toFixed(100), end = exact.indexOf(".") + 1 + digits;
  const isTie = /^50*$/.test(exact.slice(end));
  return isTie && Number(exact[end - 1]) % 2 === 0 ? exact.slice(0, end) : size.toFixed(digits);
}

// control characters, surrogates, characters of no width, marks of direction, fillers: HIDDEN of qontrast.graph.labels
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu;
const JOINERS = "\u200c\u200d\ufe0f";
const JOINED = /^[\u0600-\u0dff\u1000-\u109f\u2190-\u2bff\ufe0f\u{1f000}-\u{1faff}]/u;
const SHORT_ESCAPES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Write a text so that all of it can be seen, exactly as `qontrast.graph.labels.visible` does. */
export function visible(text) {
  const seen = text.replace(HIDDEN, (char, at) => {
    const before = [...text.slice(0, at)].at(-1) ?? "", after = text.slice(at + char.length);
    const joins = JOINERS.includes(char) && JOINED.test(before) && (char === "\ufe0f" || JOINED.test(after));
    return joins ? char : escapeCharacter(char);
  });
  return seen.trim() ? seen : `“${seen}”`;
}

function escapeCharacter(char) {
  const code = char.codePointAt(0), [letter, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return SHORT_ESCAPES[char] ?? `\\${letter}${code.toString(16).padStart(width, "0")}`;
}

/** Act in the next frame whenever an element has another size; the browser reports an error if that changes the size again at once. */
export function onResize(element, action) { new ResizeObserver(() => requestAnimationFrame(action)).observe(element); }

/** Close the menus, but not the one that an element is in. */
export function closeMenus(inside = null) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(inside)) menu.open = false;
}

/** A message that goes away by itself. */
export function toast(text) {
  dress();
  const place = $("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { place.hidden = true; }, 4500);
}

/** The styles of what is not on the page from the start. */
export function dress(file = "more.css") {
  if (!document.querySelector(`link[href="/static/${file}"]`)) document.head.append(h("link", { rel: "stylesheet", href: `/static/${file}` }));
}
