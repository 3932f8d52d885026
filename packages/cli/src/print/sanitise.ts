// Text from servers and files may hold sequences that move the cursor, clear the screen, or turn the
// direction of writing. What is shown to a person holds none of them.

/** Escape sequences as a whole, so that their tails do not stay behind as noise. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu;
/** C0 but tab and newline, DEL, C1, and the marks that reorder or hide text. */
const CONTROLS =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

export function sanitise(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ESCAPES, '').replaceAll(CONTROLS, '');
}

/** The same on one line, cut to `length`. */
export function oneLine(text: string, length: number): string {
  const line = sanitise(text).replaceAll(/\s+/gu, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, Math.max(0, length - 1))}…`;
}
