// Text of a server as a model gets it: limited to the length that every host shows, cut between characters,
// and marked where it is cut, so that a part is not mistaken for the whole.

const MAX_MODEL_TEXT = 2048;
const MARK = '… [cut]';

/** At most so many UTF-16 units, the mark among them. */
export function cappedText(text: string, limit: number = MAX_MODEL_TEXT): string {
  if (text.length <= limit) return text;
  const end = limit - MARK.length;
  return text.slice(0, isInsidePair(text, end) ? end - 1 : end) + MARK;
}

/** The text for the model; beside it the whole, where that is more. */
export function modelText<Key extends string>(
  text: string,
  wholeKey: Key,
): { readonly text: string; readonly whole: { readonly [K in Key]?: string } } {
  const capped = cappedText(text);
  // One computed key: TypeScript sees an index signature there.
  const whole = (capped === text ? {} : { [wholeKey]: text }) as { readonly [K in Key]?: string };
  return { text: capped, whole };
}

function isInsidePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}
