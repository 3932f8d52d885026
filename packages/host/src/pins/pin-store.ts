// The pins of all servers on disk: one file for each server in the user's own state, and beside it the
// definitions that were accepted, so that a change can be shown. Whatever is there and cannot be believed
// (broken, a link, of another user) is said to be unreadable and never taken for nothing: nothing would be
// the start of a new baseline. How they are changed is in pin-edits.ts, which most runs need not load.

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
    // Else it would be looked for below the folder that one happens to be in.
    if (!isAbsolute(file)) return err({ kind: 'unreadable', file, reason: 'relative' });
    const read = await readOwnFile(file, { maxBytes: MAX_PINS_BYTES });
    if (!read.ok) {
      const reason = read.error.kind;
      return reason === 'missing' ? ok(undefined) : err({ kind: 'unreadable', file, reason });
    }
    const pins = parsePins(read.value);
    return pins === undefined ? err({ kind: 'unreadable', file, reason: 'broken' }) : ok(pins);
  }

  /** What was accepted, by its hash. Only what still has that hash. */
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

/** Instructions are kept as a definition without a name. */
export function hashOf(definition: PinnedDefinition): string {
  return definition.name === ''
    ? textHash(definition.description ?? '')
    : definitionHash(definition);
}

function isDefinition(value: unknown): value is PinnedDefinition {
  return isObject(value) && typeof value['name'] === 'string';
}
