// A field of an entry and its value, for people and for programs. Values that may be secret are hidden.

import { type FieldReport, shownAs } from '@plugboard/host/configuration';
import { maskValue, shownUrl, shownWords } from './target.ts';

type Path = FieldReport['path'];

/** `args`, `env.TOKEN`. */
export function fieldTitle(path: Path): string {
  return path.join('.');
}

/** The value that may be shown: text unchanged, anything else as JSON. */
export function fieldText(path: Path, value: unknown): string {
  const shown = fieldValue(path, value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

/** The value that may be shown. */
export function fieldValue(path: Path, value: unknown): unknown {
  const [field, key] = path;
  const way = shownAs(field);
  switch (way) {
    case 'plain':
      return value;
    case 'words':
      return isTexts(value) ? shownWords(value) : value;
    case 'url':
      return onText(value, shownUrl);
    case 'masked':
      return onText(value, maskValue);
    case 'program':
    case 'line':
      return onText(value, (line) => shownWords(line.split(' ')).join(' '));
    case 'options':
      return shownOption(String(key), value);
    default:
      return way satisfies never;
  }
}

/** The options of `oauth` that are never secret. */
const OPEN_OPTIONS: ReadonlySet<string> = new Set(['clientId', 'callbackPort', 'scopes']);

function shownOption(key: string, value: unknown): unknown {
  if (OPEN_OPTIONS.has(key)) return value;
  if (key === 'authServerMetadataUrl') return onText(value, shownUrl);
  return typeof value === 'string' ? maskValue(value) : '(hidden)';
}

function onText(value: unknown, show: (text: string) => string): unknown {
  return typeof value === 'string' ? show(value) : value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
