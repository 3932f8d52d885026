// Describes the scanner's findings in a result for a note. Only dangers are reported: a result, unlike a
// definition, may be a page about anything. The found text is not quoted, since it would then be text of
// the host. Pure.

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

/** Programs colour their output, and the output of a shell is full of such sequences. */
const COLOURS = /\u001B\[[\d;]{0,20}[mK]/g;

function withoutColours(text: string): string {
  return text.includes('\u001B[') ? text.replaceAll(COLOURS, '') : text;
}
