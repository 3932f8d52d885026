// Formats parts as plain text, for readers that take only text. Parts that are not text are named with
// their type and size, so that a model knows of them; text of the host is in brackets.

import { bytesOf } from './base64.ts';
import type { Part, SavedFile, StructuredProblem } from './part.ts';
import { shortenText } from './shorten-text.ts';

const MAX_SHOWN_PROBLEMS = 5;
const MAX_SHOWN_WORDS = 500;

export function toText(parts: readonly Part[]): string {
  return parts.map(partText).join('\n');
}

export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'structured':
      return `${JSON.stringify(part.value, undefined, 2)}${problemWords(part.problems)}`;
    case 'image':
    case 'audio':
      return `[${part.kind} ${part.mimeType}, ${bytesOf(part.data)} bytes${inFile(part.file)}]`;
    case 'link':
      return `[resource ${part.uri}${part.mimeType === undefined ? '' : ` ${part.mimeType}`}]`;
    case 'resource':
      return part.body.kind === 'text'
        ? part.body.text
        : `[resource ${short(part.uri)}, ${bytesOf(part.body.data)} bytes${inFile(part.file)}]`;
    case 'note':
      return `[${part.text}]`;
    case 'file':
      return `[${part.about}, ${part.file.bytes} bytes${inFile(part.file)}]`;
    default:
      return part satisfies never;
  }
}

/** For a line of its own below the value. */
export function problemWords(problems: readonly StructuredProblem[] | undefined): string {
  return problems === undefined ? '' : `\n[${problemText(problems)}]`;
}

export function problemText(problems: readonly StructuredProblem[]): string {
  const shown = problems
    .slice(0, MAX_SHOWN_PROBLEMS)
    .map(({ path, message }) => short(`${path} ${message}`.trim()));
  const more = problems.length - shown.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return `The structured result is not what the tool's output schema promises: ${shown.join('; ')}${rest}`;
}

function inFile(file: SavedFile | undefined): string {
  return file === undefined ? '' : `, in the file ${file.path} (id ${file.id})`;
}

function short(words: string): string {
  return shortenText(words, MAX_SHOWN_WORDS);
}
