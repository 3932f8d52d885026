// The plain-text reading of parts, for readers that take only text. What is not text is named, with
// its type and size, so that a model knows it was there.

import type { Part } from './part.ts';

export function toText(parts: readonly Part[]): string {
  return parts.map(textOf).join('\n');
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'structured':
      return JSON.stringify(part.value, undefined, 2);
    case 'image':
    case 'audio':
      return `[${part.kind} ${part.mimeType}, ${bytesOf(part.data)} bytes]`;
    case 'link':
      return `[resource ${part.uri}${part.mimeType === undefined ? '' : ` ${part.mimeType}`}]`;
    case 'resource':
      return part.body.kind === 'text'
        ? part.body.text
        : `[resource ${part.uri}, ${bytesOf(part.body.data)} bytes]`;
    default:
      return part satisfies never;
  }
}

/** How many bytes a Base64 text stands for. */
function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
