// Converts a file's bytes to text and back. Keeps a byte order mark apart, and reports what is not UTF-8, since writing
// it back would change bytes that the edit does not concern. Pure.

const BOM = '\uFEFF';

export interface FileText {
  readonly text: string;
  readonly bom: '' | typeof BOM;
}

/** Nothing where it is not text in UTF-8. */
export function decodeFileText(bytes: Uint8Array): FileText | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? { text: text.slice(1), bom: BOM } : { text, bom: '' };
  } catch {
    // So the decoder says that there is a byte which belongs to no character.
    return undefined;
  }
}

export function bytesOf({ text, bom }: FileText): Uint8Array {
  return Buffer.from(bom + text, 'utf8');
}

export function lineCount(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - Number(text.endsWith('\n'));
}
