// A field of an entry and what it holds, for people and for programs, with what may be secret left out.

import type { FieldReport } from '@plugboard/host/configuration';
import { maskValue, shownUrl, shownWords } from './target.ts';

type Path = FieldReport['path'];

/** `args`, `env.TOKEN`. */
export function fieldTitle(path: Path): string {
  return path.join('.');
}

/** As it may be shown: text, or the text of lists and objects. */
export function fieldValue(path: Path, value: unknown): string {
  const [field] = path;
  if (field === 'args' && isTexts(value)) return JSON.stringify(shownWords(value));
  if (typeof value !== 'string') return JSON.stringify(masked(field, value));
  if (field === 'url') return shownUrl(value);
  if (field === 'env' || field === 'headers') return maskValue(value);
  return isSecretOption(path) ? maskValue(value) : value;
}

/** `oauth` may hold a secret of the client. */
function isSecretOption([field, key]: Path): boolean {
  return field === 'oauth' && /secret|key|token|assertion/i.test(String(key));
}

function masked(field: Path[number] | undefined, value: unknown): unknown {
  return field === 'oauth' && typeof value === 'object' ? '(hidden)' : value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
