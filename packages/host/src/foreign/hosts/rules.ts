// The rules that translate one key of another host's entry. The files of the hosts combine them.

import { isObject } from '@plugboard/base';
import { MAX_MILLISECONDS } from '../../config/index.ts';
import type { Draft, Rule, Rules } from './draft.ts';
import type { LeftOut } from './note.ts';

export function text(field: string): Rule {
  return (value, draft) => {
    draft.set(field, typeof value === 'string' ? draft.text(value, field) : value);
  };
}

export function path(field: string): Rule {
  return (value, draft) => {
    if (value === '') return;
    draft.set(field, typeof value === 'string' ? draft.path(value, field) : value);
  };
}

export const args: Rule = (value, draft) => {
  if (!Array.isArray(value)) draft.set('args', value);
  else if (value.length > 0) draft.set('args', translateTexts(value, draft));
};

/** Numbers and booleans become arguments, too. */
export function translateTexts(values: readonly unknown[], draft: Draft): readonly unknown[] {
  return values.map((item, index) => translateText(item, draft, `args[${index}]`));
}

/** `env` or `headers`. Null values are left out. */
export function pairs(field: 'env' | 'headers'): Rule {
  return (value, draft) => {
    if (!isObject(value)) {
      draft.set(field, value);
      return;
    }
    const before = draft.get(field);
    const all = new Map<string, unknown>(isObject(before) ? Object.entries(before) : []);
    for (const [key, item] of Object.entries(value)) {
      const at = `${field}.${key}`;
      // Assigning to `__proto__` would not add a key.
      if (item === null || key === '__proto__') draft.leaveOut(at, 'unusable');
      else all.set(key, translateText(item, draft, at));
    }
    if (all.size > 0) draft.set(field, Object.fromEntries(all));
  };
}

function translateText(item: unknown, draft: Draft, at: string): unknown {
  const word = wordOf(item);
  return word === undefined ? item : draft.text(word, at);
}

/** A placeholder for an environment variable. */
export function fromEnvironment(name: string): string {
  return `\${${name}}`;
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A duration; `unit` is the number of milliseconds in its unit. */
export function time(field: 'timeout' | 'connectTimeout', unit: 1 | 1000): Rule {
  return (value, draft, key) => {
    const milliseconds = typeof value === 'number' ? Math.round(value * unit) : Number.NaN;
    if (milliseconds >= 1 && milliseconds <= MAX_MILLISECONDS) draft.set(field, milliseconds);
    else draft.leaveOut(key, 'unusable');
  };
}

export function toolNames(list: 'include' | 'exclude'): Rule {
  return (value, draft, key) => {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      draft.leaveOut(key, 'unusable');
      return;
    }
    // An empty list of excluded tools is no filter, unlike an empty list of included ones.
    if (list === 'exclude' && value.length === 0) return;
    const before = draft.get('tools');
    draft.set('tools', { ...(isObject(before) ? before : {}), [list]: value });
  };
}

/** Written only if true, since false is our default. */
export function flag(field: 'disabled' | 'required' | 'alwaysLoad'): Rule {
  return (value, draft, key) => {
    if (typeof value !== 'boolean') draft.leaveOut(key, 'unusable');
    else if (value) draft.set(field, true);
  };
}

export const enabled: Rule = (value, draft, key) => {
  if (typeof value !== 'boolean') draft.leaveOut(key, 'unusable');
  else if (!value) draft.set('disabled', true);
};

/** Translates the host's type of a server; `undefined` if our entry needs no type. */
export function type(words: Readonly<Record<string, string | undefined>>): Rule {
  return (value, draft) => {
    if (typeof value !== 'string' || !Object.hasOwn(words, value)) draft.set('type', value);
    else if (words[value] !== undefined) draft.set('type', words[value]);
  };
}

export function leftOut(why: LeftOut): Rule {
  return (value, draft, key) => {
    if (!isNothing(value)) draft.leaveOut(key, why);
  };
}

/** Values that a host writes for a field that is not set. */
function isNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** For fields in which we have no placeholders either. */
export function asWritten(field: string): Rule {
  return (value, draft) => draft.set(field, value);
}

/** For keys that do not affect the server. */
export const ignored: Rule = () => {};

/** The fields of local servers with the same names as ours. */
export const LOCAL: Rules = {
  command: text('command'),
  args,
  env: pairs('env'),
  cwd: path('cwd'),
};

/** The fields of remote servers with the same names as ours. */
export const REMOTE: Rules = { url: text('url'), headers: pairs('headers') };
