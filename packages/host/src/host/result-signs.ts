// What the scanner finds in a result, in the words of a note. Only what is a danger: a result, unlike a
// definition, may be a page about anything. What was found is not repeated, since it would then be said
// by the host. Pure.

import { type ScanFinding, scanText } from '../policy/index.ts';

export function resultSigns(text: string): readonly string[] {
  return scanText(withoutColours(text)).flatMap(({ check, severity }) =>
    severity === 'danger' ? WORDS[check] : [],
  );
}

const WORDS: Readonly<Record<ScanFinding['check'], string>> = {
  'hidden-characters': 'characters that people do not see',
  'injected-instructions': 'words that are meant for the model',
  'encoded-payload': 'something harmful in an encoding',
  shadowing: 'orders about the tools of another server',
  unread: 'more than can be looked through',
};

/** Programs colour what they print, and a shell's output is full of it. */
const COLOURS = /\u001B\[[\d;]{0,20}[mK]/g;

function withoutColours(text: string): string {
  return text.includes('\u001B[') ? text.replaceAll(COLOURS, '') : text;
}
