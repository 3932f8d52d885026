// Text from servers and files may hold sequences that move the cursor, clear the screen, or turn the
// direction of writing. What is shown to a person holds none of them.

import { cutTo } from './width.ts';

/** Escape sequences as a whole, so that their tails do not stay behind as noise. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu;
/**
 * C0 but tab and newline, DEL, C1, line ends that only some programs know, and the marks that reorder or hide text, but
 * for the one that makes a sign an emoji.
 */
const CONTROLS =
  /(?!\uFE0F)[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

export function sanitise(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ESCAPES, '').replaceAll(CONTROLS, '');
}

/** The same on one line, cut to so many columns. */
export function oneLine(text: string, columns: number = Number.POSITIVE_INFINITY): string {
  return cutTo(sanitise(text).replaceAll(/\s+/gu, ' ').trim(), columns);
}

/** For text that is JSON: the same document, with nothing in it that a terminal would act on. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) => units(character).map(unicodeEscape).join(''));
}

function units(character: string): readonly number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
