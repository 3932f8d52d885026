// Turns a server's content into parts. Nothing is lost and nothing is delivered twice: the protocol asks servers to
// repeat structured content as text for old clients, and that twin is dropped. Where the structured content only wraps
// what is in the content, the structured content is the twin: `outcome.structured` still has it. Pure.

import { canonicalJson, isObject, type Json } from '@plugboard/base';
import type { ContentBlock, ToolResult } from '../protocol/index.ts';
import type { Part } from './part.ts';

export function toParts(result: ToolResult): readonly Part[] {
  const { structuredContent, content } = result;
  if (structuredContent === undefined) return content.map(toPart);
  const wrapped = unwrapped(structuredContent);
  if (typeof wrapped === 'string') {
    const whole = withText(content, wrapped);
    if (whole !== undefined) return whole.map(toPart);
  }
  if (Array.isArray(wrapped) && repeatsBlocks(wrapped, content)) return content.map(toPart);
  const others = withoutTwin(content, structuredContent);
  return [...others.map(toPart), { kind: 'structured', value: structuredContent }];
}

/** Blocks that say the same each, or all texts together where the JSON was cut into several. */
function withoutTwin(content: readonly ContentBlock[], structured: Json): readonly ContentBlock[] {
  const others = content.filter(
    (block) => block.type !== 'text' || !isTwin(block.text, structured),
  );
  const texts = textsIn(others);
  const isCutUp = texts.length > 1 && others.length === content.length;
  const areTwin = isCutUp && (isTwin(texts.join(''), structured) || areItems(texts, structured));
  return areTwin ? others.filter(({ type }) => type !== 'text') : others;
}

/**
 * The content, where its text is the one that the structured content wraps: as text it is shorter and easier to read
 * than as JSON. Of two texts that differ in the line break at their end, the one that has it stays.
 */
function withText(
  content: readonly ContentBlock[],
  wrapped: string,
): readonly ContentBlock[] | undefined {
  const index = content.findIndex((block) => block.type === 'text' && isLike(block.text, wrapped));
  const found = content[index];
  if (found?.type === 'text') {
    return found.text.length >= wrapped.length
      ? content
      : content.with(index, { ...found, text: wrapped });
  }
  const texts = textsIn(content);
  const isCutUp = texts.length > 1 && ['', '\n'].some((glue) => texts.join(glue) === wrapped);
  return isCutUp ? content : undefined;
}

function isLike(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 2) return false;
  return left === right || withoutLastBreak(left) === withoutLastBreak(right);
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, text.endsWith('\r\n') ? -2 : -1) : text;
}

/** Some servers put their content blocks into the structured content as well: images twice are large. */
function repeatsBlocks(wrapped: readonly Json[], content: readonly ContentBlock[]): boolean {
  if (wrapped.length === 0 || wrapped.length !== content.length) return false;
  // A block is JSON as it came; its type only names the fields that were checked.
  return wrapped.every((item, index) => isSame(item, content[index] as unknown as Json));
}

/** What stands alone in an object: structured content had to be one, so servers wrap what is none. */
function unwrapped(structured: Json): Json | undefined {
  if (!isObject(structured)) return undefined;
  const values = Object.values(structured);
  return values.length === 1 ? values[0] : undefined;
}

/** Some servers write the items of a list as a text each. */
function areItems(texts: readonly string[], structured: Json): boolean {
  const list = unwrapped(structured) ?? structured;
  if (!Array.isArray(list) || list.length !== texts.length) return false;
  return list.every(
    (item: Json, index) => item === texts[index] || isTwin(texts[index] ?? '', item),
  );
}

function textsIn(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? block.text : []));
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
    // Text that is not JSON says something of its own.
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
  return left === right || canonicalJson(left) === canonicalJson(right);
}
