// Text from servers and files may hold sequences that move the cursor, clear the screen, or turn the
// direction of writing. What is shown to a person holds none of them.

import { cutTo } from './width.ts';

/** Escape sequences as a whole, so that their tails do not stay behind as noise. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu;
/** C0 but tab and newline, DEL, C1, and the marks that reorder or hide text. */
const CONTROLS =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

export function sanitise(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ESCAPES, '').replaceAll(CONTROLS, '');
}

/** The same on one line, cut to so many columns. */
export function oneLine(text: string, columns: number = Number.POSITIVE_INFINITY): string {
  return cutTo(sanitise(text).replaceAll(/\s+/gu, ' ').trim(), columns);
}

/** For text that is JSON: the same document, with nothing in it that a terminal would act on. */
export function escapeControls(json: string): string {
  return json.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
