// Builds our entry from one of another host. Each key of the other entry has a rule that translates it; a key
// without a rule is left out with a note. A value of the wrong type is copied if the server would be a
// different one without it: the check of every entry then refuses the whole entry and explains why.

import { posix, win32 } from 'node:path';
import { isObject } from '@plugboard/base';
import { FIELD_KEYS } from '../../config/index.ts';
import type { ImportContext, Translation } from './foreign-host.ts';
import type { LeftOut, Note } from './note.ts';
import { plainSecrets } from './plain-secret.ts';
import { type Dialect, translateText } from './variables.ts';

export type Rule = (value: unknown, draft: Draft, key: string) => void;
export type Rules = Readonly<Record<string, Rule>>;

export class Draft {
  readonly #fields = new Map<string, unknown>();
  readonly #notes: Note[] = [];
  readonly #dialect: Dialect;
  readonly #surroundings: ImportContext;

  constructor(dialect: Dialect, surroundings: ImportContext) {
    this.#dialect = dialect;
    this.#surroundings = surroundings;
  }

  get(field: string): unknown {
    return this.#fields.get(field);
  }

  set(field: string, value: unknown): void {
    this.#fields.set(field, value);
  }

  note(note: Note): void {
    this.#notes.push(note);
  }

  leaveOut(field: string, why: LeftOut): void {
    this.note({ kind: 'left-out', field, why });
  }

  /** Replaces the other host's placeholders by ours. */
  text(value: string, field: string): string {
    const { text, notes } = translateText(value, field, this.#dialect);
    this.#notes.push(...notes);
    return text;
  }

  /** Makes a path absolute, since other hosts resolve relative paths from the open folder. */
  path(value: string, field: string): string {
    const paths = this.#surroundings.platform === 'win32' ? win32 : posix;
    const text = this.text(value, field);
    if (value === '' || paths.isAbsolute(text) || /^(?:\$\{|~)/.test(text)) return text;
    const absolute = paths.resolve(
      this.#surroundings.project.replaceAll('${', () => '$${'),
      text,
    );
    this.note({ kind: 'filled-in', field, value: absolute });
    return absolute;
  }

  finish(): Translation {
    const known = FIELD_KEYS.filter((field) => this.#fields.has(field));
    const entry = Object.fromEntries(known.map((field) => [field, this.#fields.get(field)]));
    const notes = [...this.#notes, ...plainSecrets(entry)];
    return { kind: 'entry', entry, notes: unique(notes) };
  }
}

export function translateFields(options: {
  readonly value: unknown;
  readonly rules: Rules;
  readonly dialect: Dialect;
  readonly surroundings: ImportContext;
}): Translation {
  const { value, rules, dialect, surroundings } = options;
  if (!isObject(value)) return { kind: 'not-an-object' };
  const draft = new Draft(dialect, surroundings);
  for (const [key, item] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) draft.leaveOut(key, 'unknown');
    // Some hosts write null for a field that is not set.
    else if (item !== null && item !== undefined) rule(item, draft, key);
  }
  return draft.finish();
}

function unique(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()];
}
