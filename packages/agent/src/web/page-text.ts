// Converts a page into text for a model, by its type and encoding, and without invisible characters. Refuses content that
// is not text.

import { err, ok, type Result } from '@plugboard/base';
import type { PageAnswer } from '@plugboard/host';
import { cleanedText } from '@plugboard/host/decisions';
import { htmlToMarkdown } from './html-markdown.ts';

export interface PageText {
  readonly title: string;
  readonly text: string;
  /** Whether only the beginning was converted. */
  readonly isCut: boolean;
}

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/u;
const TEXT =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|toml)|application\/(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|ndjson|jsonlines|sh|sql|graphql))$/u;

/** The error says in words why the page cannot be read. */
export async function pageText(page: PageAnswer): Promise<Result<PageText, string>> {
  const { bytes, contentType, url } = page;
  const [stated = ''] = contentType.toLowerCase().split(';');
  const type = stated.trim() === '' ? guessedType(bytes) : stated.trim();
  if (!HTML.test(type) && !TEXT.test(type)) {
    const name = /^[\w.+/-]{1,60}$/u.test(type) ? type : 'of a type that is not known';
    return err(`it is ${name}, and only text can be read`);
  }
  const text = decoded(bytes, contentType, type);
  const read = HTML.test(type)
    ? await htmlToMarkdown(text, url)
    : { title: '', text, isCut: false };
  return ok({
    ...read,
    title: cleanedText(read.title).text,
    text: cleanedText(read.text).text,
  });
}

function guessedType(bytes: Uint8Array): string {
  if (bytes.subarray(0, 4096).includes(0)) return 'application/octet-stream';
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 512)).trimStart();
  return /^<(?:!doctype html|html|head|body)\b/iu.test(start) ? 'text/html' : 'text/plain';
}

/** The encoding is that of the byte order mark, the server's header or the page itself; otherwise UTF-8. */
function decoded(bytes: Uint8Array, contentType: string, type: string): string {
  const header = /charset\s*=\s*"?([\w.:-]+)/iu.exec(contentType)?.[1];
  const own = /html|xml/u.test(type) ? encodingInside(bytes) : undefined;
  const decoder = decoderFor(markedEncoding(bytes) ?? header ?? own);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Like browsers for a page that states no encoding and is not UTF-8.
    return new TextDecoder(HTML.test(type) ? 'windows-1252' : 'utf-8').decode(bytes);
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** `<meta charset>`, or the first line of XML. */
function encodingInside(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return /<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)/iu.exec(
    start,
  )?.[1];
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // Unknown encoding.
    return undefined;
  }
}
