// Turns a server's content into parts. Nothing is lost and nothing is said twice: servers are asked
// to repeat structured content as text for old clients, and that twin is dropped. Where the structured
// content only wraps a text, it is the twin.

import { isObject, type Json } from '@plugboard/base';
import type { ContentBlock, ToolResult } from '../protocol/index.ts';
import type { Part } from './part.ts';

export function toParts(result: ToolResult): readonly Part[] {
  const { structuredContent, content } = result;
  if (structuredContent === undefined) return content.map(toPart);
  if (wrapsText(structuredContent, content)) return content.map(toPart);
  const others = withoutTwin(content, structuredContent);
  return [...others.map(toPart), { kind: 'structured', value: structuredContent }];
}

/** Blocks that say the same each, or all texts together where the JSON was cut into several. */
function withoutTwin(content: readonly ContentBlock[], structured: Json): readonly ContentBlock[] {
  const others = content.filter(
    (block) => block.type !== 'text' || !isTwin(block.text, structured),
  );
  const texts = others.flatMap((block) => (block.type === 'text' ? block.text : []));
  const isCutUp = texts.length > 1 && others.length === content.length;
  const areTwin = isCutUp && (isTwin(texts.join(''), structured) || areItems(texts, structured));
  return areTwin ? others.filter(({ type }) => type !== 'text') : others;
}

/** Of a tool that returns a text. As JSON it would be harder to read, and longer. */
function wrapsText(structured: Json, content: readonly ContentBlock[]): boolean {
  const text = unwrapped(structured);
  if (typeof text !== 'string') return false;
  return content.some((block) => block.type === 'text' && block.text === text);
}

/** Some servers put into `result` what is no object, as structured content had to be one. */
function unwrapped(structured: Json): Json | undefined {
  const isWrapped = isObject(structured) && Object.keys(structured).length === 1;
  return isWrapped ? structured['result'] : undefined;
}

/** Some servers write the items of a list as a text each. */
function areItems(texts: readonly string[], structured: Json): boolean {
  const list = unwrapped(structured) ?? structured;
  if (!Array.isArray(list) || list.length !== texts.length) return false;
  return list.every(
    (item: Json, index) => item === texts[index] || isTwin(texts[index] ?? '', item),
  );
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
    case 'resource_link': {
      const { uri, name, mimeType } = block;
      return { kind: 'link', uri, name: textIn(name) ?? uri, mimeType: textIn(mimeType) };
    }
    default:
      return block satisfies never;
  }
}

function resourcePart({ resource }: ContentBlock & { readonly type: 'resource' }): Part {
  const text = 'text' in resource ? textIn(resource.text) : undefined;
  return {
    kind: 'resource',
    uri: resource.uri,
    mimeType: textIn(resource.mimeType),
    // One of the two is a text, as was checked; what the other is was not.
    body:
      text === undefined && 'blob' in resource
        ? { kind: 'blob', data: resource.blob }
        : { kind: 'text', text: text ?? '' },
  };
}

/** What a result can do without is not checked when it arrives, and may be anything. */
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isTwin(text: string, structured: Json): boolean {
  const value = unwrapped(structured);
  return saysTheSame(text, structured) || (value !== undefined && saysTheSame(text, value));
}

function saysTheSame(text: string, structured: Json): boolean {
  if (!mayBe(text, structured)) return false;
  try {
    return isSame(JSON.parse(text) as Json, structured);
  } catch {
    // Text that is no JSON says something of its own.
    return false;
  }
}

/** A look at the first letter saves reading most texts. */
function mayBe(text: string, structured: Json): boolean {
  if (typeof structured !== 'object' || structured === null) return true;
  return /^\s*(.)/.exec(text.slice(0, 1000))?.[1] === (Array.isArray(structured) ? '[' : '{');
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
