// An embedder or a store as a person writes it on a command line: in a short form, or as the JSON that settings have.
// Pure; what it means and whether it can be is for their own rooms to say.

import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';

export const EMBEDDER_FORMS = 'embedded, none, ollama:MODEL, openai:URL#MODEL or JSON';
export const STORE_FORMS = 'embedded, qdrant:URL or JSON';

const LIMITS = { maxLength: 10_000, maxDepth: 10 };

export function embedderFlag(text: string): Result<unknown, string> {
  if (text === 'embedded' || text === 'none') return ok({ kind: text });
  const [, model] = /^ollama:(.+)$/s.exec(text) ?? [];
  if (model !== undefined) return ok({ kind: 'ollama', model });
  const [, url, name] = /^openai:([^#]+)#(.+)$/s.exec(text) ?? [];
  if (url !== undefined) return ok({ kind: 'openai', url, model: name });
  return jsonFlag(text, `--embedder takes ${EMBEDDER_FORMS}`);
}

export function storeFlag(text: string): Result<unknown, string> {
  if (text === 'embedded') return ok({ kind: text });
  const [, url] = /^qdrant:(.+)$/s.exec(text) ?? [];
  if (url !== undefined) return ok({ kind: 'qdrant', url });
  return jsonFlag(text, `--store takes ${STORE_FORMS}`);
}

function jsonFlag(text: string, otherwise: string): Result<unknown, string> {
  const parsed = text.startsWith('{') ? parseJson(text, LIMITS) : undefined;
  return parsed?.ok === true && isObject(parsed.value) ? ok(parsed.value) : err(otherwise);
}
