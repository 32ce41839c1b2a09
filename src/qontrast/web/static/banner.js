// A banner above the answer: what went wrong, and that it is tried again. Errors of scripts are shown in it too.

const LONGEST = 15; // seconds between two tries
let timer = null, tries = 0, retry = null;

const place = () => document.getElementById("banner");

/** Say what happened; with `again`, do that after 1, 2, 4 … seconds until `clearTrouble`. */
export function showTrouble(message, again = null) {
  const [text, button] = place().children, end = /[.?!]$/.test(message) ? "" : ".";
  const said = `${message[0].toUpperCase()}${message.slice(1)}${end}${again ? " What you see is the last answer. It is asked for again by itself." : ""}`;
  if (text.textContent !== said) text.textContent = said; // said once, not after every try
  place().hidden = false;
  button.hidden = !again;
  clearTimeout(timer);
  retry = again;
  if (again) timer = setTimeout(tryAgain, 1000 * Math.min(LONGEST, 2 ** tries));
}

function tryAgain() {
  clearTimeout(timer);
  tries += 1;
  retry?.();
}

/** All is well again. */
export function clearTrouble() {
  clearTimeout(timer);
  [tries, retry] = [0, null];
  place().hidden = true;
}

function showError(error) {
  if (error?.name === "AbortError" || retry) return; // a question that a newer one replaced; or the banner says already what is wrong
  if (/dynamically imported module/.test(error?.message)) showTrouble("A part of the page could not be fetched; is the server still running? Try once more when it is");
  else showTrouble(`Something in this page went wrong: ${error?.message ?? error}. What you did is kept; reload the page to go on`);
}

addEventListener("error", (event) => showError(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => showError(event.reason));
addEventListener("online", () => { if (retry) tryAgain(); });
place().children[1].onclick = tryAgain;
place().children[2].onclick = () => { place().hidden = true; };
