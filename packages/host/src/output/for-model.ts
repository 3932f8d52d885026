// Converts a part to the form for a model: structured content and JSON texts in the form with the fewest tokens, if that
// saves enough. Nothing is left out. Programs and users get the parts unchanged. Pure.

import type { Json } from '@plugboard/base';
import { estimateTokens } from './estimate-tokens.ts';
import { jsonInText } from './json-in-text.ts';
import type { Part } from './part.ts';
import { tableText } from './table-text.ts';
import { problemWords } from './to-text.ts';

/** How the texts of a result are treated: as data that may be shown in another form, or character by character. */
export type TextKind = 'data' | 'verbatim';

/** The maximum share of tokens that another form may take: a smaller saving is not worth an unfamiliar format. */
const WORTH_IT = 0.8;
/** Shorter texts are not worth converting. */
const LEAST_CHARACTERS = 400;

/**
 * A server that sends structured content has its data there. A tool for files may return the text of a file that a model
 * is about to edit.
 */
export function textKindOf(tool: string, structured: Json | undefined): TextKind {
  return structured !== undefined || /file/i.test(tool) ? 'verbatim' : 'data';
}

export function partForModel(part: Part, texts: TextKind): Part {
  if (part.kind === 'structured') {
    const text = shortest(part.value, JSON.stringify(part.value, undefined, 2), 'any JSON');
    return text === undefined ? part : { kind: 'text', text: text + problemWords(part.problems) };
  }
  if (part.kind !== 'text' || texts === 'verbatim' || part.text.length < LEAST_CHARACTERS) {
    return part;
  }
  const value = jsonInText(part.text);
  const text = value === undefined ? undefined : shortest(value, part.text, 'tables');
  return text === undefined ? part : { kind: 'text', text };
}

/** `undefined` if the text should stay as it is. */
function shortest(value: Json, text: string, forms: 'tables' | 'any JSON'): string | undefined {
  if (text.length < LEAST_CHARACTERS) return undefined;
  const compact = forms === 'any JSON' ? shorter(JSON.stringify(value), text) : undefined;
  const table = tableText(value);
  return (table === undefined ? undefined : shorter(table, compact ?? text)) ?? compact;
}

function shorter(text: string, than: string): string | undefined {
  if (text.length >= than.length) return undefined;
  const most = estimateTokens(than) * WORTH_IT;
  return estimateTokens(text, most) <= most ? text : undefined;
}
