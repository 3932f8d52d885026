// Weighs text by its characters other than white space, so that chunks of deeply indented code are not smaller.

export interface Scale {
  /** The number of characters from `start` to `end` that are not white space. */
  weigh(start: number, end: number): number;
}

const SPACE = 32;

export function scaleFor(text: string): Scale {
  const before = new Uint32Array(text.length + 1);
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > SPACE) sum += 1;
    before[at + 1] = sum;
  }
  return { weigh: (start, end) => (before[end] ?? 0) - (before[start] ?? 0) };
}
