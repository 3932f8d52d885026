// Hostile text for property tests, and what of it must never reach a screen.

import * as fc from 'fast-check';

const PIECES = [
  '\u001B[2J',
  '\u001B]8;;https://evil.example\u0007x',
  '\u009B31m',
  '\u0007',
  '\r',
  '\r\n',
  '\t',
  '\u202E',
  '\u2066',
  '\u061C',
  '\u200B',
  '\u00AD',
  '\uFEFF',
  '\u2028',
  '\uD800',
  '\u{E0041}',
  '日本語',
  '👍',
  '👨‍👩‍👧',
  '❤️',
  'é́́',
  '🇩🇪',
  '**',
  '*',
  '_',
  '`',
  '```',
  '~~~ts',
  '# ',
  '> ',
  '- ',
  '1. ',
  '- [ ] ',
  '| a | b |',
  '|--|--|',
  '[x](',
  'https://example.com/a)',
  '![i](x)',
  '<b>',
  '&amp;',
  '---',
  '\n',
  '\n\n',
  '  ',
  '    ',
  'word',
  'averyveryverylongwordwithoutanyspacesinit',
];

export const nastyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''));

/** C0 except newline, DEL, C1, and the characters that reorder or hide text. */
const FORBIDDEN =
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2028\u2029\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;

/** Removes the sequences that the views emit themselves: colours, and links if they are enabled. */
export function withoutStyles(text: string): string {
  return text.replaceAll(/\u001B\[[\d;]*m|\u001B\]8;;[!-~]*\u001B\\/g, '');
}

export function forbiddenIn(text: string): string | undefined {
  return FORBIDDEN.exec(withoutStyles(text))?.[0];
}
