// Turns a server's content into parts. Nothing is lost and nothing is said twice: servers are asked
// to repeat structured content as text for old clients, and that twin is dropped.

import type { Json } from '@plugboard/base';
import type { ContentBlock, ToolResult } from '../protocol/index.ts';
import type { Part } from './part.ts';

export function toParts(result: ToolResult): readonly Part[] {
  const { structuredContent } = result;
  if (structuredContent === undefined) return result.content.map(toPart);
  const others = result.content.filter((block) => !isTwin(block, structuredContent));
  return [...others.map(toPart), { kind: 'structured', value: structuredContent }];
}

function toPart(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { kind: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource':
      return resourcePart(block);
    case 'resource_link':
      return { kind: 'link', uri: block.uri, name: block.name, mimeType: block.mimeType };
    default:
      return block satisfies never;
  }
}

function resourcePart({ resource }: ContentBlock & { readonly type: 'resource' }): Part {
  return {
    kind: 'resource',
    uri: resource.uri,
    mimeType: resource.mimeType,
    body:
      'text' in resource
        ? { kind: 'text', text: resource.text }
        : { kind: 'blob', data: resource.blob },
  };
}

function isTwin(block: ContentBlock, structured: Json): boolean {
  if (block.type !== 'text') return false;
  try {
    return isSame(JSON.parse(block.text) as Json, structured);
  } catch {
    // Text that is no JSON says something of its own.
    return false;
  }
}

/** Equal as JSON: the order of keys does not matter. */
function isSame(left: Json, right: Json): boolean {
  return left === right || canonical(left) === canonical(right);
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
