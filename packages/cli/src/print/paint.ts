// Colour, only where a person sees it.

import type { Terminal } from '../terminal.ts';

const CODES = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

export function paint(terminal: Terminal, style: keyof typeof CODES, text: string): string {
  return terminal.hasColour ? `\u001B[${CODES[style]}m${text}\u001B[0m` : text;
}
