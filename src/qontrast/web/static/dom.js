// The few helpers that touch the document. Text is always text: nothing here takes markup, except `drawing`, which
// parses the SVG of our own server as XML and takes no element that could run anything.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. */
export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list" && key !== "form") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
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

/** A number as the answer writes it: three decimals, a real minus, a tie for what is none. */
export function shown(value, sign = false) {
  if (value === null || value === undefined) return "⊥";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = size >= 5e-4 ? size.toFixed(3) : size >= 1e-5 ? size.toPrecision(2) : size.toExponential(1).replace("e-", "·10⁻").replace(/⁻.*/, raised);
  return (value < 0 ? "−" : sign ? "+" : "") + digits;
}

/** A message that goes away by itself. */
export function toast(text) {
  const place = $("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { place.hidden = true; }, 4500);
}

/** Hand a file to the user. */
export function download(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The styles of what is not on the page from the start. */
export function dress() {
  if (!document.querySelector('link[href="/static/more.css"]')) document.head.append(h("link", { rel: "stylesheet", href: "/static/more.css" }));
}
