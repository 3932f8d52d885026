// What becomes of one key of another host's entry. The hosts' files put these together.

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

/** Numbers, and true and false, are words to a program. */
export function translateTexts(values: readonly unknown[], draft: Draft): readonly unknown[] {
  return values.map((item, index) => translateText(item, draft, `args[${index}]`));
}

/** `env` or `headers`. What is not set at all is left out. */
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
      // Assigned to an object it would be no entry of it.
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

/** A value that is a variable of the environment, by its name. */
export function fromEnvironment(name: string): string {
  return `\${${name}}`;
}

function wordOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A time, given in units of so many milliseconds. */
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
    // No tool to leave out is no filter; no tool to take is one.
    if (list === 'exclude' && value.length === 0) return;
    const before = draft.get('tools');
    draft.set('tools', { ...(isObject(before) ? before : {}), [list]: value });
  };
}

/** Written only where it is true, which is not what we assume. */
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

/** The host's word for a kind of server into ours; undefined if ours goes without saying. */
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

/** What a host writes where nothing was chosen. */
function isNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** For fields in which we fill nothing in either. */
export function asWritten(field: string): Rule {
  return (value, draft) => draft.set(field, value);
}

/** It says nothing about the server. */
export const ignored: Rule = () => {};

/** What a server is started with, spelled as we spell it. */
export const LOCAL: Rules = {
  command: text('command'),
  args,
  env: pairs('env'),
  cwd: path('cwd'),
};

/** What a server is reached with, spelled as we spell it. */
export const REMOTE: Rules = { url: text('url'), headers: pairs('headers') };
