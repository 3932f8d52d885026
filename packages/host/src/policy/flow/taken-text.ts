// Finds the pieces of a call's arguments that occur word for word in a text. Bounded. Pure.

import { isObject, type Json, type JsonObject, pointerTo } from '@plugboard/base';

export interface ArgumentText {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly text: string;
}

const MAX_ARGUMENT_TEXT = 64 * 1024;
const MAX_WORDS = 200;

/** Shorter pieces may occur by chance. */
const MIN_PIECE = 16;

/** An address, a mail address, a path or an identifier is distinctive even if it is short. */
const DISTINCTIVE = /^(?:[a-z][a-z0-9+.-]*:\/\/\S{4,}|\S+@\S+\.\S+|~?\/\S{4,}|\S*[\d_]\S{7,})$/iu;

/** All texts in the arguments, including long field names. */
export function textsIn(given: JsonObject): readonly ArgumentText[] {
  const found: ArgumentText[] = [];
  let room = MAX_ARGUMENT_TEXT;
  const visit = (value: Json | undefined, path: string): void => {
    if (room <= 0) return;
    if (typeof value === 'string') {
      found.push({ path, text: value.slice(0, room) });
      room -= value.length;
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries()) {
        visit(item, `${path}/${index}`);
      }
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        const step = path + pointerTo(key);
        if (key.length >= MIN_PIECE) visit(key, step);
        visit(item, step);
      }
    }
  };
  visit(given, '');
  return found;
}

/** A text as it is, and URL-decoded. */
export function spellingsOf(text: string): readonly string[] {
  if (!/%[0-9a-f]{2}|\+/iu.test(text)) return [text];
  try {
    return [text, decodeURIComponent(text.replaceAll('+', ' '))];
  } catch {
    return [text];
  }
}

/** The longest runs of words of `text` that occur in `source`. */
export function commonPieces(text: string, source: string): readonly string[] {
  if (source === '') return [];
  const words = Array.from(text.matchAll(/[^\s"'<>()[\]{}?&=,]+/gu), ({ index, 0: word }) => ({
    start: index,
    // Without punctuation after the word.
    end: index + word.replace(/[.,;:!]+$/u, '').length,
  })).slice(0, MAX_WORDS);
  const found: string[] = [];
  let piece: { readonly start: number; readonly end: number } | undefined;
  const finish = (): void => {
    if (piece === undefined) return;
    const taken = text.slice(piece.start, piece.end);
    if (taken.length >= MIN_PIECE || DISTINCTIVE.test(taken)) found.push(taken);
    piece = undefined;
  };
  for (const word of words) {
    const longer = { start: piece?.start ?? word.start, end: word.end };
    if (source.includes(text.slice(longer.start, longer.end))) {
      piece = longer;
      continue;
    }
    finish();
    if (source.includes(text.slice(word.start, word.end))) piece = word;
  }
  finish();
  return found;
}
