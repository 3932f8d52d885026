// Shortens text of a server for a model: to the length that other hosts use too, cut between characters and with
// a mark at the cut, so that a part is not mistaken for the whole.

import { cutPoint } from '@plugboard/base';

/** In UTF-16 units. */
const MAX_MODEL_TEXT = 2048;
const MARK = '… [cut]';

/** Cuts the text to the limit, which includes the mark. */
export function cappedText(text: string): string {
  if (text.length <= MAX_MODEL_TEXT) return text;
  return text.slice(0, cutPoint(text, MAX_MODEL_TEXT - MARK.length)) + MARK;
}

/** The text for the model, and the whole text if it was cut. */
export function modelText<Key extends string>(
  text: string,
  wholeKey: Key,
): { readonly text: string; readonly whole: { readonly [K in Key]?: string } } {
  const capped = cappedText(text);
  // TypeScript infers an index signature for a computed key.
  const whole = (capped === text ? {} : { [wholeKey]: text }) as { readonly [K in Key]?: string };
  return { text: capped, whole };
}
