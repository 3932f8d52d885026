// Finds values of an entry that look like secrets in clear, judged by their names and forms. Only a guess,
// which suggests a better place.

import { isObject, looksLikeToken, soundsSecret } from '@plugboard/base';
import type { Note } from './note.ts';
import { secretName } from './variables.ts';

export function plainSecrets(entry: Readonly<Record<string, unknown>>): readonly Note[] {
  const named = ['env', 'headers', 'oauth'].flatMap((field) =>
    pairsOf(entry[field])
      .filter(([name, value]) => looksSecret(name, value))
      .map(([name]) => noteOn(`${field}.${name}`, name)),
  );
  return [...named, ...inArguments(entry['args'])];
}

function looksSecret(name: string, value: string): boolean {
  if (!isPlain(value)) return false;
  return soundsSecret(name) || looksLikeToken(value);
}

/** `--token x`, `--token=x` and `-e API_TOKEN=x`. */
function inArguments(args: unknown): readonly Note[] {
  if (!Array.isArray(args)) return [];
  const words: readonly unknown[] = args;
  return words.flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    const field = `args[${index}]`;
    const [, name = '', value = ''] = /^([-\w]+)=(.*)$/s.exec(word) ?? [];
    if (looksSecret(name, value)) return [noteOn(field, name)];
    const before = words[index - 1];
    const option = typeof before === 'string' && /^--?[-\w]+$/.test(before) ? before : '';
    return !word.startsWith('-') && looksSecret(option, word)
      ? [noteOn(field, option === '' ? 'token' : option)]
      : [];
  });
}

/** Whether a text contains no placeholder and no attempt at one. */
function isPlain(value: string): boolean {
  return value.trim() !== '' && !value.includes('${');
}

function pairsOf(values: unknown): readonly (readonly [string, string])[] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

function noteOn(field: string, name: string): Note {
  return { kind: 'plain-secret', field, secret: secretName(name) };
}
