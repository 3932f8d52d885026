// Decodes the text of a file: as UTF-16 if it has a byte order mark, otherwise as UTF-8, with Latin-1 for lines that are not
// UTF-8. All tools follow this rule, so that they all show the same text. Pure.

import { isUtf8 } from 'node:buffer';

const SNIFFED_BYTES = 8192;
const LINE_FEED = 0x0a;
/** As in browsers, this is Windows-1252, which includes Latin-1. */
const latin = new TextDecoder('latin1');
const utf8 = new TextDecoder();

/** A NUL near the beginning means binary, as for ripgrep and git; UTF-16 contains many, and is text. */
export function isBinaryText(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

export function decodeText(bytes: Uint8Array): string {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  return isUtf8(bytes) ? utf8.decode(bytes) : byLines(bytes);
}

/** One line in the wrong encoding must not spoil the others. */
function byLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed === -1 ? bytes.length : feed + 1;
    const line = bytes.subarray(from, end);
    lines.push(isUtf8(line) ? utf8.decode(line) : latin.decode(line));
    from = end;
  }
  return lines.join('');
}
