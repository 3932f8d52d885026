// Reads the scripts of models, and converts the outcomes of their calls into values. Pure.

import type { Json, JsonObject } from '@plugboard/base';
import { type CallOutcome, type CallScript, toModelText } from '../host/index.ts';
import { type Part, toText } from '../output/index.ts';

/** `undefined` if there is no code. */
export function readScript({ code, name }: JsonObject): CallScript | undefined {
  if (typeof code !== 'string' || code.trim() === '') return undefined;
  return { name: plainName(name), code };
}

const LONGEST_NAME = 48;

/** The user reads it when approving a call, so it is one line without special characters. */
function plainName(name: unknown): string {
  if (typeof name !== 'string') return UNNAMED;
  const plain = name
    .replaceAll(/[^\p{L}\p{N} _.-]/gu, '')
    .slice(0, LONGEST_NAME)
    .trim();
  return plain === '' ? UNNAMED : plain;
}

const UNNAMED = 'unnamed';

/** The asker of a script's calls. */
export function scriptAsker({ name }: CallScript): string {
  return `script ${name}`;
}

/** The value for a script: the structured result, the text if it is the only part, or a list of parts. */
export function scriptValue({
  structured,
  parts,
}: Extract<CallOutcome, { readonly kind: 'result' }>): Json {
  if (structured !== undefined) return structured;
  const [first, second] = parts;
  if (first === undefined) return null;
  if (second === undefined && first.kind === 'text') return first.text;
  return parts.map(partValue);
}

export function errorText(outcome: CallOutcome): string {
  const text = outcome.kind === 'tool-error' ? toText(outcome.parts) : toModelText(outcome);
  return text === '' ? 'The tool failed, and gave no reason.' : text;
}

/** Similar to the content of MCP. */
function partValue(part: Part): Json {
  switch (part.kind) {
    case 'image':
    case 'audio':
      return { type: part.kind, data: part.data, mimeType: part.mimeType };
    case 'resource': {
      const { uri, mimeType = null, body } = part;
      const content = body.kind === 'text' ? { text: body.text } : { blob: body.data };
      return { type: 'resource', uri, mimeType, ...content };
    }
    case 'link':
      return { type: 'link', uri: part.uri, name: part.name, mimeType: part.mimeType ?? null };
    case 'structured':
      return { type: 'structured', value: part.value };
    default:
      return { type: 'text', text: toText([part]) };
  }
}
