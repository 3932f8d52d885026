// Splits the result of a server into parts to show: text, tables, pictures, sounds, resources, trees. Everything in it is
// hostile: a part says what may be drawn, and a media type is accepted only if the bytes match it. Pure.

import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import { type Media, mediaOf } from './media.ts';
import { type Table, tableOf } from './table.ts';

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tree'; readonly value: Json; readonly table: Table | undefined }
  | { readonly kind: 'media'; readonly media: Media }
  /** Data that is not shown, and why. */
  | { readonly kind: 'data'; readonly type: string; readonly size: number; readonly reason: string }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string | undefined;
      readonly description: string | undefined;
      readonly type: string | undefined;
    }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly type: string | undefined;
      readonly content: Part;
    };

/** Parts with a common title, such as the role of a prompt message. */
export interface PartGroup {
  readonly title: string | undefined;
  readonly parts: readonly Part[];
}

export interface SplitResult {
  readonly isError: boolean;
  readonly groups: readonly PartGroup[];
  /** The number of parts beyond the maximum. */
  readonly hidden: number;
}

const MOST_PARTS = 500;
const JSON_LIMITS = { maxLength: 4 * 1024 * 1024, maxDepth: 200 };

export function splitResult(result: JsonObject): SplitResult {
  const groups = groupsOf(result);
  const shown: PartGroup[] = [];
  let left = MOST_PARTS;
  let hidden = 0;
  for (const group of groups) {
    const parts = group.parts.slice(0, left);
    left -= parts.length;
    hidden += group.parts.length - parts.length;
    if (parts.length > 0 || group.parts.length === 0) shown.push({ ...group, parts });
  }
  return { isError: result['isError'] === true, groups: shown, hidden };
}

function groupsOf(result: JsonObject): readonly PartGroup[] {
  if (Array.isArray(result['content']) || result['structuredContent'] !== undefined) {
    return toolGroups(result);
  }
  if (Array.isArray(result['contents'])) {
    return [{ title: undefined, parts: listIn(result, 'contents').map(resourcePart) }];
  }
  if (Array.isArray(result['messages'])) return promptGroups(result);
  return [{ title: undefined, parts: [treePart(result)] }];
}

function toolGroups(result: JsonObject): readonly PartGroup[] {
  const structured = result['structuredContent'];
  const content = listIn(result, 'content');
  // Servers repeat structured content as text for old clients. Show it once.
  const repeated = structured === undefined ? undefined : canonicalJson(structured);
  const isRepeated = (block: Json): boolean => {
    const value = jsonIn(textIn(block, 'text') ?? '');
    return repeated !== undefined && value !== undefined && canonicalJson(value) === repeated;
  };
  const parts = content.filter((block) => !isRepeated(block)).map(blockPart);
  const groups: PartGroup[] = parts.length > 0 ? [{ title: undefined, parts }] : [];
  if (structured !== undefined) {
    groups.push({ title: 'Structured content', parts: [treePart(structured)] });
  }
  return groups;
}

function promptGroups(result: JsonObject): readonly PartGroup[] {
  const description = textIn(result, 'description');
  const about: PartGroup[] =
    description === undefined
      ? []
      : [{ title: undefined, parts: [{ kind: 'text', text: description }] }];
  const messages = listIn(result, 'messages').map((message): PartGroup => {
    const content = isObject(message) ? message['content'] : undefined;
    const blocks = Array.isArray(content) ? (content as readonly Json[]) : [content ?? null];
    return { title: textIn(message, 'role') ?? 'message', parts: blocks.map(blockPart) };
  });
  return [...about, ...messages];
}

function blockPart(block: Json): Part {
  const type = textIn(block, 'type');
  if (type === 'text') return textPart(textIn(block, 'text') ?? '');
  if (type === 'image' || type === 'audio') {
    return dataPart(textIn(block, 'data') ?? '', textIn(block, 'mimeType') ?? '');
  }
  if (type === 'resource_link') {
    return {
      kind: 'link',
      uri: textIn(block, 'uri') ?? '',
      name: textIn(block, 'title') ?? textIn(block, 'name'),
      description: textIn(block, 'description'),
      type: textIn(block, 'mimeType'),
    };
  }
  if (type === 'resource' && isObject(block)) return resourcePart(block['resource'] ?? null);
  return treePart(block);
}

function resourcePart(resource: Json): Part {
  const type = textIn(resource, 'mimeType');
  const text = textIn(resource, 'text');
  const data = textIn(resource, 'blob');
  const uri = textIn(resource, 'uri') ?? '';
  if (text !== undefined) return { kind: 'resource', uri, type, content: textPart(text) };
  if (data !== undefined)
    return { kind: 'resource', uri, type, content: dataPart(data, type ?? '') };
  return treePart(resource);
}

/** Text that is a JSON object or list is shown as a tree. */
function textPart(text: string): Part {
  const value = jsonIn(text);
  return value === undefined ? { kind: 'text', text } : treePart(value);
}

function jsonIn(text: string): Json | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const parsed = parseJson(text, JSON_LIMITS);
  return parsed.ok ? parsed.value : undefined;
}

function treePart(value: Json): Part {
  return { kind: 'tree', value, table: tableOf(value) };
}

function dataPart(data: string, type: string): Part {
  const found = mediaOf(data, type);
  return found.ok ? { kind: 'media', media: found.value } : { kind: 'data', ...found.error };
}

function textIn(value: Json, key: string): string | undefined {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function listIn(value: JsonObject, key: string): readonly Json[] {
  const found = value[key];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}
