// Converts a server's content to parts. Nothing is lost and nothing is delivered twice: the protocol asks servers to
// repeat structured content as text for old clients, and that duplicate is dropped. If the structured content only wraps
// the content, the structured content is dropped: `outcome.structured` still has it. Pure.

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
  const others = withoutDuplicate(content, structuredContent);
  return [...others.map(toPart), { kind: 'structured', value: structuredContent }];
}

/** Drops blocks that repeat the structured content, each by itself or all texts together. */
function withoutDuplicate(
  content: readonly ContentBlock[],
  structured: Json,
): readonly ContentBlock[] {
  const others = content.filter(
    (block) => block.type !== 'text' || !isDuplicate(block.text, structured),
  );
  const texts = textsIn(others);
  const isSplit = texts.length > 1 && others.length === content.length;
  const areDuplicate =
    isSplit && (isDuplicate(texts.join(''), structured) || areItems(texts, structured));
  return areDuplicate ? others.filter(({ type }) => type !== 'text') : others;
}

/**
 * The content, if the structured content only wraps its text: the text is shorter and easier to read than the JSON. If the
 * two texts differ in the last line break, the one with the line break is kept.
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
  const isSplit = texts.length > 1 && ['', '\n'].some((glue) => texts.join(glue) === wrapped);
  return isSplit ? content : undefined;
}

function isLike(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 2) return false;
  return left === right || withoutLastBreak(left) === withoutLastBreak(right);
}

function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, text.endsWith('\r\n') ? -2 : -1) : text;
}

/** Some servers also put their content blocks into the structured content, which would deliver images twice. */
function repeatsBlocks(wrapped: readonly Json[], content: readonly ContentBlock[]): boolean {
  if (wrapped.length === 0 || wrapped.length !== content.length) return false;
  // A block is JSON as received; its type names only the checked fields.
  return wrapped.every((item, index) => isSame(item, content[index] as unknown as Json));
}

/** The only value of an object: structured content had to be an object, so servers wrap other values. */
function unwrapped(structured: Json): Json | undefined {
  if (!isObject(structured)) return undefined;
  const values = Object.values(structured);
  return values.length === 1 ? values[0] : undefined;
}

/** Some servers write each item of a list as its own text. */
function areItems(texts: readonly string[], structured: Json): boolean {
  const list = unwrapped(structured) ?? structured;
  if (!Array.isArray(list) || list.length !== texts.length) return false;
  return list.every(
    (item: Json, index) => item === texts[index] || isDuplicate(texts[index] ?? '', item),
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
    // It was checked that one of the two is a text; the other was not checked.
    body:
      text === undefined && 'blob' in resource
        ? { kind: 'blob', data: resource.blob }
        : { kind: 'text', text: text ?? '' },
  };
}

/** Optional members of a result are not checked on arrival, and may be anything. */
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isDuplicate(text: string, structured: Json): boolean {
  const value = unwrapped(structured);
  return saysTheSame(text, structured) || (value !== undefined && saysTheSame(text, value));
}

function saysTheSame(text: string, structured: Json): boolean {
  if (!mayEqual(text, structured)) return false;
  try {
    return isSame(JSON.parse(text) as Json, structured);
  } catch {
    // Text that is not JSON is not a duplicate.
    return false;
  }
}

/** Checks the first character, which avoids parsing most texts. */
function mayEqual(text: string, structured: Json): boolean {
  if (typeof structured !== 'object' || structured === null) return true;
  return /^\s*(.)/.exec(text.slice(0, 1000))?.[1] === (Array.isArray(structured) ? '[' : '{');
}

/** Equal as JSON: the order of keys does not matter. */
function isSame(left: Json, right: Json): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}
