// The pins of all servers on disk: one file for each server in the folder of the user's state, and beside it the
// accepted definitions, so that a change can be shown. A file that cannot be trusted (broken, a link, owned by another
// user) is reported as unreadable and never treated as missing: without pins the next list would be a new baseline.
// pin-edits.ts changes the files; most runs need not load it.

import { isAbsolute, join } from 'node:path';
import { err, isObject, ok, parseJson, type Result } from '@plugboard/base';
import { type OwnFileProblem, readOwnFile } from '../platform/index.ts';
import { definitionHash, type PinnedDefinition, textHash } from './definition-hash.ts';
import { MAX_PINS_BYTES, parsePins, type PinnedServer } from './pinned-server.ts';

export type PinProblem =
  | {
      readonly kind: 'unreadable';
      readonly file: string;
      readonly reason: OwnFileProblem['kind'] | 'broken' | 'relative';
    }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

export const MAX_DEFINITIONS_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 210;

export class PinStore {
  readonly folder: string;

  /** `state` is the folder of the user's state. */
  constructor(state: string) {
    this.folder = join(state, 'pins');
  }

  /** `undefined` if there are none. */
  async read(key: string): Promise<Result<PinnedServer | undefined, PinProblem>> {
    const file = this.fileOf(key);
    // A relative path would be resolved in the current folder.
    if (!isAbsolute(file)) return err({ kind: 'unreadable', file, reason: 'relative' });
    const read = await readOwnFile(file, { maxBytes: MAX_PINS_BYTES });
    if (!read.ok) {
      const reason = read.error.kind;
      return reason === 'missing' ? ok(undefined) : err({ kind: 'unreadable', file, reason });
    }
    const pins = parsePins(read.value);
    return pins === undefined ? err({ kind: 'unreadable', file, reason: 'broken' }) : ok(pins);
  }

  /** The accepted definitions by their hashes. */
  async definitions(key: string): Promise<ReadonlyMap<string, PinnedDefinition>> {
    const read = await readOwnFile(this.definitionsOf(key), { maxBytes: MAX_DEFINITIONS_BYTES });
    if (!read.ok) return new Map();
    const limits = { maxLength: MAX_DEFINITIONS_BYTES, maxDepth: MAX_DEPTH };
    const parsed = parseJson(read.value, limits);
    if (!parsed.ok || !Array.isArray(parsed.value)) return new Map();
    const kept = parsed.value.filter(isDefinition);
    return new Map(kept.map((definition) => [hashOf(definition), definition]));
  }

  fileOf(key: string): string {
    return join(this.folder, `${key}.json`);
  }

  definitionsOf(key: string): string {
    return join(this.folder, `${key}.definitions.json`);
  }
}

/** Instructions are stored as a definition without a name. */
export function hashOf(definition: PinnedDefinition): string {
  return definition.name === ''
    ? textHash(definition.description ?? '')
    : definitionHash(definition);
}

function isDefinition(value: unknown): value is PinnedDefinition {
  return isObject(value) && typeof value['name'] === 'string';
}
