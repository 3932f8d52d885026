// Adds colour to output for people.

import type { Output } from '../terminal.ts';

const CODES = { red: 31, yellow: 33, bold: 1, dim: 2 } as const;

export function paint(output: Output, style: keyof typeof CODES, text: string): string {
  return output.hasColour ? `\u001B[${CODES[style]}m${text}\u001B[0m` : text;
}
