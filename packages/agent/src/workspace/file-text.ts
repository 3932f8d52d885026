// Converts a file's bytes to text and back. Separates a byte order mark, and rejects bytes that are not UTF-8, since writing
// them back would change bytes outside of the edit. Pure.

import { decodeUtf8 } from '@plugboard/base';

const BOM = '\uFEFF';

export interface FileText {
  readonly text: string;
  readonly bom: '' | typeof BOM;
}

/** `undefined` if it is not text in UTF-8. */
export function decodeFileText(bytes: Uint8Array): FileText | undefined {
  const text = bytes.includes(0) ? undefined : decodeUtf8(bytes, { byteOrderMark: 'keep' });
  if (text === undefined) return undefined;
  return text.startsWith(BOM) ? { text: text.slice(1), bom: BOM } : { text, bom: '' };
}

export function bytesOf({ text, bom }: FileText): Uint8Array {
  return Buffer.from(bom + text, 'utf8');
}

export function lineCount(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - Number(text.endsWith('\n'));
}
