// Removes sequences that move the cursor, clear the screen, or change the direction of writing from text of servers and
// files, before a person sees it.

import { cutTo } from './width.ts';

/** Whole escape sequences, so that no part of one stays visible. */
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/gu;
/**
 * C0 except tab and newline, DEL, C1, Unicode line separators, and marks that reorder or hide text, except the variation
 * selector for emoji.
 */
const CONTROLS =
  /(?!\uFE0F)[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

export function sanitise(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ESCAPES, '').replaceAll(CONTROLS, '');
}

/** The sanitised text on one line, cut to `columns`. */
export function oneLine(text: string, columns: number = Number.POSITIVE_INFINITY): string {
  return cutTo(sanitise(text).replaceAll(/\s+/gu, ' ').trim(), columns);
}

/** Escapes terminal sequences in JSON. The document stays the same. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) => units(character).map(unicodeEscape).join(''));
}

function units(character: string): readonly number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
