// Scripts that the user saved under a name: for each one its file, and the digest of the text that the user approved. A
// changed file is no longer approved. The caller shows the text and asks for approval.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import {
  ensureFolder,
  type FileProblem,
  type OwnFileProblem,
  readOwnFile,
  readTextFile,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';

export interface Snippet {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of the approved text, in hex. */
  readonly digest: string;
}

export type ReadSnippet =
  | { readonly kind: 'approved' | 'changed'; readonly code: string; readonly digest: string }
  | { readonly kind: 'unreadable'; readonly problem: FileProblem };

export type SnippetProblem =
  | {
      readonly kind: 'unusable';
      readonly file: string;
      readonly reason: OwnFileProblem['kind'] | 'broken';
    }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

/** A script may have 100,000 characters. */
const MAX_SCRIPT_BYTES = 400_000;
const MAX_STORE_BYTES = 1024 * 1024;

const NAME = /^[A-Za-z0-9_][\w.-]{0,63}$/;

export function isSnippetName(name: string): boolean {
  return NAME.test(name);
}

export function scriptDigest(code: string): string {
  return hash('sha256', code, 'hex');
}

export class Snippets {
  readonly #state: string;
  readonly #file: string;

  /** `state` is the folder of the user's state. */
  constructor(state: string) {
    this.#state = state;
    this.#file = join(state, 'snippets.json');
  }

  /** Sorted by name. */
  async list(): Promise<Result<readonly Snippet[], SnippetProblem>> {
    const file = this.#file;
    const read = await readOwnFile(file, { maxBytes: MAX_STORE_BYTES });
    if (!read.ok) {
      const reason = read.error.kind;
      return reason === 'missing' ? ok([]) : err({ kind: 'unusable', file, reason });
    }
    const snippets = parseSnippets(read.value);
    return snippets === undefined
      ? err({ kind: 'unusable', file, reason: 'broken' })
      : ok(snippets);
  }

  /** The current text of its file. */
  async read({ file, digest: approved }: Pick<Snippet, 'file' | 'digest'>): Promise<ReadSnippet> {
    const read = await readTextFile(file, { maxBytes: MAX_SCRIPT_BYTES });
    if (!read.ok) return { kind: 'unreadable', problem: read.error };
    const digest = scriptDigest(read.value);
    return { kind: digest === approved ? 'approved' : 'changed', code: read.value, digest };
  }

  /** Replaces a snippet of that name. */
  approve(snippet: Snippet): Promise<Result<void, SnippetProblem>> {
    return this.#change((before) => [...without(before, snippet.name), snippet]);
  }

  remove(name: string): Promise<Result<void, SnippetProblem>> {
    return this.#change((before) => without(before, name));
  }

  async #change(
    edit: (before: readonly Snippet[]) => readonly Snippet[],
  ): Promise<Result<void, SnippetProblem>> {
    try {
      await ensureFolder(this.#state);
      return await withFileLock(this.#file, {}, async () => {
        const before = await this.list();
        if (!before.ok) return before;
        const snippets = edit(before.value).toSorted((a, b) => (a.name < b.name ? -1 : 1));
        const text = `${JSON.stringify({ snippets }, undefined, 2)}\n`;
        await writeFileAtomically(this.#file, text, { mode: 0o600 });
        return ok(undefined);
      });
    } catch (thrown) {
      const code = systemCode(thrown);
      if (code === undefined) throw thrown;
      return err({ kind: 'unwritable', file: this.#file, code });
    }
  }
}

function without(snippets: readonly Snippet[], name: string): readonly Snippet[] {
  return snippets.filter((snippet) => snippet.name !== name);
}

function parseSnippets(text: string): readonly Snippet[] | undefined {
  const parsed = parseJson(text, { maxLength: MAX_STORE_BYTES, maxDepth: 5 });
  const listed = parsed.ok && isObject(parsed.value) ? parsed.value['snippets'] : undefined;
  if (!Array.isArray(listed) || !listed.every(isSnippet)) return undefined;
  return listed;
}

function isSnippet(value: unknown): value is Snippet {
  if (!isObject(value)) return false;
  const { name, file, digest } = value;
  return typeof name === 'string' && typeof file === 'string' && typeof digest === 'string';
}
